/** Rows of the journal: their columns on disk, and the schemas that read them back. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import * as v from 'valibot'
import { affordableRewardsSchema } from '../../../contract/affordable-rewards.ts'
import { SLIP_STATES, type Batch, type BatchState, type Copy, type Slip } from '../../../contract/slips.ts'
import {
  INPUT_FAULTS,
  INPUT_FIELDS,
  UNKNOWN_OUTCOME_CAUSES,
  type Failure,
  type FailureKind
} from '../../../contract/failure.ts'
import { PAPER_SIZES, type PaperSize } from '../../../contract/paper.ts'
import { PRINT_FAULTS, printDestinationSchema } from '../../../contract/printing.ts'

// `satisfies` requires an entry for each kind of failure.
const plain = <Kind extends FailureKind>(kind: Kind) => v.object({ kind: v.literal(kind) })

const failureKinds = {
  offline: plain('offline'),
  timeout: plain('timeout'),
  tls: plain('tls'),
  unauthorised: plain('unauthorised'),
  forbidden: plain('forbidden'),
  'not-found': plain('not-found'),
  'points-too-many': v.object({ kind: v.literal('points-too-many'), maximum: v.number() }),
  rejected: v.object({ kind: v.literal('rejected'), status: v.number(), message: v.string() }),
  busy: v.object({ kind: v.literal('busy'), retryAfterSeconds: v.nullable(v.number()) }),
  'service-down': v.object({ kind: v.literal('service-down'), status: v.number() }),
  'bad-response': v.object({ kind: v.literal('bad-response'), path: v.string() }),
  'unknown-outcome': v.object({
    kind: v.literal('unknown-outcome'),
    cause: v.picklist(UNKNOWN_OUTCOME_CAUSES)
  }),
  'not-connected': plain('not-connected'),
  'invalid-input': v.object({
    kind: v.literal('invalid-input'),
    field: v.picklist(INPUT_FIELDS),
    fault: v.picklist(INPUT_FAULTS)
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

/** A failure as JSON. A kind of another version reads as `internal`, so that its row is not lost. */
export const failureSchema = v.fallback(
  v.pipe(v.string(), v.parseJson(), v.variant('kind', Object.values(failureKinds))),
  { kind: 'internal' }
)

/** Separates training and each business: a query never crosses a scope. */
export interface Scope {
  readonly training: boolean
  readonly businessId: string
}

/** Returns the scope as values of a statement, in the order of the indexes. */
export const scopeValues = ({ training, businessId }: Scope): [number, string] => [
  Number(training),
  businessId
]

/**
 * What a slip shows of the business, as it was at the request. Stored in the row, so that a slip printed next year,
 * after the business moved, has the same bytes.
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
  /** IANA name, checked when the row is written */
  timeZone: v.string(),
  /** BCP 47, for the grouping of points and the date */
  locale: v.string(),
  headline: v.string(),
  footer: v.string(),
  tillName: v.string(),
  /** whether the name of the customer is printed */
  customerName: v.boolean(),
  /** what the customer's balance buys once the points are collected; null: not printed */
  affordable: v.nullable(affordableRewardsSchema),
  joinUrl: v.nullable(v.string()),
  /** `logoHash` of the logo; null: none */
  logo: v.nullable(v.string())
})
export type BusinessSnapshot = v.InferOutput<typeof businessSnapshotSchema>

/** A slip with the columns that the page does not need. */
export interface JournalRow {
  readonly slip: Slip
  readonly businessId: string
  readonly snapshot: BusinessSnapshot
  /** row id; grows with each request */
  readonly number: number
  /** printouts requested with the slip, the first one included */
  readonly requestedCopies: number
  /** the paper size of the last attempt to print; null before the first */
  readonly media: PaperSize | null
  /** hash of the request of a program; null: of a person, or removed by the retention */
  readonly contentHash: string | null
}

/** What changed in a row: the state of the slip, one of its copies, or the time at which it was shown. */
export type RowChange = 'state' | 'copy' | 'shown'

/** Receives each change of the journal once it is on disk. Must not throw. */
export interface JournalListener {
  rowChanged?(row: JournalRow, change: RowChange): void
  batchStarted?(batch: Batch): void
  batchStateChanged?(batchId: string, state: BatchState, reason: Failure | null): void
  /** The journal is about to close; it can still be read. */
  closing?(): void
}

/** Thrown for a column with a value that the journal never writes. */
class InvalidRowError extends Error {
  override readonly name = 'InvalidRowError'
  constructor(expected: string, found: unknown) {
    super(`Expected ${expected} in a column of the journal, found ${found === null ? 'NULL' : typeof found}`)
  }
}

// Columns are checked by hand: a schema over the whole row takes ten times as long as SQLite takes to find it.

/** Returns a text column. Throws `InvalidRowError`. */
function text(column: unknown): string {
  if (typeof column === 'string') return column
  throw new InvalidRowError('text', column)
}

/** Returns a text column, or null. Throws `InvalidRowError`. */
const textOrNull = (column: unknown): string | null => (column === null ? null : text(column))

/** Returns a numeric column. Throws `InvalidRowError`. */
function number(column: unknown): number {
  if (typeof column === 'number') return column
  throw new InvalidRowError('a number', column)
}

