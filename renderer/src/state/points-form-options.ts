/** What the points form depends on, and what it sends. */
import type { KnownCustomerWay } from '../../../electron/contract/credits.ts'
import type { LinkedBill } from '../../../electron/contract/local-interface.ts'
import type { Customer } from '../../../electron/contract/loyalty.ts'
import type { EarningRule, Calculation } from '../../../electron/contract/points-calculation.ts'
import type { CheckoutDraft } from '../../../electron/contract/till.ts'

/** How points reach a customer: credited without a code, or on a slip with one. */
export type PointsWay = CheckoutDraft['way']

/**
 * One request to issue a slip or to credit points. It is separate from the form, which may have changed when the response arrives.
 */
export interface PointsRequest {
  readonly intentId: string
  readonly way: PointsWay
  readonly points: number
  readonly customer: Customer | null
  /** number of printed copies; null for the number in the settings */
  readonly copies: number | null
  /** by the shop's rules; null: the points were typed, or are by another rule */
  readonly calculation: Calculation | null
  /** the bill of another program */
  readonly linkedBill: LinkedBill | null
  /** the number of edits at that time */
  readonly edits: number
}

/** The settings that the form depends on. */
export interface PointsFormOptions {
  /** the rule to calculate points from a bill, or null */
  readonly rule: () => EarningRule | null
  /** whether that is one of the shop's, by which customers have a standing */
  readonly hasShopRules: () => boolean
  /** whether the customer is cleared after each slip */
  readonly clearCustomer: () => boolean
  /** how known customers get points; `slip` with a service that credits none */
  readonly knownCustomers: () => KnownCustomerWay
  /** whether a credited customer gets a slip without a code */
  readonly printsCredit: () => boolean
  /** whether the service tells the lost answer of a slip when it is asked again */
  readonly asksAgain: () => boolean
  /** whether nothing can be credited now, and slips are made without a connection */
  readonly creditsWait: () => boolean
}

/** The options of a new till. */
export const DEFAULT_POINTS_FORM_OPTIONS: PointsFormOptions = {
  rule: () => null,
  hasShopRules: () => false,
  clearCustomer: () => true,
  knownCustomers: () => 'slip',
  printsCredit: () => false,
  asksAgain: () => false,
  creditsWait: () => false
}
