import { bad, good, MAXIMUM_POINTS } from '../../../electron/contract/failure.ts'
import type { Answer } from '../../../electron/contract/failure.ts'

/** Zeros of the decimal digits that keyboards type: Arabic-Indic, Persian, Devanagari, Bengali, Thai. */
const ZEROS = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50]

const asciiDigit = (digit: string): string => {
  const point = digit.codePointAt(0) ?? 0
  const zero = ZEROS.find((candidate) => point >= candidate && point <= candidate + 9)
  return zero === undefined ? digit : String(point - zero)
}

/**
 * Reads the points a cashier typed, in the digits of any keyboard. Spaces are ignored; a comma or a full stop is
 * refused, since "1.250" means two different things in two shops.
 *
 * @returns whole points from 1 to `MAXIMUM_POINTS`, or `invalid-input` / `points-too-many`
 */
export function parsePoints(text: string): Answer<number> {
  const digits = text
    .normalize('NFKC')
    .replace(/\s/gu, '')
    .replace(/\p{Nd}/gu, asciiDigit)
  if (digits === '') return bad({ kind: 'invalid-input', field: 'points', fault: 'missing' })
  if (/^-\d+$/u.test(digits)) return bad({ kind: 'invalid-input', field: 'points', fault: 'below-one' })
  if (!/^\d+$/u.test(digits)) {
    return bad({ kind: 'invalid-input', field: 'points', fault: 'not-a-whole-number' })
  }
  const points = Number(digits)
  if (points < 1) return bad({ kind: 'invalid-input', field: 'points', fault: 'below-one' })
  if (points > MAXIMUM_POINTS) return bad({ kind: 'points-too-many', maximum: MAXIMUM_POINTS })
  return good(points)
}
