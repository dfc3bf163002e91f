/**
 * What the shop's own programs send to the till (docs/local-interface.md): requests over the local interface, HTTP on this
 * machine, with its settings, the paired programs and its state; and bill links. The interface itself is in
 * electron/main/local-interface/.
 */
import * as v from 'valibot'
import { amountSchema, currencyPlaces, currencySchema, pointsSchema } from './points-calculation.ts'

/** IANA assigns 8418 to 8422 to no service, so no well-known program listens there. */
const DEFAULT_LOCAL_INTERFACE_PORT = 8419

/** Below 1024 a port needs the administrator on Linux and macOS. */
export const LOCAL_INTERFACE_PORTS = { min: 1024, max: 65_535 } as const

export const localInterfaceSettingsSchema = v.strictObject({
  /** whether the till listens on 127.0.0.1 */
  enabled: v.boolean(),
  port: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(LOCAL_INTERFACE_PORTS.min),
    v.maxValue(LOCAL_INTERFACE_PORTS.max)
  )
})
export type LocalInterfaceSettings = v.InferOutput<typeof localInterfaceSettingsSchema>

/** The settings of a new till. */
export const DEFAULT_LOCAL_INTERFACE_SETTINGS: LocalInterfaceSettings = {
  enabled: false,
  port: DEFAULT_LOCAL_INTERFACE_PORT
}

/** The maximum number of paired programs. */
export const MAX_CALLERS = 20

/** The maximum length of a program's name, in characters. */
export const MAX_CALLER_NAME_LENGTH = 40

const REFERENCE = /^[\p{L}\p{N}][\p{L}\p{N}\p{M} ._/#-]{0,63}$/u

/** Returns whether a text can be the reference of a bill. */
export const isReference = (text: string): boolean => REFERENCE.test(text)

/**
 * A reference: the number of a bill in the shop's own program. Letters and digits of any script, and `. _ / # -` and spaces
 * after the first one; at most 64.
 */
export const referenceSchema = v.pipe(
  v.string(),
  v.regex(
    REFERENCE,
    'A reference begins with a letter or a digit, and has letters, digits, spaces and . _ / # - only, at most 64 characters'
  )
)

/** A paired program, without its token. */
export interface Caller {
  /** created by the till; stored in the journal with the name */
  readonly id: string
  /** as the program named itself when it was paired */
  readonly name: string
  /** ISO 8601, UTC */
  readonly pairedAt: string
  /** to the minute, ISO 8601, UTC; null: never */
  readonly lastUsedAt: string | null
  readonly mayIssueWhileLocked: boolean
}

/** A one-time code with which a program gets its token. */
export interface PairingCode {
  /** eight digits, without separators */
  readonly code: string
  /** ISO 8601, UTC */
  readonly expiresAt: string
}

/** Why the till does not listen although it should. */
export type LocalInterfaceFault =
  /** another program has the port */
  | 'port-in-use'
  /** the system refused for another reason; the log has it */
  | 'not-started'

export interface LocalInterfaceState {
  /** the port on which the till listens; null: it does not */
  readonly listeningPort: number | null
  /** null unless the interface is enabled and does not listen */
  readonly fault: LocalInterfaceFault | null
  /** when the pairing code expires, ISO 8601, UTC; null: no program can be paired now, because the code was used, expired or was entered wrongly too often */
  readonly pairingUntil: string | null
  /** in the order of their pairing */
  readonly callers: readonly Caller[]
}

/** The state of a new till. */
export const NO_LOCAL_INTERFACE: LocalInterfaceState = {
  listeningPort: null,
  fault: null,
  pairingUntil: null,
  callers: []
}

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
 * Parses a bill link, with which a program fills in the till: `tillpoints://bill?amount=12.50&currency=EUR&reference=R-1042`.
 * Anyone can make such a link, so each part is checked strictly. A plus sign is a plus sign, so that a phone may be written as `+30…`. The phone is not parsed here.
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
