/** Opens the journal for the slips: what came of it as notices, and every change of a row told to the page. */
import type { Notice } from '../../contract/till.ts'
import type { Journal } from './journal/journal.ts'
import { openJournal } from './journal/open.ts'
import type { JournalRow } from './journal/row.ts'
import { logged } from './life.ts'
import type { SlipsOptions } from './options.ts'

/** The journal, telling of each change once it is on disk. */
const announcing = (journal: Journal, tell: (row: JournalRow) => void): Journal => {
  const told = (row: JournalRow): JournalRow => {
    tell(row)
    return row
  }
  return {
    ...journal,
    request: (request) => told(journal.request(request)),
    step: (intentId, event, details) => told(journal.step(intentId, event, details)),
    noteShown: (intentId, shownAt) => told(journal.noteShown(intentId, shownAt)),
    startCopy: (intentId, startedAt, printer) => told(journal.startCopy(intentId, startedAt, printer)),
    endCopy: (intentId, number, end) => told(journal.endCopy(intentId, number, end))
  }
}

type Ears = Pick<SlipsOptions, 'onSlip' | 'onBatch'>

/** Tells of a slip, and of the batch that came a step further with it. */
const tellOf = (journal: Journal, { onSlip, onBatch }: Ears, { slip, businessId }: JournalRow): void => {
  onSlip(slip)
  const batch = slip.batch && journal.batch({ practice: slip.practice, businessId }, slip.batch.batchId)
  if (batch !== null) onBatch(batch)
}

/**
 * Opens the journal; null when it can be neither read nor begun anew.
 *
 * @param backup the newest one's path
 * @param isChecked the journal was found whole just now
 */
export function openForSlips(
  { journalFile, now, log, ...ears }: SlipsOptions,
  backup: string | null,
  isChecked: boolean
): {
  journal: Journal | null
  notices: Notice[]
} {
  const { journal, setAside, error } = openJournal(journalFile, now(), isChecked)
  const notices: Notice[] = []
  if (error !== null) log.error('journal-not-opened', { error, setAside })
  if (setAside !== null) notices.push({ kind: 'journal-set-aside', file: setAside, backup })
  if (journal === null) {
    notices.push({ kind: 'journal-not-saved' })
    return { journal: null, notices }
  }
  return { journal: announcing(logged(journal, log), (row) => tellOf(journal, ears, row)), notices }
}
