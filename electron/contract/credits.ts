/**
 * Credits: a customer whom the till knows gets points at once, without a code. Only a service with the extension `credits/1`
 * does it (docs/service-extension.md). Each credit is in the journal with its key before it is requested, and a request whose
 * answer was lost is sent again with the same key, so that nothing is credited twice.
 */
import * as v from 'valibot'
import { referenceSchema } from './local-interface.ts'
import { operationEntries, undoableStates, type UndoableOperation } from './operations.ts'
import { calculationSchema, pointsSchema } from './points-calculation.ts'

export const CREDIT_STATES = undoableStates('credited')

/** One credit of the journal, as the page sees it. */
export interface Credit extends UndoableOperation<'credited'> {
  readonly points: number
  /** of them, what was left when points went back at this till last; null: none went back */
  readonly remaining: number | null
}

/** What the page sends to credit points. */
export const creditRequestSchema = v.strictObject({
  ...operationEntries,
  points: pointsSchema,
  /** of the bill of another program; null: none */
  reference: v.nullable(referenceSchema),
  /** by the shop's rules; none: the points were typed, or are by another rule */
  calculation: v.exactOptional(calculationSchema),
  /** a manager's approval, which the service needs above the shop's limit of a day */
  isApproved: v.optional(v.boolean(), false)
})
export type CreditRequest = Readonly<v.InferInput<typeof creditRequestSchema>>

/** How known customers get points: credited, on a slip with a code, or as the cashier switches for each sale. */
export const KNOWN_CUSTOMER_WAYS = ['credit', 'slip', 'cashier'] as const
export type KnownCustomerWay = (typeof KNOWN_CUSTOMER_WAYS)[number]

/** How this till credits points. */
export const creditSettingsSchema = v.strictObject({
  knownCustomers: v.picklist(KNOWN_CUSTOMER_WAYS),
  /** whether the customer gets a slip without a code, as with redemptions; a till of an older version had none */
  slip: v.optional(v.boolean(), false)
})
export type CreditSettings = Readonly<v.InferOutput<typeof creditSettingsSchema>>

/** As before the service credited points: an update changes nothing of what *Enter* does. */
export const DEFAULT_CREDIT_SETTINGS: CreditSettings = { knownCustomers: 'slip', slip: false }
