/** Requests and results of the customer search. A customer is in loyalty.ts. */
import type { Customer } from './loyalty.ts'
import type { CheckedCode } from './slips.ts'

/** A parsed phone. */
export interface Phone {
  /** E.164: the format for requests */
  readonly e164: string
  /** formatted with spaces */
  readonly display: string
  /** E.164; the old number that was read, where its country has changed it since */
  readonly former?: string
}

/** The result of a search. */
export type SearchResult =
  | {
      readonly kind: 'customers'
      readonly customers: readonly Customer[]
      readonly page: number
      readonly hasMore: boolean
      /** the phone in the text, prefilled in a registration; null if the text is no phone */
      readonly phone: Phone | null
      /** whether they are those that the till saw lately, because the service does not answer: what is shown may be old */
      readonly isOld?: true
    }
  | { readonly kind: 'code'; readonly code: CheckedCode }

/** `/C/` and 26 characters of Crockford's base 32, which scanners may send in small letters. */
const CUSTOMER_CODE = /^https?:\/\/[^/?#\s]+\/c\/([0-9A-HJKMNP-TV-Z]{26})$/i

/**
 * Returns the secret of a customer code, the QR code of the page of a linked phone; null for any other text.
 * docs/service-extension.md describes it.
 */
export const parseCustomerCode = (text: string): string | null =>
  CUSTOMER_CODE.exec(text.trim())?.[1]?.toUpperCase() ?? null

/** The search boxes for customers. A newer request from a box aborts the older one. */
export const SEARCH_BOXES = ['till', 'customers'] as const
export type SearchBox = (typeof SEARCH_BOXES)[number]

/** One request of a search box. */
export interface FindInput {
  readonly box: SearchBox
  /** as typed or scanned; an empty text has no results, and aborts the previous request of the box */
  readonly text: string
  /** from 1 */
  readonly page: number
}

/** A partial result, sent while the search continues. */
export interface PartialSearchResult {
  readonly box: SearchBox
  readonly text: string
  readonly found: SearchResult
}
