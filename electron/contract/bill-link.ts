/**
 * The bill link, with which other programs fill in the till: `tillpoints://bill?amount=12.50&currency=EUR&reference=R-1042`.
 * Its grammar is in docs/local-interface.md. Anyone can make such a link, so each part is checked strictly.
 */
import * as v from 'valibot'
import { referenceSchema } from './local-interface.ts'
import { amountSchema, currencyPlaces, currencySchema, pointsSchema } from './points-calculation.ts'

/** The maximum length of a link, in UTF-16 code units. The longest useful one has about 300. */
export const MAX_BILL_LINK_LENGTH = 2000

/** Why a link was refused. */
export type BillLinkFault =
  | 'too-long'
  /** no bill link: another scheme or host, control characters, or a text that is not percent-encoded */
  | 'malformed'
  /** a parameter that the till does not know, or one twice */
  | 'parameters'
  | 'amount'
  | 'currency'
  | 'points'
  | 'reference'
  | 'phone'
  /** neither an amount with its currency nor points, or both */
  | 'incomplete'
  /** not the currency of the points rule */
  | 'other-currency'

/** A bill of another program. It has either an amount with its currency, or points. */
export const linkedBillSchema = v.strictObject({
  amount: v.nullable(v.strictObject({ value: amountSchema, currency: currencySchema })),
  points: v.nullable(pointsSchema),
  reference: v.nullable(referenceSchema),
  /** of the customer */
  phone: v.nullable(v.pipe(v.string(), v.nonEmpty(), v.maxLength(60)))
})
export type LinkedBill = Readonly<v.InferOutput<typeof linkedBillSchema>>

const PARAMETERS = ['amount', 'currency', 'points', 'reference', 'phone'] as const
type Parameter = (typeof PARAMETERS)[number]

const isParameter = (name: string): name is Parameter => PARAMETERS.some((known) => known === name)

/**
 * Anything invisible (control characters, direction marks, unpaired surrogates), and code in an address: no field of a
 * bill needs either.
 */
const HOSTILE = /\p{C}|javascript:/iu

/** Decodes a name or a value. null for invalid percent-encoding and for hostile text. */
function decode(text: string): string | null {
  try {
    const decoded = decodeURIComponent(text)
    return HOSTILE.test(decoded) ? null : decoded
  } catch {
    return null
  }
}

/** The decoded parameters of a query, each known and given once; or the fault. */
function parseQuery(query: string): ReadonlyMap<Parameter, string> | BillLinkFault {
  const parameters = new Map<Parameter, string>()
  for (const pair of query.split('&')) {
    const separator = pair.indexOf('=')
    if (separator < 0) return 'malformed'
    const name = decode(pair.slice(0, separator))
    const value = decode(pair.slice(separator + 1))
    if (name === null || value === null) return 'malformed'
    if (!isParameter(name) || parameters.has(name)) return 'parameters'
    parameters.set(name, value)
  }
  return parameters
}

/**
 * Parses a link. A plus sign is a plus sign, so that a phone may be written as `+30…`. The phone is not parsed here.
 */
export function parseBillLink(link: string): LinkedBill | BillLinkFault {
  if (link.length > MAX_BILL_LINK_LENGTH) return 'too-long'
  const query = /^tillpoints:\/\/bill\/?\?([^#]*)$/iu.exec(link)?.[1]
  if (query === undefined || HOSTILE.test(link)) return 'malformed'
  const parameters = parseQuery(query)
  if (typeof parameters === 'string') return parameters
  const value = parameters.get('amount')
  const currency = parameters.get('currency')
  const points = parameters.get('points')
  if ((value === undefined) === (points === undefined)) return 'incomplete'
  if ((value === undefined) !== (currency === undefined)) return 'incomplete'
  const bill = v.safeParse(linkedBillSchema, {
    amount: value === undefined ? null : { value, currency },
    points: points === undefined ? null : /^\d{1,7}$/.test(points) ? Number(points) : points,
    reference: parameters.get('reference') ?? null,
    phone: parameters.get('phone') ?? null
  })
  if (!bill.success) {
    const field = String(bill.issues[0].path?.at(-1)?.key)
    return isParameter(field) ? field : 'amount'
  }
  const { amount } = bill.output
  const places = amount?.value.split('.')[1]?.length ?? 0
  if (amount && places > currencyPlaces(amount.currency)) return 'amount'
  return bill.output
}
