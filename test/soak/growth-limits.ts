/**
 * What a till may grow by from warm to the end of a soak. A till that kept 1 kB of each of 2,000 slips, or one timer of
 * every hundredth, is beyond it; connections that wait for the next request come and go within it.
 */
export const ALLOWED = {
  /** bytes */
  heap: 2_000_000,
  handles: 6,
  descriptors: 6
} as const
