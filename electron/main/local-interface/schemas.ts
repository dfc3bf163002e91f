/** The bodies of responses as schemas, of which the OpenAPI document is made. Those of requests are in `request-bodies.ts`. */
import * as v from 'valibot'
import { CREDIT_STATES } from '../../contract/credits.ts'
import { REDEMPTION_STATES } from '../../contract/redemptions.ts'
import { RETURN_STATES } from '../../contract/returns.ts'
import type { SlipStatus } from '../../contract/slips.ts'

/** Adds a description for the OpenAPI document. */
export const described = <Schema extends v.GenericSchema>(schema: Schema, description: string) =>
  v.pipe(schema, v.description(description))

/** What each state of a slip means. */
const SLIP_STATUS_MEANINGS = {
  requested: 'sent to the service; no response yet',
  issued: 'there is a code, and nothing was printed yet',
  printing: 'the print job runs',
  printed: 'printed',
  saved: 'saved as a PDF: the till has no printer',
  'handed-over': 'handed to a print queue or a printer that does not say whether it was printed',
  'print-failed': 'not printed; the code is valid, and a person at the till can print it',
  unknown: 'the response was lost: a person at the till decides, nothing was handed over',
  refused: 'no code was made',
  'not-sent': 'the service was not reached, and no code was made: the same request is tried again',
  shown: 'the code is on the customer display',
  given: 'the code was returned to the program, or a person confirmed that the customer has it',
  discarded: 'discarded at the till, or cancelled by the program; its code is not to be used'
} as const satisfies Readonly<Record<Exclude<SlipStatus, 'on-receipt'>, string>>

/** Returns the keys of a record, for `picklist`. */
export const keysOf = <Key extends string>(record: Readonly<Record<Key, unknown>>): [Key, ...Key[]] =>
  // Object.keys loses the type of the keys. No record here is empty.
  Object.keys(record) as [Key, ...Key[]]

export const modeSchema = described(
  v.picklist(['live', 'training']),
  'training: the till is in training mode, and codes have no value'
)
const moment = described(v.string(), 'ISO 8601, UTC')
const person = v.object({ id: v.string(), name: v.string() })

const receiptSchema = v.object({
  text: described(v.string(), "lines for the shop's own receipt, in the language of the slips"),
  qrPng: described(v.string(), 'the QR code as PNG with its quiet zone, base64'),
  qrSvg: described(v.string(), 'the QR code as SVG with its quiet zone')
})
export type Receipt = v.InferOutput<typeof receiptSchema>

const slipEntries = {
  mode: modeSchema,
  reference: v.string(),
  state: described(
    v.picklist(keysOf(SLIP_STATUS_MEANINGS)),
    Object.entries(SLIP_STATUS_MEANINGS)
      .map(([state, meaning]) => `${state}: ${meaning}`)
      .join('. ')
  ),
  points: v.pipe(v.number(), v.integer()),
  code: described(v.nullable(v.string()), 'null: there is none, or it is not to be used'),
  url: described(v.nullable(v.string()), 'the content of the QR code'),
  customer: v.nullable(person),
  requestedAt: moment,
  issuedAt: v.nullable(moment),
  expiresAt: described(
    v.nullable(v.string()),
    'from when the code cannot be collected, ISO 8601, UTC; null: the service does not say'
  ),
  collection: described(
    v.nullable(
      v.object({
        state: described(
          v.picklist(['collected', 'taken-back', 'not-collected']),
          'collected: a customer has the points. taken-back: the shop took them back from the customer'
        ),
        at: described(v.nullable(v.string()), 'when it was collected or taken back, ISO 8601, UTC'),
        asOf: described(v.string(), 'when the till learned it or checked it last, ISO 8601, UTC')
      })
    ),
    'whether the points were collected; null: there is no code, or the service does not say'
  ),
  offline: described(
    v.boolean(),
    'whether the till made the code without a connection: it can be collected at once, and the service is told later'
  ),
  copies: described(v.pipe(v.number(), v.integer()), 'printouts marked COPY'),
  failure: described(v.nullable(v.string()), 'why it was refused, is unknown or was not printed'),
  receipt: described(
    v.exactOptional(receiptSchema),
    'with deliver: return, in the response to POST /v1/slips'
  )
}
export const slipResponseSchema = v.object(slipEntries)
export type ProgramSlip = v.InferOutput<typeof slipResponseSchema>

export const redemptionResponseSchema = v.object({
  mode: modeSchema,
  reference: v.string(),
  state: described(
    v.picklist(REDEMPTION_STATES),
    'redeemed: the points are taken. unknown: the response was lost, and the till asks again. undone: the customer has the points again. undo-requested, undo-unknown: the till tries to give them back. discarded: ended at the till without an answer; the points may be taken'
  ),
  customer: described(v.nullable(person), 'null: no longer kept'),
  reward: person,
  points: v.number(),
  balance: described(v.nullable(v.number()), 'points afterwards; null: not known'),
  requestedAt: moment,
  redeemedAt: v.nullable(moment),
  failure: described(v.nullable(v.string()), 'why it is unknown, or why it was not undone')
})
export type ProgramRedemption = v.InferOutput<typeof redemptionResponseSchema>

