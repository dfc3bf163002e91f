/** A row of the journal as it is kept on disk, with the schemas that read it back. */
import * as v from 'valibot'
import { PAPERS, printDestinationSchema, type PaperName } from '../../../contract/printing.ts'
import { SLIP_STATES, type Copy, type Slip } from '../../../contract/till.ts'
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

const textOrNull = v.nullable(v.string())
const numberOrNull = v.nullable(v.number())
/** A destination of another version's kinds reads as none: the row is not lost. */
const destination = v.fallback(v.nullable(v.pipe(v.string(), v.parseJson(), printDestinationSchema)), null)

/** A row as `SELECT_SLIPS` gives it: JSON columns are parsed here, so that what comes out can be trusted. */
export const rowSchema = v.object({
  number: v.number(),
  intent_id: v.string(),
  business_id: v.string(),
  practice: v.pipe(
    v.number(),
    v.transform((flag) => flag === 1)
  ),
  state: v.picklist(SLIP_STATES),
  revision: v.number(),
  points: v.number(),
  papers: v.number(),
  customer_id: textOrNull,
  customer_name: textOrNull,
  cashier_id: textOrNull,
  cashier_name: textOrNull,
  code: textOrNull,
  url: textOrNull,
  requested_at: v.string(),
  issued_at: textOrNull,
  printed_at: textOrNull,
  shown_at: textOrNull,
  ended_at: textOrNull,
  note: textOrNull,
  file: textOrNull,
  destination,
  paper: v.fallback(v.nullable(v.picklist(PAPERS)), null),
  failure: v.nullable(failureSchema),
  copies: v.number(),
  copy_state: v.nullable(v.picklist(['printing', 'printed', 'print-failed'])),
  copy_started_at: textOrNull,
  copy_failure: v.nullable(failureSchema),
  batch_id: textOrNull,
  position: numberOrNull,
  face: v.pipe(v.string(), v.parseJson(), faceSchema)
})

/** A slip with the newest of its copies: what `readRow` takes. Add conditions on `slips`. */
export const SELECT_SLIPS = `
  SELECT slips.*, copies.state AS copy_state, copies.started_at AS copy_started_at, copies.failure AS copy_failure
  FROM slips LEFT JOIN copies ON copies.slip = slips.number AND copies.number = slips.copies
`

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

type Row = v.InferOutput<typeof rowSchema>

const copyOf = (row: Row): Copy | null =>
  row.copy_state === null
    ? null
    : {
        number: row.copies,
        state: row.copy_state,
        startedAt: row.copy_started_at ?? row.requested_at,
        failure: row.copy_failure
      }

/** Reads a database row; throws a `ValiError` when it is not one of the journal's. */
export function readRow(columns: unknown): JournalRow {
  const row = v.parse(rowSchema, columns)
  return {
    businessId: row.business_id,
    face: row.face,
    number: row.number,
    papers: row.papers,
    paper: row.paper,
    slip: {
      intentId: row.intent_id,
      state: row.state,
      revision: row.revision,
      points: row.points,
      customer: row.customer_id === null ? null : { id: row.customer_id, name: row.customer_name ?? '' },
      cashier: row.cashier_id === null ? null : { id: row.cashier_id, name: row.cashier_name ?? '' },
      code: row.code,
      url: row.url,
      requestedAt: row.requested_at,
      issuedAt: row.issued_at,
      printedAt: row.printed_at,
      shownAt: row.shown_at,
      file: row.file,
      destination: row.destination,
      failure: row.failure,
      ending: row.ended_at === null ? null : { at: row.ended_at, note: row.note ?? '' },
      copies: row.copies,
      lastCopy: copyOf(row),
      batch: row.batch_id === null ? null : { batchId: row.batch_id, position: row.position ?? 0 },
      practice: row.practice
    }
  }
}
