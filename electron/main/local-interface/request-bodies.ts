/** The bodies of requests: their schemas, of which the OpenAPI document is made, and what an error says of each field. */
import * as v from 'valibot'
import { MAX_GROUPS, MAX_RULE_NAME_LENGTH } from '../../contract/earning-rules.ts'
import { MAX_CALLER_NAME_LENGTH, referenceSchema } from '../../contract/local-interface.ts'
import { amountSchema, currencySchema, MAX_POINTS, pointsSchema } from '../../contract/points-calculation.ts'
import { ApiError } from './api-error.ts'
import { described } from './schemas.ts'

const text = (maxLength: number) => v.pipe(v.string(), v.nonEmpty(), v.maxLength(maxLength))

/** A body: its schema, and what each field must be, as the end of a sentence for the developer of a program. */
interface RequestBody<Entries extends v.ObjectEntries> {
  readonly schema: v.StrictObjectSchema<Entries, undefined>
  readonly requirements: Readonly<Record<keyof Entries & string, string>>
  /** the names of all fields, as the end of a sentence */
  readonly fields: string
}

const list = (words: readonly string[]): string => words.join(', ').replace(/, ([^,]*)$/, ' and $1')

const requestBody = <Entries extends v.ObjectEntries>(
  entries: Entries,
  requirements: RequestBody<Entries>['requirements'],
  fields = `the fields ${list(Object.keys(requirements))}`
): RequestBody<Entries> => ({ schema: v.strictObject(entries), requirements, fields })

const REFERENCE =
  'a text that begins with a letter or a digit, and has letters, digits, spaces and . _ / # - only, at most 64 characters'
const CUSTOMER =
  'an object with one of id (at most 200 characters), phone (100) and email (320), such as {"phone": "+30 694 123 4567"}'
const POINTS = `a whole number from 1 to ${String(MAX_POINTS)}, without quotes`
const REASON = 'a text of 1 to 200 characters, such as "Returned", or left out'
const AMOUNT = 'a text in quotes with a decimal number above zero with a full stop, such as "12.50"'
const DELIVER = 'one of "print", "display" and "return"'

const positiveAmount = v.pipe(amountSchema, v.regex(/[1-9]/))

const reasonEntry = described(
  v.exactOptional(v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(200))),
  'for the history of the till; the name of the program unless given'
)

const customerSelector = described(
  v.union([
    v.strictObject({ id: text(200) }),
    v.strictObject({ phone: described(text(100), 'in any common format') }),
    v.strictObject({ email: text(320) })
  ]),
  'the customer that the slip names: one of id, phone and email'
)
export type CustomerSelector = v.InferOutput<typeof customerSelector>

