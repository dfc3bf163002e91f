/**
 * Returns: points of a purchase go back with the goods, all or in part. Only a service with the extension `returns/1` does it
 * (docs/service-extension.md). Each return is in the journal with its key before it is requested.
 */
import * as v from 'valibot'
import type { Credit } from './credits.ts'
import { referenceSchema } from './local-interface.ts'
import { operationReasonSchema, type KeyedOperation } from './operations.ts'
import { amountSchema, pointsSchema } from './points-calculation.ts'
import type { Slip } from './slips.ts'

export const RETURN_STATES = [
  /** on disk, and being sent; no answer yet */
  'requested',
  /** the points went back */
  'returned',
  /** nothing was changed; see `failure` */
  'refused',
  /** the answer was lost: it may be done. The till asks again with the same key */
  'unknown',
  /** unknown, and a manager ended it: the till does not ask any more */
  'discarded'
] as const

/** One return of the journal, as the page sees it. `customer`: of the purchase, as far as the till knew. */
export interface Return extends KeyedOperation<(typeof RETURN_STATES)[number]> {
  /** that went back; null before the answer */
  readonly points: number | null
  /** of the purchase, that did not go back yet; null before the answer */
  readonly remaining: number | null
  /** that the purchase gave; null before the answer, or if it does not say so */
  readonly given: number | null
  /** what became of the code; null: of a credit, or before the answer */
  readonly codeStatus: 'active' | 'cancelled' | 'used' | null
}

const code = v.pipe(v.string(), v.nonEmpty(), v.maxLength(500))

/** What names a purchase: its code, the credit of this till, or the reference of its bill. */
const purchaseSchema = v.variant('by', [
  v.strictObject({ by: v.literal('code'), code }),
  v.strictObject({ by: v.literal('credit'), intentId: v.pipe(v.string(), v.uuid()) }),
  v.strictObject({ by: v.literal('reference'), reference: referenceSchema })
])
export type ReturnedPurchase = Readonly<v.InferOutput<typeof purchaseSchema>>

/** Above zero. */
const amount = v.pipe(amountSchema, v.regex(/[1-9]/))

/** What goes back: points, goods by the amounts of the bill, of which the service makes points, or all that remains. */
const returnedPartSchema = v.union([
  v.strictObject({ points: pointsSchema }),
  v.strictObject({ amount: v.strictObject({ returned: amount, total: amount }) }),
  v.strictObject({ rest: v.literal(true) })
])
export type PartTakenBack = Readonly<v.InferOutput<typeof returnedPartSchema>>

/** All of it. The service knows how much remains: another till may have taken a part. */
export const THE_REST: PartTakenBack = { rest: true }

/** What the page sends to take points back. */
export const returnRequestSchema = v.strictObject({
  /** a second call with it does nothing more */
  intentId: v.pipe(v.string(), v.uuid()),
  purchase: purchaseSchema,
  part: returnedPartSchema,
  /** the customer of the purchase, as shown; null: none */
  customer: v.nullable(
    v.strictObject({
      id: v.pipe(v.string(), v.nonEmpty(), v.maxLength(500)),
      name: v.pipe(v.string(), v.maxLength(500))
    })
  ),
  /** points that go back at most, as far as this till knows; null: not known */
  atMost: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0))),
  reason: operationReasonSchema
})
export type TakeBackRequest = Readonly<v.InferOutput<typeof returnRequestSchema>>

/** How this till takes points back. */
export const returnSettingsSchema = v.strictObject({
  /** whether the customer gets a slip without a code, as with redemptions */
  slip: v.boolean()
})
export type ReturnSettings = Readonly<v.InferOutput<typeof returnSettingsSchema>>

export const DEFAULT_RETURN_SETTINGS: ReturnSettings = { slip: false }

/** Returns the points of a purchase that did not go back, as far as this till knows. */
export const remainingPoints = ({ points, remaining }: Pick<Slip | Credit, 'points' | 'remaining'>): number =>
  remaining ?? points
