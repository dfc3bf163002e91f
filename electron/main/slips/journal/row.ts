/** A row of the journal as it is kept on disk, with the schemas that read it back. */
import * as v from 'valibot'
import type { Failure } from '../../../contract/failure.ts'
import { SLIP_STATES, type Slip } from '../../../contract/till.ts'
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
  locale: v.string()
})
export type Face = v.InferOutput<typeof faceSchema>

const textOrNull = v.nullable(v.string())

/** A row as the database gives it: JSON columns are parsed here, so that what comes out can be trusted. */
export const rowSchema = v.object({
  number: v.number(),
  intent_id: v.string(),
  business_id: v.string(),
  practice: v.pipe(
    v.number(),
    v.transform((flag) => flag === 1)
  ),
  state: v.picklist(SLIP_STATES),
  points: v.number(),
  customer_id: textOrNull,
  customer_name: textOrNull,
  code: textOrNull,
  url: textOrNull,
  requested_at: v.string(),
  issued_at: textOrNull,
  printed_at: textOrNull,
  file: textOrNull,
  failure: v.nullable(failureSchema),
  face: v.pipe(v.string(), v.parseJson(), faceSchema)
})

/** One slip with what the page need not know. */
export interface JournalRow {
  readonly slip: Slip
  readonly businessId: string
  readonly face: Face
}

/** Reads a database row; throws a `ValiError` when it is not one of the journal's. */
export function readRow(columns: unknown): JournalRow {
  const row = v.parse(rowSchema, columns)
  const failure: Failure | null = row.failure
  return {
    businessId: row.business_id,
    face: row.face,
    slip: {
      intentId: row.intent_id,
      state: row.state,
      points: row.points,
      customer: row.customer_id === null ? null : { id: row.customer_id, name: row.customer_name ?? '' },
      code: row.code,
      url: row.url,
      requestedAt: row.requested_at,
      issuedAt: row.issued_at,
      printedAt: row.printed_at,
      file: row.file,
      revision: 0,
      destination: null,
      ending: null,
      copies: 0,
      lastCopy: null,
      batch: null,
      failure,
      practice: row.practice
    }
  }
}
