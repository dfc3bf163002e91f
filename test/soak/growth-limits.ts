/**
 * Limits of the growth after the warm-up. A leak of 1 kB per slip over 2,000 slips, or of one timer per hundred slips,
 * exceeds them; idle connections stay within them.
 */
export const GROWTH_LIMITS = {
  /** bytes */
  heap: 2_000_000,
  handles: 6,
  descriptors: 6
} as const
