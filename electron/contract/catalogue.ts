/** The rewards catalogue as a whole, from the first page that was read to the last. */
import type { Failure } from './failure.ts'
import type { Reward } from './loyalty.ts'

/** Most rewards that a till reads; a longer catalogue is cut there. */
export const MOST_REWARDS = 20_000

/** What the till knows of the catalogue, and how its reading stands. Sent whole, whenever any of it changes. */
export interface Catalogue {
  /** in the catalogue's order */
  readonly rewards: readonly Reward[]
  /** all pages are in `rewards`; while they are read for the first time it grows, later it is replaced as a whole */
  readonly complete: boolean
  /** when `rewards` was read, ISO 8601, UTC; null while nothing of it was */
  readonly readAt: string | null
  /** how many rewards the reading under way has brought; null when none is */
  readonly reading: { readonly read: number } | null
  /** why the last reading ended before its end; null when it did not, or was stopped */
  readonly failure: Failure | null
}

/** Nothing is known yet. */
export const EMPTY_CATALOGUE: Catalogue = {
  rewards: [],
  complete: false,
  readAt: null,
  reading: null,
  failure: null
}
