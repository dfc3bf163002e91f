/** Lots: the points that one entry brought, until they are spent, returned or expired. */
import type { Expiry } from '../../contract/earning-rules.ts'

/** When the points of an entry end, as it is kept with it: `earned 12` or `visit 12`, in months. */
export const expiryText = ({ since, months }: Pick<Expiry, 'since' | 'months'>): string =>
  `${since} ${String(months)}`
