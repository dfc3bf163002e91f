/**
 * What the Loyalty Points Service says, as schemas with their types. What the till cannot do without is required;
 * everything else is read tolerantly, since the interface document leaves much of it "not shown": an absent,
 * null or odd value becomes null (or an empty text) and never costs the cashier an answer. Unknown fields pass
 * the parser and are dropped.
 */
import * as v from 'valibot'
import type { Failure } from './failure.ts'

const identifier = v.pipe(v.string(), v.nonEmpty())
const amount = v.pipe(v.number(), v.finite())
/** A text the till can do without: anything else than a text reads as empty. */
const looseText = v.fallback(v.string(), '')
/** A text whose absence means something: anything else than a text with content reads as null. */
const textOrNull = v.fallback(v.nullable(v.pipe(v.string(), v.nonEmpty())), null)
const amountOrNull = v.fallback(v.nullable(amount), null)
/**
 * ISO 8601 by the interface document; kept only when it starts with a date and a clock can read it, else null.
 * The clock alone would not do: it reads a moment out of texts such as "not used 1".
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
/** A whole number from 1. Paging numbers are asked for as texts, so a service may well answer with texts. */
const countOrNull = v.fallback(
  v.nullable(
    v.pipe(
      v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,9}$/), v.transform(Number))]),
      v.integer(),
      v.minValue(1)
    )
  ),
  null
)

/** Interface document, part 2, Customer. `avatar` is absent from the answer to a registration. */
export const customerSchema = v.object({
  id: identifier,
  name: looseText,
  email: textOrNull,
  phone: looseText,
  avatar: textOrNull,
  /** points */
  balance: amount,
  /** points earned so far, redeemed ones excluded; null when the service did not say */
  lifetimePoints: amountOrNull
})
export type Customer = v.InferOutput<typeof customerSchema>

/** Interface document, part 2, Reward (list item). `isEnable` is documented for the detail only; some lists have it. */
export const rewardSchema = v.object({
  id: identifier,
  name: looseText,
  /** points */
  cost: amount,
  /** position in the catalogue; null sorts last */
  index: amountOrNull,
  /** null when the service did not say */
  isEnable: v.fallback(v.nullable(v.boolean()), null)
})
export type Reward = v.InferOutput<typeof rewardSchema>

/** Interface document, part 2, Reward (detail). */
export const rewardDetailSchema = v.object({
  ...rewardSchema.entries,
  createdAt: momentOrNull,
  updatedAt: momentOrNull
})
export type RewardDetail = v.InferOutput<typeof rewardDetailSchema>

/** Interface document, part 2, QR. Which texts `status` takes, and whether `usedDate` is set, is not shown. */
export const qrCodeSchema = v.object({
  code: identifier,
  qrURL: identifier,
  qrImageURL: textOrNull,
  /** points; null when the service did not say */
  rewardPoints: amountOrNull,
  status: looseText,
  usedDate: momentOrNull,
  createdAt: momentOrNull,
  updatedAt: momentOrNull
})
export type QrCode = v.InferOutput<typeof qrCodeSchema>

const noAddress = { street: '', city: '', state: '', country: '', zipCode: '' }

/** Interface document, part 2, Account and Address. */
export const accountSchema = v.object({
  id: identifier,
  name: looseText,
  logo: textOrNull,
  /** IANA name by custom; the document says only "current time zone" */
  timeZone: looseText,
  currentPlan: looseText,
  currentPlanInterval: looseText,
  currentCustomers: amountOrNull,
  getStartedLink: textOrNull,
  address: v.fallback(
    v.object({
      street: looseText,
      city: looseText,
      state: looseText,
      country: looseText,
      zipCode: looseText
    }),
    noAddress
  )
})
export type Account = v.InferOutput<typeof accountSchema>

/** One page of a list. The count the service sends beside it says nothing that `data` does not. */
export interface Page<Item> {
  readonly hasMore: boolean
  /** from 1 */
  readonly currentPage: number
  readonly pageSize: number
  readonly data: readonly Item[]
}

/** A page as it was sent: null where the service did not say, and the client fills in what it had asked for. */
export interface SentPage<Item> {
  readonly hasMore: boolean
  readonly currentPage: number | null
  readonly pageSize: number | null
  readonly data: readonly Item[]
}

const pageOf = <Entry extends v.GenericSchema>(item: Entry) =>
  v.object({
    hasMore: v.fallback(v.boolean(), false),
    currentPage: countOrNull,
    pageSize: countOrNull,
    data: v.array(item)
  })

/** Interface document, part 2, Customer page. */
export const customerPageSchema = pageOf(customerSchema)
/** Interface document, part 2, Reward page. */
export const rewardPageSchema = pageOf(rewardSchema)

/** What a refusal says in words. Some services send one message per field, as a list. */
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

/** Interface document, part 2, Error body. */
export const errorBodySchema = v.object({
  ...refusalWordsSchema.entries,
  statusCode: v.pipe(v.number(), v.integer(), v.minValue(400), v.maxValue(599))
})
export type ErrorBody = v.InferOutput<typeof errorBodySchema>

/** The maximum number of rewards that are read. */
export const MAX_REWARDS = 20_000

/** The rewards catalogue and the progress of reading it. Sent whole, whenever a part of it changes. */
export interface Catalogue {
  /** in the catalogue's order */
  readonly rewards: readonly Reward[]
  /** whether `rewards` holds all pages; it grows during the first reading, and is replaced by later ones */
  readonly complete: boolean
  /** when `rewards` was read, ISO 8601, UTC; null before the first page */
  readonly readAt: string | null
  /** rewards read so far; null when the catalogue is not being read */
  readonly reading: { readonly read: number } | null
  /** why the last reading failed; null when it did not, or was stopped */
  readonly failure: Failure | null
}

/** The catalogue before anything was read. */
export const EMPTY_CATALOGUE: Catalogue = {
  rewards: [],
  complete: false,
  readAt: null,
  reading: null,
  failure: null
}