export const creditResponseSchema = v.object({
  mode: modeSchema,
  reference: v.string(),
  state: described(
    v.picklist(CREDIT_STATES),
    'credited: the customer has the points. unknown: the response was lost, and the till asks again. undone: they were taken back at the till. undo-requested, undo-unknown: the till tries to. discarded: ended at the till without an answer; the customer may have them'
  ),
  customer: described(v.nullable(person), 'null: no longer kept'),
  points: v.number(),
  balanceBefore: described(v.nullable(v.number()), 'points before; null: not known'),
  balance: described(v.nullable(v.number()), 'points afterwards; null: not known'),
  requestedAt: moment,
  creditedAt: v.nullable(moment),
  failure: described(v.nullable(v.string()), 'why it is unknown, or why it was not undone')
})
export type ProgramCredit = v.InferOutput<typeof creditResponseSchema>

export const returnResponseSchema = v.object({
  mode: modeSchema,
  reference: v.string(),
  state: described(
    v.picklist(RETURN_STATES),
    'returned: the points went back. unknown: the response was lost, and the till asks again. discarded: ended at the till without an answer; the points may be taken'
  ),
  points: described(v.nullable(v.number()), 'that went back; null: no answer yet'),
  remaining: described(v.nullable(v.number()), 'of the purchase, that did not go back yet'),
  code: described(
    v.nullable(v.picklist(['active', 'cancelled', 'used'])),
    'active: the code carries the remaining points. cancelled: none remain. used: the points were taken from the customer. null: there is no code'
  ),
  balance: described(
    v.nullable(v.number()),
    'points of the customer afterwards, also below zero; null: not known'
  ),
  requestedAt: moment,
  returnedAt: v.nullable(moment),
  failure: described(v.nullable(v.string()), 'why it is unknown')
})
export type ProgramReturn = v.InferOutput<typeof returnResponseSchema>

export const pairedResponseSchema = v.object({
  mode: modeSchema,
  token: described(v.string(), 'for the Authorization header, as Bearer; the till keeps its hash only'),
  program: person
})

export const challengeResponseSchema = v.object({
  mode: modeSchema,
  proof: described(
    v.string(),
    'HMAC-SHA-256, hex, of the port, a space and the nonce. Key: the SHA-256 of the token, hex, as text'
  )
})

const customer = v.object({
  id: v.string(),
  name: v.string(),
  balance: described(v.nullable(v.number()), 'points; null: not known')
})
export const customerResponseSchema = v.object({ mode: modeSchema, customer })
export const customersResponseSchema = v.object({ mode: modeSchema, customers: v.array(customer) })

export const rewardsResponseSchema = v.object({
  mode: modeSchema,
  rewards: v.array(
    v.object({
      id: v.string(),
      name: v.string(),
      points: described(v.nullable(v.number()), 'null: not known'),
      affordable: described(
        v.nullable(v.boolean()),
        'for the balance of the customer; null: no customer, or not known'
      )
    })
  ),
  complete: described(v.boolean(), 'false: the till is still reading the rewards')
})

export const statusResponseSchema = v.object({
  mode: modeSchema,
  business: described(v.nullable(v.object({ name: v.string() })), 'null: the till is not connected'),
  currency: described(
    v.nullable(v.string()),
    'of the points rule, ISO 4217; null: the till takes no amounts'
  ),
  groups: described(v.array(v.string()), 'the groups of goods of the shop’s rules'),
  levels: described(
    v.array(v.string()),
    'the levels of customers of the shop’s rules, each with a factor: an amount for a customer earns with theirs'
  ),
  printer: v.object({
    kind: described(v.string(), 'folder: slips are saved as PDF'),
    name: v.nullable(v.string())
  }),
  customerDisplay: described(v.boolean(), 'whether it is open'),
  locked: described(v.boolean(), 'a locked till issues for programs that may issue meanwhile'),
  offlineSince: described(v.nullable(v.string()), 'ISO 8601, UTC; null: the service can be reached'),
  needsAttention: described(v.pipe(v.number(), v.integer()), 'slips that wait for a person at the till')
})
export type CustomerBody = v.InferOutput<typeof customerResponseSchema>
export type CustomersBody = v.InferOutput<typeof customersResponseSchema>
export type RewardsBody = v.InferOutput<typeof rewardsResponseSchema>
export type StatusBody = v.InferOutput<typeof statusResponseSchema>
