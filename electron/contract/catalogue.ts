/** The rewards catalogue, as main tells the page of it. */
import type { Failure } from './failure.ts'
import type { Reward } from './loyalty.ts'

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
