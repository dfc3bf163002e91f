/** What `Find customer` asks, and what it has so far. */
import type { Found } from './till.ts'

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
export interface FoundSoFar {
  readonly box: SearchBox
  readonly text: string
  readonly found: Found
}
