/** Rows of the journal: their columns on disk, and the schemas that read them back. */
import { calculationSchema, type Calculation } from '../../contract/points-calculation.ts'
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import * as v from 'valibot'
import { affordableRewardsSchema } from '../../contract/affordable-rewards.ts'
import { slipExpirySchema } from '../../contract/earning-rules.ts'
import {
  ATTENTION_STATES,
  NOT_SENT_FAILURES,
  SLIP_STATES,
  type Copy,
  type Slip
} from '../../contract/slips.ts'
import { OFFLINE_REFUSALS } from '../../contract/offline.ts'
import { failureSchema } from '../../contract/failure.ts'
import { PAPER_SIZES, type PaperSize } from '../../contract/paper.ts'
import { printDestinationSchema } from '../../contract/printing.ts'
import type { ServingCashier } from '../../contract/staff.ts'
import { RETURN_OF_PURCHASE } from './schema.ts'

/** A failure as JSON. A kind of another version reads as `internal`, so that its row is not lost. */
export const storedFailureSchema = v.fallback(
  v.pipe(
    v.string(),
    // In 0.1.0 only redemptions were refused by name.
    v.transform((text) => text.replace('"redemption-refused"', '"operation-refused"')),
    v.parseJson(),
    failureSchema
  ),
  { kind: 'internal' }
)

/** Separates training and each business: a query never crosses a scope. */
export interface Scope {
  readonly training: boolean
  /** `Session.journalBusinessId` */
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
  /** when the points end; null: not printed */
  expiry: v.optional(v.nullable(slipExpirySchema), null),
  joinUrl: v.nullable(v.string()),
  /** SHA-256 of the logo's bytes, its key in the journal; null: none */
  logo: v.nullable(v.string())
})
export type BusinessSnapshot = v.InferOutput<typeof businessSnapshotSchema>

export interface Person {
  readonly id: string
  readonly name: string
}

/** Whom a request is for, and who makes it. */
export interface Requester {
  readonly customer: Person | null
  readonly cashier: ServingCashier | null
  /** null: a person requests it; `contentHash`: of its content, the reference excluded */
  readonly program: { readonly caller: Person; readonly contentHash: string } | null
}

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
  /** whether its code is asked for with its intent id as key: see `canAskAgain` */
  readonly keyed: boolean
  /** of the cashier; null: none, or of a row from before there were numbers */
  readonly cashierNumber: number | null
  /** by the shop's rules; null: the points were typed, or are by another rule */
  readonly calculation: Calculation | null
}

/** The service forgets keys after 400 days: an older one would be a new request. */
export const MAX_KEY_AGE_MS = 365 * 24 * 60 * 60_000

/** Returns whether the answer was lost, and asking again with the key gives it. */
export const canAskAgain = ({ slip, keyed }: Pick<JournalRow, 'slip' | 'keyed'>, now: Date): boolean =>
  keyed && slip.state === 'unknown' && now.getTime() - Date.parse(slip.requestedAt) <= MAX_KEY_AGE_MS

/** What changed in a row: the state of the slip, one of its copies, when it was shown, its points: collected, or returned, or its report. */
export type RowChange = 'state' | 'copy' | 'shown' | 'collected' | 'reported'

const COPY_STATES = ['printing', 'printed', 'print-failed'] as const satisfies readonly Copy['state'][]

const text = v.nullable(v.string())

/** The columns of whom a row is for, and who requested it. */
export const peopleColumns = {
  customer_id: text,
  customer_name: text,
  cashier_id: text,
  cashier_name: text,
  caller_id: text,
  caller_name: text
}

/** Returns a person of two columns; null without an id. */
const person = (id: string | null, name: string | null): Person | null =>
  id === null ? null : { id, name: name ?? '' }

/** Reads `peopleColumns`. */
export const readPeople = (row: { readonly [Column in keyof typeof peopleColumns]: string | null }) => ({
  customer: person(row.customer_id, row.customer_name),
  cashier: person(row.cashier_id, row.cashier_name),
  caller: person(row.caller_id, row.caller_name)
})

/** Returns the values of `peopleColumns` and `content_hash` for a statement. */
export const peopleValues = ({ customer, cashier, program }: Requester) => ({
  customerId: customer?.id ?? null,
  customerName: customer?.name ?? null,
  cashierId: cashier?.id ?? null,
  cashierName: cashier?.name ?? null,
  cashierNumber: cashier?.number ?? null,
  callerId: program?.caller.id ?? null,
  callerName: program?.caller.name ?? null,
  contentHash: program?.contentHash ?? null
})

// A kind of another version reads as null, so that its row is not lost.
const destinationSchema = v.fallback(
  v.nullable(v.pipe(v.string(), v.parseJson(), printDestinationSchema)),
  null
)

/** The columns of `SELECT_SLIPS`. */
const columnsSchema = v.object({
  number: v.number(),
  intent_id: v.string(),
  business_id: v.string(),
  training: v.number(),
  state: v.picklist(SLIP_STATES),
  revision: v.number(),
  points: v.number(),
  remaining: v.nullable(v.number()),
  requested_copies: v.number(),
  ...peopleColumns,
  reference: text,
  content_hash: text,
  code: text,
  url: text,
  requested_at: v.string(),
  issued_at: text,
  expires_at: text,
  printed_at: text,
  shown_at: text,
  returned: v.number(),
  collected_at: text,
  taken_back_at: text,
  ended_at: text,
  note: text,
  file: text,
  destination: destinationSchema,
  media: v.fallback(v.nullable(v.picklist(PAPER_SIZES)), null),
  failure: v.nullable(storedFailureSchema),
  batch_id: text,
  position: v.nullable(v.number()),
  keyed: v.number(),
  cashier_number: v.nullable(v.number()),
  calculation: v.nullable(v.pipe(v.string(), v.parseJson(), calculationSchema)),
  offline_day: text,
  reported_at: text,
  refusal: v.fallback(v.nullable(v.picklist(OFFLINE_REFUSALS)), 'key-unknown'),
  snapshot: v.pipe(v.string(), v.parseJson(), businessSnapshotSchema),
  copies: v.number(),
  copy_state: v.nullable(v.picklist(COPY_STATES)),
  copy_started_at: text,
  copy_destination: destinationSchema,
  copy_failure: v.nullable(storedFailureSchema)
})

