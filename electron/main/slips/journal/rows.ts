/** A row of the journal as it is kept on disk, with the schemas that read it back. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import * as v from 'valibot'
import type { Failure, FailureKind } from '../../../contract/failure.ts'
import {
  PAPER_SIZES,
  PRINT_FAULTS,
  printDestinationSchema,
  type PaperSize
} from '../../../contract/printing.ts'
import { SLIP_STATES, type Copy, type Slip } from '../../../contract/slips.ts'

/* from failure-schema.ts: Reads a failure back from the journal. `satisfies` below keeps it complete: a new kind must be added here. */

const plain = <Kind extends FailureKind>(kind: Kind) => v.object({ kind: v.literal(kind) })

const kinds = {
  offline: plain('offline'),
  timeout: plain('timeout'),
  tls: plain('tls'),
  unauthorised: plain('unauthorised'),
  forbidden: plain('forbidden'),
  'not-found': plain('not-found'),
  'already-exists': plain('already-exists'),
  'points-too-many': v.object({ kind: v.literal('points-too-many'), maximum: v.number() }),
  rejected: v.object({ kind: v.literal('rejected'), status: v.number(), message: v.string() }),
  busy: v.object({ kind: v.literal('busy'), retryAfterSeconds: v.nullable(v.number()) }),
  'service-down': v.object({ kind: v.literal('service-down'), status: v.number() }),
  'bad-response': v.object({ kind: v.literal('bad-response'), path: v.string() }),
  'unknown-outcome': v.object({
    kind: v.literal('unknown-outcome'),
    cause: v.picklist(['timeout', 'connection-lost', 'service-down', 'bad-response', 'till-stopped'])
  }),
  'not-connected': plain('not-connected'),
  'invalid-input': v.object({
    kind: v.literal('invalid-input'),
    field: v.picklist([
      'name',
      'pin',
      'phone',
      'points',
      'amount',
      'base-url',
      'token',
      'code',
      'country',
      'setting'
    ]),
    fault: v.picklist([
      'missing',
      'too-long',
      'not-a-phone',
      'not-a-whole-number',
      'below-one',
      'not-an-address',
      'not-https',
      'malformed',
      'taken'
    ])
  }),
  'not-saved': v.object({
    kind: v.literal('not-saved'),
    what: v.picklist(['settings', 'journal', 'slip', 'export'])
  }),
  'not-printed': v.object({
    kind: v.literal('not-printed'),
    fault: v.picklist(PRINT_FAULTS),
    mayStillPrint: v.boolean()
  }),
  'no-encryption': plain('no-encryption'),
  locked: v.object({ kind: v.literal('locked'), needs: v.picklist(['cashier', 'manager']) }),
  'wrong-pin': v.object({ kind: v.literal('wrong-pin'), waitSeconds: v.number() }),
  'too-many-tries': v.object({ kind: v.literal('too-many-tries'), waitSeconds: v.number() }),
  'other-business': plain('other-business'),
  aborted: plain('aborted'),
  internal: plain('internal')
} as const satisfies {
  readonly [Kind in FailureKind]: v.GenericSchema<unknown, Extract<Failure, { readonly kind: Kind }>>
}

/** A failure as the journal keeps it: JSON. One of another version's kinds reads as `internal`: the row is not lost. */
export const failureSchema = v.fallback(
  v.pipe(v.string(), v.parseJson(), v.variant('kind', Object.values(kinds))),
  { kind: 'internal' }
)

/**
 * What a slip shows of the business, as it was when the points were asked for. Kept in the row, so that a slip
 * printed next year, after the business moved, still has the same bytes.
 */
