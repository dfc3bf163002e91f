/** What `Find customer` asks, and what it has so far. */
import type { Customer } from './loyalty.ts'
import type { CheckedCode } from './slips.ts'

/** A phone as the till understands it. */
export interface Phone {
  /** international format with a leading plus sign and no spaces: what is sent */
  readonly e164: string
  /** the same, spaced for reading */
  readonly display: string
}

/** What `Find customer` found. */
export type SearchResult =
  | {
      readonly kind: 'customers'
      readonly customers: readonly Customer[]
      readonly page: number
      readonly hasMore: boolean
      /** set when the text reads as a phone: what a registration would use */
      readonly phone: Phone | null
    }
  | { readonly kind: 'code'; readonly code: CheckedCode }

/** The boxes that customers are searched in. A newer find from a box takes the place of the older one from it. */
export const SEARCH_BOXES = ['till', 'customers'] as const
export type SearchBox = (typeof SEARCH_BOXES)[number]

/** One question of a search box. */
export interface FindInput {
  readonly box: SearchBox
  /** as typed or scanned; an empty one finds nobody, and ends what the box asked before */
  readonly text: string
  /** from 1 */
  readonly page: number
}

/** A part of what a find will answer, told while the rest is awaited. */
export interface PartialSearchResult {
  readonly box: SearchBox
  readonly text: string
  readonly found: SearchResult
}