/**
 * Selects slips with the newest of their copies. Conditions follow. The `+` is for the index of the returns: the affinity of a
 * column would be applied to its expression first (sqlite.org/datatype3.html#type_conversions_prior_to_comparison).
 */
const SELECT_SLIPS = `
  SELECT slips.*, copies.state AS copy_state, copies.started_at AS copy_started_at,
    copies.destination AS copy_destination, copies.failure AS copy_failure,
    (SELECT min(answer ->> 'remaining') FROM operations
     WHERE ${RETURN_OF_PURCHASE} = +slips.code AND operations.state = 'done') AS remaining
  FROM slips LEFT JOIN copies ON copies.slip = slips.number AND copies.number = slips.copies
`

/** Returns `moment` unless `other` is later. */
const lastOf = (moment: string | null, other: string | null): string | null =>
  moment !== null && (other === null || moment >= other) ? moment : null

/** Reads a row of `SELECT_SLIPS`. Throws a `ValiError` for a row that the journal never writes. */
function readRow(columns: unknown): JournalRow {
  const row = v.parse(columnsSchema, columns)
  return {
    slip: {
      intentId: row.intent_id,
      state: row.state,
      revision: row.revision,
      points: row.points,
      remaining: row.remaining,
      ...readPeople(row),
      reference: row.reference,
      code: row.code,
      url: row.url,
      requestedAt: row.requested_at,
      issuedAt: row.issued_at,
      expiresAt: row.expires_at,
      printedAt: row.printed_at,
      shownAt: row.shown_at,
      returned: row.returned === 1,
      offline: row.offline_day === null ? null : { reportedAt: row.reported_at, refusal: row.refusal },
      collectedAt: row.collected_at,
      takenBackAt: lastOf(row.taken_back_at, row.collected_at),
      file: row.file,
      destination: row.destination,
      failure: row.failure,
      ending: row.ended_at === null ? null : { at: row.ended_at, note: row.note ?? '' },
      copies: row.copies,
      lastCopy: row.copy_state && {
        number: row.copies,
        state: row.copy_state,
        startedAt: row.copy_started_at ?? '',
        destination: row.copy_destination,
        failure: row.copy_failure
      },
      batch: row.batch_id === null ? null : { batchId: row.batch_id, position: row.position ?? 0 },
      training: row.training === 1
    },
    businessId: row.business_id,
    snapshot: row.snapshot,
    number: row.number,
    requestedCopies: row.requested_copies,
    media: row.media,
    contentHash: row.content_hash,
    keyed: row.keyed === 1,
    cashierNumber: row.cashier_number,
    calculation: row.calculation
  }
}

/** A prepared query of slips. Its methods throw as SQLite does, and `ValiError`. */
export class SlipQuery {
  readonly #statement: StatementSync

  /** `conditions` is the statement from `WHERE` on. */
  constructor(database: DatabaseSync, conditions: string) {
    this.#statement = database.prepare(`${SELECT_SLIPS} ${conditions}`)
  }

  first(...values: readonly SQLInputValue[]): JournalRow | null {
    const columns = this.#statement.get(...values)
    return columns === undefined ? null : readRow(columns)
  }

  all(...values: readonly SQLInputValue[]): JournalRow[] {
    return this.#statement.all(...values).map(readRow)
  }
}

/** Whether a receipt printer of a row of `slips` is behind a raw queue. Null for a destination of another kind. */
export const TO_RAW_QUEUE = `destination ->> '$.connection.kind' = 'raw-queue'`

/** A row of `slips` that waits for a person: what a batch has issued waits for its print job, until it stops. */
export const IS_WAITING = `(slips.state IN (${ATTENTION_STATES.map((state) => `'${state}'`).join(', ')})
  AND (slips.state <> 'issued' OR NOT EXISTS (SELECT 1 FROM batches
    WHERE batches.batch_id = slips.batch_id AND batches.state IN ('running', 'paused'))))`

/** A row of `slips` that `isWorthless`. */
export const IS_WORTHLESS = `(slips.refusal IS NOT NULL AND slips.state IN ('printed', 'shown', 'given'))`

/** The state of a row of `slips`, with `not-sent` as `isNotSent` says. */
export const SEARCHED_STATE = `CASE
  WHEN state = 'refused'
    AND failure ->> 'kind' IN (${NOT_SENT_FAILURES.map((kind) => `'${kind}'`).join(', ')}) THEN 'not-sent'
  ELSE state END`

/** The `slipStatus` of a row of `slips`. */
export const STATUS = `CASE
  WHEN state = 'given' AND returned = 1 THEN 'on-receipt'
  WHEN state <> 'printed' THEN ${SEARCHED_STATE}
  WHEN destination ->> 'kind' = 'folder' THEN 'saved'
  WHEN ${TO_RAW_QUEUE} OR destination ->> '$.reportsState' = 0 THEN 'handed-over'
  ELSE 'printed' END`

/** Returns whether a row is of another request with its reference. The retention removes the hash of old rows. */
export const hasOtherContent = (row: Pick<JournalRow, 'contentHash'>, contentHash: string): boolean =>
  row.contentHash !== null && row.contentHash !== contentHash
