/**
 * Redemptions: a customer spends points on a reward at this till. Only a service with the extension `redemptions/1` offers
 * it (docs/service-extension.md): `Account.extensions` says so. Each redemption is in the journal with its key before it is
 * requested, and a request whose answer was lost is sent again with the same key, so that nothing is redeemed twice.
 */
import * as v from 'valibot'
import type { Failure } from './failure.ts'
import type { Account } from './loyalty.ts'
import { operationReasonSchema } from './operations.ts'

/** Returns whether the service redeems rewards. Known offline too: from the last profile that was read. */
export const offersRedemptions = (business: Pick<Account, 'extensions'> | null): boolean =>
  business?.extensions.includes('redemptions/1') ?? false

/** Returns whether the service tells which codes were collected; known as `offersRedemptions` is. */
export const tellsCollections = (business: Pick<Account, 'extensions'>): boolean =>
  business.extensions.includes('collections/1')

export const REDEMPTION_STATES = [
  /** on disk, and being sent; no answer yet */
  'requested',
  /** the service took the points */
  'redeemed',
  /** nothing was taken; see `failure` */
  'refused',
  /** the answer was lost: the points may be taken. The till asks again with the same key */
  'unknown',
  /** redeemed; the undo is being sent */
  'undo-requested',
  /** redeemed, and the answer to the undo was lost. The till asks again with the same key */
  'undo-unknown',
  /** the customer has the points again */
  'undone',
  /** unknown, and a manager ended it: the till does not ask any more */
  'discarded'
] as const
export type RedemptionState = (typeof REDEMPTION_STATES)[number]

/** The states of a lost answer, which the till asks for again. */
export const REDEMPTION_ATTENTION_STATES = [
  'unknown',
  'undo-unknown'
] as const satisfies readonly RedemptionState[]

/**
 * Returns whether a manager can try to undo it now; the service decides. A till whose clock is ahead of the service's counts
 * the time since its own request.
 * @param now of the till's clock
 */
export const canUndo = (
  {
    state,
    requestedAt,
    redeemedAt,
    reversibleUntil
  }: Pick<Redemption, 'state' | 'requestedAt' | 'redeemedAt' | 'reversibleUntil'>,
  now: Date
): boolean => {
  if (state !== 'redeemed' || reversibleUntil === null) return state === 'redeemed'
  const until = Date.parse(reversibleUntil)
  const allowedMs = until - Date.parse(redeemedAt ?? reversibleUntil)
  return now.getTime() <= Math.max(until, Date.parse(requestedAt) + allowedMs)
}

/** One redemption of the journal, as the page sees it. */
export interface Redemption {
  /** made by the page when the confirmation opens; also the key of the request */
  readonly intentId: string
  readonly state: RedemptionState
  /** incremented with each change */
  readonly revision: number
  /** null: removed by the retention, or forgotten */
  readonly customer: { readonly id: string; readonly name: string } | null
  readonly reward: { readonly id: string; readonly name: string }
  /** points */
  readonly cost: number
  /** points as the cashier saw them before; null: not known */
  readonly balanceBefore: number | null
  /** points as the service answered last, after redeeming or after the undo; null before the answer, or if it has none */
  readonly balance: number | null
  /** who redeemed, with the name at that time; null: none */
  readonly cashier: { readonly id: string; readonly name: string } | null
  /** the program that requested it over the local interface; null: a person did */
  readonly caller: { readonly id: string; readonly name: string } | null
  /** of the bill, from the local interface; null: none, or removed by the retention */
  readonly reference: string | null
  /** ISO 8601, UTC */
  readonly requestedAt: string
  /** by the service's clock; null until it answered */
  readonly redeemedAt: string | null
  /** until when the service undoes it; null: not known */
  readonly reversibleUntil: string | null
  /** the last undo that was requested; `cashier`: who was serving. null: none */
  readonly undo: {
    readonly requestedAt: string
    readonly reason: string
    readonly cashier: { readonly id: string; readonly name: string } | null
  } | null
  /** by the service's clock; null unless it is undone */
  readonly undoneAt: string | null
  /** why it was refused or is unknown, or, when it is `redeemed`, why the last undo was refused */
  readonly failure: Failure | null
  /** when and why a manager discarded it */
  readonly ending: { readonly at: string; readonly note: string } | null
  readonly training: boolean
}

const text = (maxLength: number) => v.pipe(v.string(), v.maxLength(maxLength))
const id = v.pipe(text(500), v.nonEmpty())
const balance = v.nullable(v.pipe(v.number(), v.finite()))

/** What the page sends to redeem: the customer and the reward as they are shown. */
export const redeemRequestSchema = v.strictObject({
  /** made when the confirmation opens; a second call with it redeems nothing more */
  intentId: v.pipe(v.string(), v.uuid()),
  customer: v.strictObject({ id, name: text(500) }),
  reward: v.strictObject({ id, name: text(500) }),
  /** points as they are shown: another price is refused with `price-changed` */
  cost: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(Number.MAX_SAFE_INTEGER)),
  /** points before, as they are shown; null: not known */
  balanceBefore: balance
})
export type RedeemRequest = Readonly<v.InferOutput<typeof redeemRequestSchema>>

/** A redemption and why it is undone. */
export const redemptionReasonSchema = v.strictObject({
  intentId: v.pipe(v.string(), v.uuid()),
  reason: operationReasonSchema
})
export type RedemptionReason = Readonly<v.InferOutput<typeof redemptionReasonSchema>>

/** How this till redeems. */
export const redemptionSettingsSchema = v.strictObject({
  /** whether cashiers may redeem; false: a manager only */
  byCashiers: v.boolean(),
  /** whether the customer gets a printed confirmation; the page asks for it with `bridge.redemptions.print` */
  slip: v.boolean()
})
export type RedemptionSettings = Readonly<v.InferOutput<typeof redemptionSettingsSchema>>

export const DEFAULT_REDEMPTION_SETTINGS: RedemptionSettings = { byCashiers: true, slip: false }
