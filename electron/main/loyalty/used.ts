/** Whether a points code has been used, from the little that the service says about it. */
import type { QrCode } from '../../contract/loyalty.ts'

const USED = new Set(['used', 'redeemed', 'claimed', 'consumed', 'scanned', 'collected', 'credited', 'spent'])
const UNUSED = new Set([
  'unused',
  'notused',
  'active',
  'available',
  'new',
  'created',
  'pending',
  'valid',
  'open',
  'unclaimed',
  'notclaimed',
  'unredeemed',
  'notredeemed'
])

/** Services that cannot leave a date out send the zero of their clock, in the year 1 or 1970. */
const isRealDate = (moment: string): boolean => new Date(moment).getUTCFullYear() > 1970

/**
 * True when the code has a date of use, or a status that says so; false when the status says the contrary; null when
 * neither tells (the interface document does not show the values of `status`, nor what `usedDate` holds before use).
 */
export const usedFrom = ({ usedDate, status }: Pick<QrCode, 'usedDate' | 'status'>): boolean | null => {
  if (usedDate !== null && isRealDate(usedDate)) return true
  const word = status.toLowerCase().replace(/[^a-z]/g, '')
  if (USED.has(word)) return true
  return UNUSED.has(word) ? false : null
}