const numberOrNull = (column: unknown): number | null => (column === null ? null : number(column))

/** Returns a column that holds one of `values`. Throws `InvalidRowError`. */
function oneOf<Value extends string>(values: readonly Value[], column: unknown): Value {
  const found = values.find((value) => value === column)
  if (found === undefined) throw new InvalidRowError(values.join(' or '), column)
  return found
}

const MAX_CACHED_TEXTS = 64

/**
 * Returns a parser that caches the result of each different text: neighbouring rows share their snapshot and their
 * destination. The results are shared objects. The parser throws a `ValiError`.
 */
function cachedParser<Schema extends v.GenericSchema>(
  schema: Schema
): (column: unknown) => v.InferOutput<Schema> {
  const cache = new Map<unknown, v.InferOutput<Schema>>()
  return (column) => {
    const cached = cache.get(column)
    if (cached !== undefined) return cached
    const value = v.parse(schema, column)
    if (cache.size >= MAX_CACHED_TEXTS) cache.clear()
    cache.set(column, value)
    return value
  }
}

const readSnapshot = cachedParser(v.pipe(v.string(), v.parseJson(), businessSnapshotSchema))
// A kind of another version reads as null, so that its row is not lost.
const readDestination = cachedParser(
  v.fallback(v.nullable(v.pipe(v.string(), v.parseJson(), printDestinationSchema)), null)
)
const readMedia = cachedParser(v.fallback(v.nullable(v.picklist(PAPER_SIZES)), null))
const readFailure = cachedParser(v.nullable(failureSchema))
const COPY_STATES = ['printing', 'printed', 'print-failed'] as const satisfies readonly Copy['state'][]

/** Selects slips with the newest of their copies, in the column order of `readRow`. Conditions follow. */
const SELECT_SLIPS = `
  SELECT slips.number, intent_id, business_id, training, slips.state, revision, points, requested_copies,
    customer_id, customer_name, cashier_id, cashier_name, caller_id, caller_name, reference, content_hash, code, url,
    requested_at, issued_at, printed_at, shown_at, slips.ended_at, note,
    file, slips.destination, slips.media, slips.failure, batch_id, position, snapshot,
    copies, copies.state, copies.started_at, copies.destination, copies.failure
  FROM slips LEFT JOIN copies ON copies.slip = slips.number AND copies.number = slips.copies
`

const person = (id: unknown, name: unknown): { id: string; name: string } | null =>
  id === null ? null : { id: text(id), name: textOrNull(name) ?? '' }

/** Reads a row of `SELECT_SLIPS`. Throws `InvalidRowError` or a `ValiError` for a row that the journal never writes. */
function readRow(columns: readonly unknown[]): JournalRow {
  // prettier-ignore
  const [
    rowNumber, intentId, businessId, training, state, revision, points, requestedCopies,
    customerId, customerName, cashierId, cashierName, callerId, callerName, reference, contentHash, code, url,
    requestedAt, issuedAt, printedAt, shownAt, endedAt, note,
    file, destination, media, failure, batchId, position, snapshot,
    copies, copyState, copyStartedAt, copyDestination, copyFailure
  ] = columns
  const slip: Slip = {
    intentId: text(intentId),
    state: oneOf(SLIP_STATES, state),
    revision: number(revision),
    points: number(points),
    customer: person(customerId, customerName),
    cashier: person(cashierId, cashierName),
    caller: person(callerId, callerName),
    reference: textOrNull(reference),
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
    number: number(rowNumber),
    requestedCopies: number(requestedCopies),
    media: readMedia(media),
    contentHash: textOrNull(contentHash)
  }
}

/** A prepared query of slips. Its methods throw as SQLite does, and `InvalidRowError`. */
export class SlipQuery {
  readonly #statement: StatementSync

  /** `conditions` is the statement from `WHERE` on. */
  constructor(database: DatabaseSync, conditions: string) {
    this.#statement = database.prepare(`${SELECT_SLIPS} ${conditions}`)
    // Objects with thirty named columns take longer to create than to fill.
    this.#statement.setReturnArrays(true)
  }

  first(...values: readonly SQLInputValue[]): JournalRow | null {
    const row: unknown = this.#statement.get(...values)
    return Array.isArray(row) ? readRow(row) : null
  }

  all(...values: readonly SQLInputValue[]): JournalRow[] {
    const rows: readonly unknown[] = this.#statement.all(...values)
    return rows.map((row) => {
      if (!Array.isArray(row)) throw new InvalidRowError('a row', row)
      return readRow(row)
    })
  }
}

/** Whether a receipt printer of a row of `slips` is behind a raw queue. Null for a destination of another kind. */
export const TO_RAW_QUEUE = `destination ->> '$.connection.kind' = 'raw-queue'`

/** The `slipStatus` of a row of `slips`. */
export const STATUS = `CASE
  WHEN state <> 'printed' THEN state
  WHEN destination ->> 'kind' = 'folder' THEN 'saved'
  WHEN ${TO_RAW_QUEUE} OR destination ->> '$.reportsState' = 0 THEN 'handed-over'
  ELSE 'printed' END`