const businessSnapshotSchema = v.object({
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
export type BusinessSnapshot = v.InferOutput<typeof businessSnapshotSchema>

const readSnapshot = reading(v.pipe(v.string(), v.parseJson(), businessSnapshotSchema))
/** A destination of another version's kinds reads as none: the row is not lost. */
const readDestination = reading(
  v.fallback(v.nullable(v.pipe(v.string(), v.parseJson(), printDestinationSchema)), null)
)
const readPaper = reading(v.fallback(v.nullable(v.picklist(PAPER_SIZES)), null))
const readFailure = reading(v.nullable(failureSchema))
const COPY_STATES = ['printing', 'printed', 'print-failed'] as const satisfies readonly Copy['state'][]

/** One slip with what the page need not know. */
export interface JournalRow {
  readonly slip: Slip
  readonly businessId: string
  readonly snapshot: BusinessSnapshot
  /** its place in the journal: the later it was asked for, the higher */
  readonly number: number
  /** papers asked for with the slip */
  readonly papers: number
  /** what it was laid out for at the last try; null before the first */
  readonly paper: PaperSize | null
}

/** A slip with the newest of its copies, in the order that `readRow` takes. Conditions follow. */
export const SELECT_SLIPS = `
  SELECT slips.number, intent_id, business_id, training, slips.state, revision, points, papers,
    customer_id, customer_name, cashier_id, cashier_name, code, url,
    requested_at, issued_at, printed_at, shown_at, slips.ended_at, note,
    file, slips.destination, slips.paper, slips.failure, batch_id, position, snapshot,
    copies, copies.state, copies.started_at, copies.destination, copies.failure
  FROM slips LEFT JOIN copies ON copies.slip = slips.number AND copies.number = slips.copies
`

/** Somebody with the name of the time. */
const person = (id: unknown, name: unknown): { id: string; name: string } | null =>
  id === null ? null : { id: text(id), name: textOrNull(name) ?? '' }

/** Reads a row of `SELECT_SLIPS`. Throws `InvalidRowError` or a `ValiError` when it is not one of the journal's. */
function readRow(columns: readonly unknown[]): JournalRow {
  // prettier-ignore
  const [
    place, intentId, businessId, training, state, revision, points, papers,
    customerId, customerName, cashierId, cashierName, code, url,
    requestedAt, issuedAt, printedAt, shownAt, endedAt, note,
    file, destination, paper, failure, batchId, position, snapshot,
    copies, copyState, copyStartedAt, copyDestination, copyFailure
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
            destination: readDestination(copyDestination),
            failure: readFailure(copyFailure)
          },
    batch: batchId === null ? null : { batchId: text(batchId), position: numberOrNull(position) ?? 0 },
    training: number(training) === 1
  }
  return {
    slip,
    businessId: text(businessId),
    snapshot: readSnapshot(snapshot),
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
    if (!Array.isArray(row)) throw new InvalidRowError('row', row)
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

/* from columns.ts:
 * Reads single columns of a database row, each of the kind that it must be. By hand, because a page of slips is read
 * each time that somebody looks: a schema over the whole row takes ten times as long as SQLite takes to find it.
 */

/** Raised by a row that is not one of the journal's. */
class InvalidRowError extends Error {
  constructor(wanted: string, found: unknown) {
    super(`A column of the journal is no ${wanted} but ${found === null ? 'NULL' : typeof found}`)
  }
}

/** A column that holds text. Throws `InvalidRowError`. */
export function text(column: unknown): string {
  if (typeof column === 'string') return column
  throw new InvalidRowError('text', column)
}

/** A column that holds text or NULL. Throws `InvalidRowError`. */
export const textOrNull = (column: unknown): string | null => (column === null ? null : text(column))

/** A column that holds a number. Throws `InvalidRowError`. */
export function number(column: unknown): number {
  if (typeof column === 'number') return column
  throw new InvalidRowError('number', column)
}

/** A column that holds a number or NULL. Throws `InvalidRowError`. */
const numberOrNull = (column: unknown): number | null => (column === null ? null : number(column))

/** A column that holds one of these words. Throws `InvalidRowError`. */
export function oneOf<Word extends string>(words: readonly Word[], column: unknown): Word {
  const found = words.find((word) => word === column)
  if (found === undefined) throw new InvalidRowError(words.join(' or '), column)
  return found
}

/** Different texts that are remembered; neighbouring rows have few. */
const MOST_TEXTS = 64

/**
 * Makes the reading of a column by a schema, which looks at each different text once: what rows keep of the business
 * and of the printer is the same for thousands of them. What comes out is shared. Throws a `ValiError`.
 */
export function reading<Schema extends v.GenericSchema>(
  schema: Schema
): (column: unknown) => v.InferOutput<Schema> {
  const known = new Map<unknown, v.InferOutput<Schema>>()
  return (column) => {
    const before = known.get(column)
    if (before !== undefined) return before
    const value = v.parse(schema, column)
    if (known.size >= MOST_TEXTS) known.clear()
    known.set(column, value)
    return value
  }
}

/** Whose slips: training and each business are kept apart. */
export interface Scope {
  readonly training: boolean
  readonly businessId: string
}

/** The scope as statements take it, in the order of the indexes. */
export const scopeValues = ({ training, businessId }: Scope): [number, string] => [
  Number(training),
  businessId
]
