/** What the operations with a key have in common: parts of their bodies, the key, and how a refusal is answered. */
import * as v from 'valibot'
import { MAX_POINTS } from '../../contract/points-calculation.ts'
import { MAX_CASHIER_NUMBER } from '../../contract/staff.ts'
import { billSchema } from '../domain/bills.ts'
import { Refusal, type RefusalReason } from '../domain/refusal.ts'
import type { KeyedCreditRequest } from '../store/credits.ts'
import type { SaleDetails } from '../store/ledger.ts'
import type { ServiceMessageKey } from './messages.ts'
import { HttpError } from './responses.ts'
import type { ApiEnvironment } from './routes.ts'

/** A text in a body. PostgreSQL holds none with a NUL character. */
const text = (maxLength: number) =>
  v.pipe(
    v.string('body-malformed'),
    v.maxLength(maxLength, 'body-malformed'),
    v.excludes('\0', 'body-malformed')
  )

/** A whole number in a body. */
export const whole = (most: number) =>
  v.pipe(
    v.number('body-malformed'),
    v.integer('body-malformed'),
    v.minValue(1, 'body-malformed'),
    v.maxValue(most, 'body-malformed')
  )

/** An identifier in a body. */
export const identifier = v.pipe(text(100), v.nonEmpty('body-malformed'))

/** Points that are given. */
export const points = whole(MAX_POINTS)

const orNull = <Schema extends v.GenericSchema>(schema: Schema) => v.optional(v.nullable(schema), null)

/** Who used the till. */
export const cashier = orNull(
  v.object({ number: whole(MAX_CASHIER_NUMBER), name: identifier }, 'body-malformed')
)

/** What a till says of the sale. */
export const saleEntries = { reference: orNull(identifier), cashier }

/** What a till calculated the points with. It is not part of what a key stands for: a till that asks again may not know it. */
export const calculationEntries = { rules: orNull(whole(Number.MAX_SAFE_INTEGER)), bill: orNull(billSchema) }

interface AskedSale extends Pick<SaleDetails, 'reference' | 'cashier'> {
  readonly rules: number | null
  readonly bill: object | null
}

/** Returns what a body says of its sale. */
export const saleOf = ({ reference, cashier, rules, bill }: AskedSale): SaleDetails => ({
  ...{ reference, cashier, rules },
  bill: bill === null ? null : JSON.stringify(bill)
})

/** Why something is undone. */
export const reason = orNull(text(500))

/** The body that undoes an operation. */
export const reversalSchema = v.object({ reason, cashier }, 'body-malformed')

interface CallerContext {
  readonly req: { header: (name: string) => string | undefined }
  get: (name: 'caller') => ApiEnvironment['Variables']['caller']
}

/** What every operation with a key is asked with: its business, its till and the key. Throws 400 for a malformed key. */
export const keyedRequestOf = (
  c: CallerContext
): Pick<KeyedCreditRequest, 'business' | 'by' | 'till' | 'idempotencyKey'> => {
  const idempotencyKey = c.req.header('idempotency-key') ?? ''
  if (!/^[\x21-\x7e]{8,100}$/.test(idempotencyKey)) throw new HttpError(400, 'idempotency-key-malformed')
  const { business: key, till, ...business } = c.get('caller')
  return { business: { key, ...business }, by: `till:${till}`, till, idempotencyKey }
}

/** How the refusals of an operation are answered. */
export type RefusalAnswers = Partial<
  Readonly<Record<RefusalReason, readonly [404 | 409 | 422, ServiceMessageKey]>>
>

const SHARED: RefusalAnswers = {
  'customer-unknown': [404, 'customer-unknown'],
  'points-too-few': [409, 'points-too-few'],
  'reversal-too-late': [409, 'reversal-too-late'],
  'points-expired': [409, 'reversal-too-late'],
  'purchase-returned': [409, 'purchase-returned'],
  'key-reused': [422, 'idempotency-key-reused']
}

/** Resolves as an operation does. Rejects with an `HttpError` for what it refuses. */
export const refused = async <Value>(work: Promise<Value>, answers: RefusalAnswers): Promise<Value> => {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const answer = { ...SHARED, ...answers }[error.reason]
    throw answer === undefined ? error : new HttpError(...answer, error.details)
  }
}
