/** Opens the journal for the slips: what came of it as notices, and every change of a row told to the page. */
import type { Notice } from '../../contract/till.ts'
import { createTelling } from './batches/telling.ts'
import type { Journal } from './journal/journal.ts'
import { openJournal, PATIENCE } from './journal/open.ts'
import type { JournalRow } from './journal/row.ts'
import { logged } from './life.ts'
import type { SlipsOptions } from './options.ts'
import { journalFailed } from './work.ts'

/** What hears of the changes, and of their end. */
interface Teller {
  readonly tell: (row: JournalRow) => void
  readonly close: () => void
}

/** The journal, telling of each change once it is on disk. */
const announcing = (journal: Journal, { tell, close }: Teller): Journal => {
  const told = (row: JournalRow): JournalRow => {
    tell(row)
    return row
  }
  return {
    ...journal,
    request: (request) => told(journal.request(request)),
    step: (intentId, event, details) => told(journal.step(intentId, event, details)),
    together: async (write) => told(await journal.together(write)),
    noteShown: (intentId, shownAt) => told(journal.noteShown(intentId, shownAt)),
    startCopy: (intentId, startedAt, printer) => told(journal.startCopy(intentId, startedAt, printer)),
    endCopy: (intentId, number, end) => told(journal.endCopy(intentId, number, end)),
    close() {
      close()
      journal.close()
    }
  }
}

type Ears = Pick<SlipsOptions, 'onSlip' | 'onBatch' | 'log'>

/** Tells of a slip, and of the batch that came a step further with it. */
function createTeller(journal: Journal, { onSlip, onBatch, log }: Ears): Teller {
  const telling = createTelling((scope, batchId) => {
    try {
      const batch = journal.batch(scope, batchId)
      if (batch !== null) onBatch(batch)
    } catch (error) {
      // The slip's own step is on disk: that its batch could not be counted takes nothing of it back.
      journalFailed(journal, log, error)
    }
  })
  return {
    tell({ slip, businessId }) {
      onSlip(slip)
      if (slip.batch !== null) telling.changed({ training: slip.training, businessId }, slip.batch.batchId)
    },
    close: () => telling.close()
  }
}

/**
 * Opens the journal; null when it can be neither read nor begun anew.
 *
 * @param backup the newest one's path
 * @param isChecked the journal was found whole just now
 */
export function openForSlips(
  { journalFile, journalPatience: patience = PATIENCE, now, log, ...ears }: SlipsOptions,
  backup: string | null,
  isChecked: boolean
): {
  journal: Journal | null
  notices: Notice[]
} {
  const { journal, setAside, error } = openJournal(journalFile, now(), { isChecked, patience })
  const notices: Notice[] = []
  if (error !== null) log.error('journal-not-opened', { error, setAside })
  if (setAside !== null) notices.push({ kind: 'journal-set-aside', file: setAside, backup })
  if (journal === null) {
    notices.push({ kind: 'journal-not-saved' })
    return { journal: null, notices }
  }
  return { journal: announcing(logged(journal, log), createTeller(journal, { ...ears, log })), notices }
}
