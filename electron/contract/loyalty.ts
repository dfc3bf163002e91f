/**
 * Responses of the Loyalty Points Service as schemas with their types. Only what the till cannot work without is required;
 * everything else is read tolerantly, since the service's interface leaves much of it open: a value that cannot be
 * read becomes null (or an empty text) and never fails the response. Unknown fields are dropped. The rules are listed in
 * electron/main/loyalty/README.md.
 */
import { extensionsSchema } from './extensions.ts'
import * as v from 'valibot'

const numberText = v.pipe(
  v.number(),
  v.finite(),
  v.transform((number) => String(number))
)
/** An id. A number is read as its text. */
const identifier = v.union([v.pipe(v.string(), v.nonEmpty()), numberText])
/** Longer than any name. The document has no limit, and a layout takes its time for each character. */
const MAX_TEXT_LENGTH = 200
/** A text for people: one that is longer ends with an ellipsis. */
const limitedText = v.pipe(
  v.string(),
  v.transform((text) =>
    text.length <= MAX_TEXT_LENGTH
      ? text
      : `${text.slice(0, MAX_TEXT_LENGTH - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
  )
)
/** A text. A number is read as its text, anything else as empty. */
const looseText = v.fallback(v.union([limitedText, numberText]), '')
/** A text whose absence means something: anything else than a text with content reads as null. */
const textOrNull = v.fallback(v.nullable(v.pipe(limitedText, v.nonEmpty())), null)
/** Longer than any link that works everywhere. */
const MAX_LINK_LENGTH = 8000
/** Anything else than a link of a usable length reads as null. */
const linkOrNull = v.fallback(
  v.nullable(v.pipe(v.string(), v.nonEmpty(), v.maxLength(MAX_LINK_LENGTH))),
  null
)
/**
 * A number, or its decimal text: "120" is 120. A number beyond the safe integers is refused: it would be shown rounded, or
 * as infinite. "1,250" is refused, too: it is ambiguous.
 */
const amount = v.pipe(
  v.union([
    v.number(),
    v.pipe(
      v.string(),
      v.trim(),
      v.regex(/^[+-]?\d+(?:\.\d+)?$/),
      v.transform((text) => Number(text))
    )
  ]),
  v.minValue(Number.MIN_SAFE_INTEGER),
  v.maxValue(Number.MAX_SAFE_INTEGER)
)
const amountOrNull = v.fallback(v.nullable(amount), null)
const BOOLEANS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true],
  ['true', true],
  [1, true],
  ['1', true],
  [false, false],
  ['false', false],
  [0, false],
  ['0', false]
])
/** A boolean, or its text or number; null for anything else. */
const booleanOrNull = v.fallback(
  v.pipe(
    v.unknown(),
    v.transform(
      (value) => BOOLEANS.get(typeof value === 'string' ? value.trim().toLowerCase() : value) ?? null
    )
  ),
  null
)
/**
 * ISO 8601 by the service's interface. Read only if it starts with a date that the engine can parse, else null: the engine
 * alone parses a date out of texts such as "not used 1".
 */
const momentOrNull = v.fallback(
  v.nullable(
    v.pipe(
      v.string(),
      v.regex(/^\d{4}-\d{2}-\d{2}/),
      v.check((text) => !Number.isNaN(Date.parse(text)))
    )
  ),
  null
)
/** A whole number from 1. Paging numbers are sent as texts, so a service may well respond with texts. */
const countOrNull = v.fallback(v.nullable(v.pipe(amount, v.integer(), v.minValue(1))), null)

/** A row of `GET /customers`. `avatar` is absent from the response to `POST /customers`. */
export const customerSchema = v.object({
  id: identifier,
  name: looseText,
  email: textOrNull,
  /** empty when the service did not send it */
  phone: looseText,
  avatar: linkOrNull,
  /** points; null when the service did not send them */
  balance: amountOrNull,
  /** points earned so far, redeemed ones excluded; null when the service did not send them */
  lifetimePoints: amountOrNull
})
export type Customer = v.InferOutput<typeof customerSchema>

/** A row of `GET /rewards`. `isEnable` is documented for the detail only; some lists have it. */
export const rewardSchema = v.object({
  id: identifier,
  name: looseText,
  /** points; null when the service did not send them */
  cost: amountOrNull,
  /** position in the catalogue; null sorts last */
  index: amountOrNull,
  /** null when the service did not send it */
  isEnable: booleanOrNull
})
export type Reward = v.InferOutput<typeof rewardSchema>

/** The response to `GET /rewards/{id}`. */
export const rewardDetailSchema = v.object({
  ...rewardSchema.entries,
  createdAt: momentOrNull,
  updatedAt: momentOrNull
})
export type RewardDetail = v.InferOutput<typeof rewardDetailSchema>

/** The response to `GET /qr/{id}`. Which texts `status` takes, and whether `usedDate` is set, is not shown. */
export const qrCodeSchema = v.object({
  code: identifier,
  /** null when the service did not send it */
  qrURL: linkOrNull,
  qrImageURL: linkOrNull,
  /** points; null when the service did not send them */
  rewardPoints: amountOrNull,
  status: looseText,
  usedDate: momentOrNull,
  /** from when it cannot be collected, which the interface document lacks; null when the service does not say */
  expiresAt: v.optional(momentOrNull, null),
  createdAt: momentOrNull,
  updatedAt: momentOrNull
})
export type QrCode = v.InferOutput<typeof qrCodeSchema>

/**
 * The same as the response to a new code, which is worth nothing without its URL. Points that are sent and cannot be read
 * are refused: they may differ from the requested ones.
 */
export const newQrCodeSchema = v.object({
  ...qrCodeSchema.entries,
  qrURL: identifier,
  rewardPoints: v.nullish(amount, null)
})
export type NewQrCode = v.InferOutput<typeof newQrCodeSchema>

const noAddress = { street: '', city: '', state: '', country: '', zipCode: '' }

/** The response to `GET /account`. */
export const accountSchema = v.object({
  id: identifier,
  name: looseText,
  logo: linkOrNull,
  /** IANA name by custom; the interface says only "current time zone" */
  timeZone: looseText,
  currentPlan: looseText,
  currentPlanInterval: looseText,
  currentCustomers: amountOrNull,
  getStartedLink: linkOrNull,
  address: v.fallback(
    v.object({
      street: looseText,
      city: looseText,
      state: looseText,
      country: looseText,
      zipCode: looseText
    }),
    noAddress
  ),
  extensions: extensionsSchema
})
export type Account = v.InferOutput<typeof accountSchema>

const filled = (parts: readonly string[], separator: string): string =>
  parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(separator)

/**
 * The address of a business in at most two lines: the street, then postcode, city, state and country. Blank parts are left
 * out, and so is a country alone, which does not say where a shop is.
 */
export function addressLines({ street, city, state, country, zipCode }: Account['address']): string[] {
  const place = filled([filled([zipCode, city], ' '), state], ', ')
  if (filled([street, place], '') === '') return []
  return [street.trim(), filled([place, country], ', ')].filter((line) => line !== '')
}

/**
 * The answer to `POST /ext/redemptions`. Only the fields that name the redemption are required: without them it is no answer.
 */
export const redeemedAnswerSchema = v.object({
  id: identifier,
  reward: identifier,
  /** points */
  cost: amount,
  /** points afterwards; null when the service did not send them */
  balance: amountOrNull,
  createdAt: momentOrNull,
  /** until when it is undone for a till */
  reversibleUntil: momentOrNull
})
export type RedeemedAnswer = v.InferOutput<typeof redeemedAnswerSchema>

/** The answer to `POST /ext/credits`. Only the fields that name the credit are required: without them it is no answer. */
export const creditedAnswerSchema = v.object({
  id: identifier,
  customer: identifier,
  points: amount,
  /** points before and afterwards; null when the service did not send them */
  balanceBefore: amountOrNull,
  balance: amountOrNull,
  createdAt: momentOrNull,
  /** until when it is undone for a till */
  reversibleUntil: momentOrNull
})
export type CreditedAnswer = v.InferOutput<typeof creditedAnswerSchema>

/** The answer to `POST /ext/credits/{id}/reversal`. */
export const reversedCreditSchema = v.object({
  /** id of the credit that was undone */
  credit: identifier,
  balance: amountOrNull,
  createdAt: momentOrNull
})
export type ReversedCredit = v.InferOutput<typeof reversedCreditSchema>

/** The answer to `POST /ext/returns`. Only the fields that say what was taken back are required. */
export const returnedAnswerSchema = v.object({
  id: identifier,
  /** that were taken back now */
  points: amount,
  /** of the purchase, that did not go back yet */
  remaining: amount,
  /** its code, or the id of its credit; null when the service did not send it */
  purchase: v.fallback(v.nullable(identifier), null),
  /** points that it gave; null when the service did not send them */
  given: amountOrNull,
  /** null: of a credit */
  codeStatus: v.fallback(v.nullable(v.picklist(['active', 'cancelled', 'used'])), null),
  /** id of whom the points were taken from; null: of a code that is not collected, or an erased customer */
  customer: v.fallback(v.nullable(v.string()), null),
  /** theirs, which may be below zero */
  balance: amountOrNull,
  createdAt: momentOrNull
})
export type ReturnedAnswer = v.InferOutput<typeof returnedAnswerSchema>

/** The answer to `POST /ext/redemptions/{id}/reversal`. */
export const reversedAnswerSchema = v.object({
  /** id of the redemption that was undone */
  redemption: identifier,
  balance: amountOrNull,
  createdAt: momentOrNull
})
export type ReversedAnswer = v.InferOutput<typeof reversedAnswerSchema>

/** One page of a list. The count that the service sends beside it adds nothing to `data`. */
export interface Page<Item> {
  readonly hasMore: boolean
  /** from 1 */
  readonly currentPage: number
  readonly pageSize: number
  readonly data: readonly Item[]
}

/** A page as it was sent: null where the service sent nothing; the client completes it from its request. */
export interface SentPage<Item> {
  readonly hasMore: boolean | null
  readonly currentPage: number | null
  readonly pageSize: number | null
  /** the rows that could be read, each id once */
  readonly data: readonly Item[]
  /** number of rows without an id, which are left out */
  readonly leftOut: number
}

/** How long rows are read before other work has its turn. */
const MAX_TURN_MS = 10

/**
 * Reads each row by itself, so that one that cannot be read does not cost the others. If none can be read, the response is
 * invalid. Null is an empty list: some JSON encoders write one for it.
 */
const rowsOf = <Row extends v.GenericSchema<unknown, { readonly id: string }>>(row: Row) =>
  v.pipeAsync(
    v.nullable(v.array(v.unknown()), []),
    v.rawTransformAsync(async ({ dataset: { value: sent }, addIssue, NEVER }) => {
      const rows = new Map<string, v.InferOutput<Row>>()
      let leftOut = 0
      let turnStart = performance.now()
      for (const item of sent) {
        if (performance.now() - turnStart > MAX_TURN_MS) {
          await new Promise((resolve) => setTimeout(resolve))
          turnStart = performance.now()
        }
        const read = v.safeParse(row, item)
        if (!read.success) leftOut += 1
        else if (!rows.has(read.output.id)) rows.set(read.output.id, read.output)
      }
      if (rows.size === 0 && leftOut > 0) {
        addIssue({ message: 'No row has an id' })
        return NEVER
      }
      return { rows: [...rows.values()], leftOut }
    })
  )

const pageOf = <Row extends v.GenericSchema<unknown, { readonly id: string }>>(row: Row) =>
  v.pipeAsync(
    v.objectAsync({
      hasMore: booleanOrNull,
      currentPage: countOrNull,
      pageSize: countOrNull,
      data: rowsOf(row)
    }),
    v.transform(({ data: { rows, leftOut }, ...page }) => ({ ...page, data: rows, leftOut }))
  )

/** The response to `GET /customers` and to the search. */
export const customerPageSchema = pageOf(customerSchema)
/** The response to `GET /rewards`. */
export const rewardPageSchema = pageOf(rewardSchema)

/** A moment in UTC, spelt so that texts compare as their moments do. */
const utcMoment = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z$/),
  v.check((text) => !Number.isNaN(Date.parse(text))),
  v.transform((text) => new Date(text).toISOString())
)

/** An item of `GET /ext/collections`: a code was collected, or its points were taken back. */
const collectionEventSchema = v.pipe(
  v.object({ code: identifier, state: v.picklist(['collected', 'reversed']), at: utcMoment }),
  v.transform((event) => ({ ...event, id: `${event.state} ${event.at} ${event.code}` }))
)
export type CollectionEvent = v.InferOutput<typeof collectionEventSchema>

/** The response to `GET /ext/collections`. `next` is where the next page begins. */
export const collectionPageSchema = v.pipeAsync(
  v.objectAsync({
    hasMore: v.boolean(),
    next: v.pipe(v.string(), v.nonEmpty(), v.maxLength(200)),
    data: rowsOf(collectionEventSchema)
  }),
  v.transform(({ hasMore, next, data: { rows: events, leftOut } }) => ({ hasMore, next, events, leftOut }))
)
export type CollectionPage = v.InferOutput<typeof collectionPageSchema>

/** The messages of an error body. Some services send one message per field, as a list. */
export const refusalWordsSchema = v.object({
  message: v.fallback(
    v.union([
      v.string(),
      v.pipe(
        v.array(v.string()),
        v.transform((lines) => lines.join('; '))
      )
    ]),
    ''
  ),
  error: looseText
})

/** The body of an error, of every operation. */
export const errorBodySchema = v.object({
  ...refusalWordsSchema.entries,
  statusCode: v.pipe(v.number(), v.integer(), v.minValue(400), v.maxValue(599))
})
export type ErrorBody = v.InferOutput<typeof errorBodySchema>
