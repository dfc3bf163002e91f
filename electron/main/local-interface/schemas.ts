/** The bodies of the local interface, as schemas: requests are parsed with them, and the OpenAPI document is made of them. */
import * as v from 'valibot'
import { MAX_CALLER_NAME_LENGTH, referenceSchema } from '../../contract/local-interface.ts'
import { amountSchema, currencySchema, pointsSchema } from '../../contract/points-calculation.ts'
import { REDEMPTION_STATES } from '../../contract/redemptions.ts'
import type { SlipStatus } from '../../contract/slips.ts'

/** Adds a description for the OpenAPI document. */
export const described = <Schema extends v.GenericSchema>(schema: Schema, description: string) =>
  v.pipe(schema, v.description(description))

const text = (maxLength: number) => v.pipe(v.string(), v.nonEmpty(), v.maxLength(maxLength))

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
  shown: 'the code is on the customer display',
  given: 'the code was returned to the program, or a person confirmed that the customer has it',
  discarded: 'a person at the till discarded it; its code is not to be used'
} as const satisfies Readonly<Record<SlipStatus, string>>

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

const customerSelector = described(
  v.union([
    v.strictObject({ id: text(200) }),
    v.strictObject({ phone: described(text(100), 'in any common format') }),
    v.strictObject({ email: text(320) })
  ]),
  'the customer that the slip names: one of id, phone and email'
)

const slipRequestEntries = {
  reference: described(
    referenceSchema,
    'the number of the bill: at most one slip is issued for each reference of a program'
  ),
  customer: v.exactOptional(customerSelector),
  deliver: described(
    v.picklist(['print', 'display', 'return']),
    'print: by the till. display: on the customer display; printed when it is closed. return: in the response, for the program to print'
  )
}

/** A request with points. */
export const pointsRequestSchema = v.strictObject({
  ...slipRequestEntries,
  points: pointsSchema
})

/** A request with the amount of a bill. */
export const amountRequestSchema = v.strictObject({
  ...slipRequestEntries,
  amount: described(
    amountSchema,
    'of the bill, as a decimal text with a full stop, such as "12.50"; the points rule of the till gives the points'
  ),
  currency: described(currencySchema, 'ISO 4217; must be that of the points rule')
})
export type SlipBody = v.InferOutput<typeof pointsRequestSchema> | v.InferOutput<typeof amountRequestSchema>
export type CustomerSelector = v.InferOutput<typeof customerSelector>

export const redemptionRequestSchema = v.strictObject({
  reference: described(
    referenceSchema,
    'the number of the bill: at most one reward is redeemed for each reference of a program. It is another one than that of a slip'
  ),
  customer: customerSelector,
  reward: described(text(200), 'id of the reward'),
  points: described(pointsSchema, 'that the customer was told it costs; another price is refused')
})
export type RedemptionBody = v.InferOutput<typeof redemptionRequestSchema>

export const pairingRequestSchema = v.strictObject({
  code: described(text(40), 'shown by the till; spaces and dashes are ignored'),
  name: described(
    v.pipe(
      v.string(),
      v.trim(),
      v.nonEmpty(),
      v.maxLength(MAX_CALLER_NAME_LENGTH),
      v.regex(/^[^\p{C}\p{Zl}\p{Zp}]+$/u, 'A name is one line without control characters')
    ),
    'of the program, for the settings and the history of the till. It identifies the program: paired again under its name, it keeps its references, and its earlier token ends'
  )
})

/** The nonce of a challenge. */
export const nonceSchema = v.pipe(
  v.string(),
  v.regex(/^[\x21-\x7e]{1,128}$/, 'The nonce has 1 to 128 visible ASCII characters')
)

/** The body of a request that has none. */
export const emptyRequestSchema = v.strictObject({})

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
    'redeemed: the points are taken. unknown: the response was lost, and the till asks again. undo-requested, undo-unknown, undone: a person at the till gave the points back, or tries to'
  ),
  customer: described(v.nullable(person), 'null: no longer kept'),
  reward: person,
  points: v.number(),
  balance: described(v.nullable(v.number()), 'points afterwards; null: not known'),
  requestedAt: moment,
  redeemedAt: v.nullable(moment),
  failure: described(v.nullable(v.string()), 'why it is unknown')
})
export type ProgramRedemption = v.InferOutput<typeof redemptionResponseSchema>

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

export const customersResponseSchema = v.object({
  mode: modeSchema,
  customers: v.array(
    v.object({
      id: v.string(),
      name: v.string(),
      balance: described(v.nullable(v.number()), 'points; null: not known')
    })
  )
})

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
  printer: v.object({
    kind: described(v.string(), 'folder: slips are saved as PDF'),
    name: v.nullable(v.string())
  }),
  customerDisplay: described(v.boolean(), 'whether it is open'),
  locked: described(v.boolean(), 'a locked till issues for programs that may issue meanwhile'),
  offlineSince: described(v.nullable(v.string()), 'ISO 8601, UTC; null: the service can be reached'),
  needsAttention: described(v.pipe(v.number(), v.integer()), 'slips that wait for a person at the till')
})
export type CustomersBody = v.InferOutput<typeof customersResponseSchema>
export type RewardsBody = v.InferOutput<typeof rewardsResponseSchema>
export type StatusBody = v.InferOutput<typeof statusResponseSchema>
