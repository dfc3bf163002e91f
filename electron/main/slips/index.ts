/** The life of a slip, from a press of Print slip to paper: what the rest of the till may use of it. */
import { bad, good, type Answer, type Failure } from '../../contract/failure.ts'
import type { QrCode } from '../../contract/loyalty.ts'
import type { IssuedSlip, Notice, Slip } from '../../contract/till.ts'
import { scopeOf, type SlipBusiness } from './business.ts'
import { createFolderDestination } from './destination/folder.ts'
import { createIssuing, type Intent } from './issuing.ts'
import type { Journal } from './journal/journal.ts'
import { openJournal } from './journal/open.ts'
import type { JournalRow } from './journal/row.ts'
import { createSlipLayout } from './layout/layout.ts'
import { drawQr } from './layout/qr.ts'
import type { Log } from './log.ts'
import { createPrinting } from './printing.ts'

export type { SlipBusiness } from './business.ts'
export type { Intent } from './issuing.ts'
export type { Log } from './log.ts'
export { drawQr } from './layout/qr.ts'

export interface SlipsOptions {
  /** full path of the journal's database */
  readonly journalFile: string
  /** folder that the PDFs go to; made at the first slip */
  readonly slipsFolder: string
  /** folder with the slip's font files */
  readonly fontsFolder: string
  /** `POST /qr` of the service that the till is connected to now; called once per intent */
  readonly createQr: (points: number) => Promise<Answer<QrCode>>
  readonly now: () => Date
  /** null: the till serves nobody yet, and issues nothing */
  readonly currentBusiness: () => SlipBusiness | null
  /** hears every change of a row, after it is on disk */
  readonly onSlip: (slip: Slip) => void
  readonly log: Log
}

export interface Slips {
  /** What opening the journal came to; empty when all is well. */
  readonly notices: readonly Notice[]
  /**
   * Issues points once per intent id and prints the slip. A slip that did not print is a good answer in state
   * `print-failed`: its code exists. Failures: `invalid-input` and `points-too-many` before anything is written,
   * `not-connected`, `not-saved` when the disk fails, and whatever the service answered.
   */
  issue(intent: Intent): Promise<Answer<IssuedSlip>>
  /** Prints a slip that has a code and no paper yet; a printed one comes back as it is. `not-found` without a code. */
  print(input: { readonly intentId: string }): Promise<Answer<IssuedSlip>>
  /** Slips of the current business, newest first, a page from `offset` on. */
  list(input: { readonly offset: number }): Answer<{ slips: readonly Slip[]; hasMore: boolean }>
  /** How many slips of the current business wait for a person: unknown outcomes, and codes without paper. */
  attention(): Answer<number>
  /** The current business's slip with this code, if this till issued it. */
  byCode(code: string): Slip | null
  /** Waits for the slips under way, then closes the journal. */
  close(): Promise<void>
}

const PAGE_SIZE = 50
const NOT_SAVED: Failure = { kind: 'not-saved', what: 'journal' }

/** The journal, telling `onSlip` of each change once it is on disk. */
const announcing = (journal: Journal, onSlip: (slip: Slip) => void): Journal => {
  const announced = (row: JournalRow): JournalRow => {
    onSlip(row.slip)
    return row
  }
  return {
    ...journal,
    request: (request) => announced(journal.request(request)),
    step: (intentId, event, details) => announced(journal.step(intentId, event, details))
  }
}

function open({ journalFile, now, onSlip, log }: SlipsOptions): {
  journal: Journal | null
  notices: Notice[]
} {
  const opened = openJournal(journalFile, now())
  const notices: Notice[] = []
  if (opened.error !== null) log.error('The journal could not be opened as it was', opened.error)
  if (opened.setAside !== null) notices.push({ kind: 'journal-set-aside', file: opened.setAside })
  if (opened.journal === null) {
    notices.push({ kind: 'journal-not-saved' })
    return { journal: null, notices }
  }
  return { journal: announcing(opened.journal, onSlip), notices }
}

const issued = ({ slip }: JournalRow): IssuedSlip => ({
  slip,
  qr: slip.url === null ? null : drawQr(slip.url)
})

/** Opens the journal and ends what a stopped till left under way. Never throws for a bad disk: see `notices`. */
export function createSlips(options: SlipsOptions): Slips {
  const { createQr, now, currentBusiness, log } = options
  const { journal, notices } = open(options)
  const destination = createFolderDestination(options.slipsFolder, log)
  const layout = createSlipLayout(options.fontsFolder)
  const issuing = journal && createIssuing({ journal, createQr, now, log })
  const printing = journal && createPrinting({ journal, layout, destination, now, log })

  /** Work under way per intent: a second press waits for the first one's result. */
  const underWay = new Map<string, Promise<Answer<IssuedSlip>>>()
  const once = (intentId: string, work: () => Promise<Answer<IssuedSlip>>): Promise<Answer<IssuedSlip>> => {
    const running = underWay.get(intentId)
    if (running !== undefined) return running
    const result = work()
      .catch((error: unknown) => {
        log.error('The journal could not be written', error)
        return bad(NOT_SAVED)
      })
      .finally(() => underWay.delete(intentId))
    underWay.set(intentId, result)
    return result
  }

  /** Reads for the current business; without a journal or a business there is nothing to read. */
  const read = <Value>(
    nothing: Value,
    query: (journal: Journal, business: SlipBusiness) => Value
  ): Answer<Value> => {
    const business = currentBusiness()
    if (journal === null || business === null) return good(nothing)
    try {
      return good(query(journal, business))
    } catch (error) {
      log.error('The journal could not be read', error)
      return bad({ kind: 'internal' })
    }
  }

  return {
    notices,
    issue: (intent) =>
      once(intent.intentId, async () => {
        if (issuing === null || printing === null) return bad(NOT_SAVED)
        const business = currentBusiness()
        if (business === null) return bad({ kind: 'not-connected' })
        const answer = await issuing(intent, business)
        if (!answer.ok) return answer
        // Only a fresh code goes to paper by itself; a later press shows what the first one came to.
        const row = answer.value.slip.state === 'issued' ? await printing(answer.value) : answer.value
        return good(issued(row))
      }),
    print: ({ intentId }) =>
      once(intentId, async () => {
        if (journal === null || printing === null) return bad(NOT_SAVED)
        const row = journal.byIntent(intentId)
        if (!row?.slip.code) return bad({ kind: 'not-found' })
        return good(issued(await printing(row)))
      }),
    list: ({ offset }) =>
      read({ slips: [], hasMore: false }, (open, business) => {
        const slips = open.list(scopeOf(business), offset, PAGE_SIZE + 1)
        return { slips: slips.slice(0, PAGE_SIZE), hasMore: slips.length > PAGE_SIZE }
      }),
    attention: () => read(0, (open, business) => open.attention(scopeOf(business))),
    byCode(code) {
      const answer = read<Slip | null>(null, (open, business) => open.byCode(scopeOf(business), code))
      return answer.ok ? answer.value : null
    },
    async close() {
      await Promise.all(underWay.values())
      journal?.close()
    }
  }
}
