/**
 * Redemptions: a customer spends points on a reward at this till. Only a service with the extension `redemptions/1` offers
 * it (docs/service-extension.md): `Account.extensions` says so. Each redemption is in the journal with its key before it is
 * requested, and a request whose answer was lost is sent again with the same key, so that nothing is redeemed twice.
 */
import * as v from 'valibot'
import type { Account } from './loyalty.ts'
import { offers, operationEntries, undoableStates, type UndoableOperation } from './operations.ts'

/** Returns whether the service tells which codes were collected. */
export const tellsCollections = (business: Pick<Account, 'extensions'>): boolean =>
  offers(business, 'collections/1')

export const REDEMPTION_STATES = undoableStates('redeemed')
export type RedemptionState = (typeof REDEMPTION_STATES)[number]

/** The states of a lost answer, which the till asks for again. */
export const REDEMPTION_ATTENTION_STATES = [
  'unknown',
  'undo-unknown'
] as const satisfies readonly RedemptionState[]

/** One redemption of the journal, as the page sees it. */
export interface Redemption extends UndoableOperation<'redeemed'> {
  readonly reward: { readonly id: string; readonly name: string }
  /** points */
  readonly cost: number
}

const text = v.pipe(v.string(), v.maxLength(500))

/** What the page sends to redeem: the customer and the reward as they are shown. */
export const redeemRequestSchema = v.strictObject({
  ...operationEntries,
  reward: v.strictObject({ id: v.pipe(text, v.nonEmpty()), name: text }),
  /** points as they are shown: another price is refused with `price-changed` */
  cost: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(Number.MAX_SAFE_INTEGER))
})
export type RedeemRequest = Readonly<v.InferOutput<typeof redeemRequestSchema>>

/** How this till redeems. */
export const redemptionSettingsSchema = v.strictObject({
  /** whether cashiers may redeem; false: a manager only */
  byCashiers: v.boolean(),
  /** whether the customer gets a printed confirmation; the page asks for it with `bridge.operations.print` */
  slip: v.boolean()
})
export type RedemptionSettings = Readonly<v.InferOutput<typeof redemptionSettingsSchema>>

export const DEFAULT_REDEMPTION_SETTINGS: RedemptionSettings = { byCashiers: true, slip: false }
