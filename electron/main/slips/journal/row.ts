/** A row of the journal as it is kept on disk, with the schemas that read it back. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import * as v from 'valibot'
import { PAPERS, printDestinationSchema, type PaperName } from '../../../contract/printing.ts'
import { SLIP_STATES, type Copy, type Slip } from '../../../contract/till.ts'
import { NotARow, number, numberOrNull, oneOf, reading, text, textOrNull } from './columns.ts'
import { failureSchema } from './failure-schema.ts'

/**
 * What a slip shows of the business, as it was when the points were asked for. Kept in the row, so that a slip
 * printed next year, after the business moved, still has the same bytes.
 */
export const faceSchema = v.object({
  name: v.string(),
  address: v.object({
    street: v.string(),
    city: v.string(),
    state: v.string(),
    country: v.string(),
    zipCode: v.string()
  }),
  /** IANA name, checked when the row was made */
  timeZone: v.string(),
  /** BCP 47, for the grouping of points and the date */
  locale: v.string(),
  /** what the business put on its slips; null in rows of a till that could not say */
  extras: v.nullish(
    v.object({
      headline: v.string(),
      footer: v.string(),
      tillName: v.string(),
      customerName: v.boolean(),
      joinUrl: v.nullable(v.string()),
      /** the name of its bytes among the journal's logos */
      logo: v.nullable(v.string())
    }),
    null
  )
})
export type Face = v.InferOutput<typeof faceSchema>

const readFace = reading(v.pipe(v.string(), v.parseJson(), faceSchema))
/** A destination of another version's kinds reads as none: the row is not lost. */
const readDestination = reading(
  v.fallback(v.nullable(v.pipe(v.string(), v.parseJson(), printDestinationSchema)), null)
)
const readPaper = reading(v.fallback(v.nullable(v.picklist(PAPERS)), null))
const readFailure = reading(v.nullable(failureSchema))
const COPY_STATES = ['printing', 'printed', 'print-failed'] as const satisfies readonly Copy['state'][]

/** One slip with what the page need not know. */
export interface JournalRow {
  readonly slip: Slip
  readonly businessId: string
  readonly face: Face
  /** its place in the journal: the later it was asked for, the higher */
  readonly number: number
  /** papers asked for with the slip */
  readonly papers: number
  /** what it was laid out for at the last try; null before the first */
  readonly paper: PaperName | null
}

/** A slip with the newest of its copies, in the order that `readRow` takes. Conditions follow. */
export const SELECT_SLIPS = `
  SELECT slips.number, intent_id, business_id, training, slips.state, revision, points, papers,
    customer_id, customer_name, cashier_id, cashier_name, code, url,
    requested_at, issued_at, printed_at, shown_at, slips.ended_at, note,
    file, slips.destination, slips.paper, slips.failure, batch_id, position, face,
    copies, copies.state, copies.started_at, copies.failure
  FROM slips LEFT JOIN copies ON copies.slip = slips.number AND copies.number = slips.copies
`

/** Somebody with the name of the time. */
const person = (id: unknown, name: unknown): { id: string; name: string } | null =>
  id === null ? null : { id: text(id), name: textOrNull(name) ?? '' }

/** Reads a row of `SELECT_SLIPS`. Throws `NotARow` or a `ValiError` when it is not one of the journal's. */
function readRow(columns: readonly unknown[]): JournalRow {
  // prettier-ignore
  const [
    place, intentId, businessId, training, state, revision, points, papers,
    customerId, customerName, cashierId, cashierName, code, url,
    requestedAt, issuedAt, printedAt, shownAt, endedAt, note,
    file, destination, paper, failure, batchId, position, face,
    copies, copyState, copyStartedAt, copyFailure
  ] = columns
  const slip: Slip = {
    intentId: text(intentId),
    state: oneOf(SLIP_STATES, state),
    revision: number(revision),
    points: number(points),
    customer: person(customerId, customerName),
    cashier: person(cashierId, cashierName),
    code: textOrNull(code),
    url: textOrNull(url),
    requestedAt: text(requestedAt),
    issuedAt: textOrNull(issuedAt),
    printedAt: textOrNull(printedAt),
    shownAt: textOrNull(shownAt),
    file: textOrNull(file),
    destination: readDestination(destination),
    failure: readFailure(failure),
    ending: endedAt === null ? null : { at: text(endedAt), note: textOrNull(note) ?? '' },
    copies: number(copies),
    lastCopy:
      copyState === null
        ? null
        : {
            number: number(copies),
            state: oneOf(COPY_STATES, copyState),
            startedAt: text(copyStartedAt),
            failure: readFailure(copyFailure)
          },
    batch: batchId === null ? null : { batchId: text(batchId), position: numberOrNull(position) ?? 0 },
    training: number(training) === 1
  }
  return {
    slip,
    businessId: text(businessId),
    face: readFace(face),
    number: number(place),
    papers: number(papers),
    paper: readPaper(paper)
  }
}

/** A prepared reading of slips. Both methods throw as SQLite does, and on a row that is not one of the journal's. */
export interface SlipQuery {
  /** null when there is none */
  first(...values: readonly SQLInputValue[]): JournalRow | null
  all(...values: readonly SQLInputValue[]): JournalRow[]
}

/** Prepares the reading of slips; `conditions` is all of the statement from `WHERE` on. */
export function prepareSlips(database: DatabaseSync, conditions: string): SlipQuery {
  const statement = database.prepare(`${SELECT_SLIPS} ${conditions}`)
  // Objects with thirty named columns take longer to make than to fill.
  statement.setReturnArrays(true)
  const read = (row: unknown): JournalRow => {
    if (!Array.isArray(row)) throw new NotARow('row', row)
    return readRow(row)
  }
  return {
    first(...values) {
      const row = statement.get(...values)
      return row === undefined ? null : read(row)
    },
    all: (...values) => statement.all(...values).map(read)
  }
}