const slipEntries = {
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
const SLIP = { reference: REFERENCE, customer: CUSTOMER, deliver: DELIVER }
const SLIP_FIELDS =
  'the fields reference, deliver, customer if there is one, and points, or amount and currency, with groups if there are some, instead'

/** A request with points. */
export const pointsRequest = requestBody(
  { ...slipEntries, points: pointsSchema },
  { ...SLIP, points: `${POINTS}; or send amount and currency instead` },
  SLIP_FIELDS
)

/** A request with the amount of a bill. */
export const amountRequest = requestBody(
  {
    ...slipEntries,
    amount: described(
      amountSchema,
      'of the bill, as a decimal text with a full stop, such as "12.50"; the points rule of the till gives the points'
    ),
    currency: described(currencySchema, 'ISO 4217; must be that of the points rule'),
    groups: described(
      v.exactOptional(
        v.pipe(
          v.array(v.strictObject({ name: text(MAX_RULE_NAME_LENGTH), amount: amountSchema })),
          v.maxLength(MAX_GROUPS)
        )
      ),
      'what of the amount are goods of groups of the shop’s rules, each group once'
    )
  },
  {
    ...SLIP,
    amount:
      'a text in quotes with a decimal number with a full stop, such as "12.50": up to nine digits, and up to six after the full stop; or send points instead of amount and currency',
    currency: 'a text of the three capital letters of ISO 4217, such as "EUR"',
    groups:
      'a list of at most 20 objects with the name of a group, each once, and the amount of its goods, such as [{"name": "Tobacco", "amount": "5.20"}]'
  },
  SLIP_FIELDS
)
export type SlipBody = v.InferOutput<typeof pointsRequest.schema> | v.InferOutput<typeof amountRequest.schema>

export const redemptionRequest = requestBody(
  {
    reference: described(
      referenceSchema,
      'the number of the bill: at most one reward is redeemed for each reference of a program. It is another one than that of a slip'
    ),
    customer: customerSelector,
    reward: described(text(200), 'id of the reward'),
    points: described(pointsSchema, 'that the customer was told it costs; another price is refused')
  },
  {
    reference: REFERENCE,
    customer: CUSTOMER,
    reward: 'the id of a reward of GET /v1/rewards, a text of at most 200 characters',
    points: POINTS
  }
)
export type RedemptionBody = v.InferOutput<typeof redemptionRequest.schema>

export const creditRequest = requestBody(
  {
    reference: described(
      referenceSchema,
      'the number of the bill: points are credited at most once for each reference of a program. It is another one than that of a slip'
    ),
    customer: customerSelector,
    points: pointsSchema
  },
  { reference: REFERENCE, customer: CUSTOMER, points: POINTS }
)
export type CreditBody = v.InferOutput<typeof creditRequest.schema>

const returnEntries = {
  reference: described(
    referenceSchema,
    'of the return: points go back at most once for each reference of a program'
  ),
  purchase: described(referenceSchema, 'the number of the bill, as in POST /v1/slips or POST /v1/credits'),
  reason: reasonEntry
}
const RETURN = { reference: REFERENCE, purchase: REFERENCE, reason: REASON }
const RETURN_FIELDS =
  'the fields reference, purchase, reason if there is one, and points, amount and total, or neither for all that remain'

/** A return of points, or of all that remain. */
export const returnRequest = requestBody(
  {
    ...returnEntries,
    points: described(
      v.exactOptional(pointsSchema),
      'that go back; all that remain of the purchase unless given'
    )
  },
  { ...RETURN, points: `${POINTS}; or left out for all that remain` },
  RETURN_FIELDS
)

/** A return of goods by their amount. */
export const amountReturnRequest = requestBody(
  {
    ...returnEntries,
    amount: described(positiveAmount, 'of the goods that go back, as a decimal text such as "12.50"'),
    total: described(positiveAmount, 'of the whole bill')
  },
  { ...RETURN, amount: AMOUNT, total: AMOUNT },
  RETURN_FIELDS
)
export type ReturnBody =
  v.InferOutput<typeof returnRequest.schema> | v.InferOutput<typeof amountReturnRequest.schema>

export const pairingRequest = requestBody(
  {
    code: described(text(40), 'shown by the till; spaces and dashes are ignored'),
    name: described(
      v.pipe(
        v.string(),
        v.trim(),
        v.nonEmpty(),
        v.maxLength(MAX_CALLER_NAME_LENGTH),
        v.regex(/^[^\p{C}\p{Zl}\p{Zp}]+$/u)
      ),
      'of the program, for the settings and the history of the till. It identifies the program: paired again under its name, it keeps its references, and its earlier token ends'
    )
  },
  {
    code: 'a text with the eight digits that the till shows, such as "1234 5678"',
    name: `the name of the program, one line of at most ${String(MAX_CALLER_NAME_LENGTH)} characters without control characters, such as "Example POS"`
  }
)

export const registrationRequest = requestBody(
  {
    phone: described(text(100), 'in any common format; one that is registered gives the customer who has it'),
    name: described(v.exactOptional(v.pipe(v.string(), v.maxLength(200))), 'at most 100 characters')
  },
  {
    phone: 'a phone number in any common format, such as "+30 694 123 4567"',
    name: 'a text of at most 100 characters, or left out'
  }
)
export type RegistrationBody = v.InferOutput<typeof registrationRequest.schema>

/** Why a slip is cancelled or a redemption undone. */
export const reasonRequest = requestBody(
  { reason: reasonEntry },
  { reason: REASON },
  'the field reason, or none: {}'
)

/** The body of a request that has none. */
export const emptyRequest = requestBody({}, {}, 'no fields: {}')

const invalid = (field: string | null, message: string): ApiError =>
  new ApiError('invalid', { ...(field !== null && { field }), message })

/** Parses a body. The error names the field that the body may not have, or else the first invalid one, and what is allowed. */
export function parseBody<Entries extends v.ObjectEntries>(
  { schema, requirements, fields }: RequestBody<Entries>,
  body: unknown
): v.InferOutput<v.StrictObjectSchema<Entries, undefined>> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalid(null, `The body is not a JSON object. It must be one with ${fields}.`)
  }
  const parsed = v.safeParse(schema, body)
  if (parsed.success) return parsed.output
  const known = new Map<string, string>(Object.entries(requirements))
  const unknown = Object.keys(body).find((name) => !known.has(name))
  if (unknown !== undefined) {
    throw invalid(unknown, `The field ${unknown} is not allowed here. The body has ${fields}.`)
  }
  const [name = ''] = (v.getDotPath(parsed.issues[0]) ?? '').split('.')
  const problem = Object.hasOwn(body, name) ? 'is not valid' : 'is missing'
  throw invalid(name, `The field ${name} ${problem}. It must be ${known.get(name) ?? ''}.`)
}

/** A body with an amount is checked as one, so that the error is about the value that was meant. */
export const parseSlipBody = (body: unknown): SlipBody =>
  typeof body === 'object' && body !== null && ('amount' in body || 'currency' in body)
    ? parseBody(amountRequest, body)
    : parseBody(pointsRequest, body)

/** The same for a return. */
export const parseReturnBody = (body: unknown): ReturnBody =>
  typeof body === 'object' && body !== null && ('amount' in body || 'total' in body)
    ? parseBody(amountReturnRequest, body)
    : parseBody(returnRequest, body)

/** Returns the nonce of a challenge. */
export function parseNonce(nonce: string): string {
  if (/^[\x21-\x7e]{1,128}$/.test(nonce)) return nonce
  throw invalid(
    'nonce',
    `The parameter nonce is ${nonce === '' ? 'missing' : 'not valid'}. It must be 1 to 128 visible ASCII characters, random and new for each challenge.`
  )
}

const KEYS = ['id', 'phone', 'email'] as const

/** Returns the one key of a customer in a query. */
export function parseCustomerQuery(query: Readonly<Record<string, string>>): CustomerSelector {
  const allowed = 'Give one of the parameters id, phone and email, such as ?phone=%2B306941234567.'
  const unknown = Object.keys(query).find((name) => !KEYS.some((key) => key === name))
  if (unknown !== undefined) throw invalid(unknown, `The parameter ${unknown} is not known. ${allowed}`)
  const [key, other] = KEYS.filter((name) => query[name] !== undefined)
  if (key === undefined) throw invalid('phone', `The parameter phone is missing. ${allowed}`)
  if (other !== undefined) throw invalid(other, `The parameter ${other} is one too many. ${allowed}`)
  const value = query[key] ?? ''
  if (value.trim() === '') throw invalid(key, `The parameter ${key} is empty. ${allowed}`)
  switch (key) {
    case 'id':
      return { id: value }
    case 'phone':
      return { phone: value }
    case 'email':
      return { email: value }
  }
}
