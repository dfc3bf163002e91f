import { err, ok, MAX_POINTS, type Result } from '../../../electron/contract/failure.ts'
import { asciiDigits } from './digits.ts'

/**
 * Reads the points a cashier typed, in the digits of any keyboard. Spaces are ignored; a comma or a full stop is
 * refused, since "1.250" means two different things in two shops.
 *
 * @returns whole points from 1 to `MAX_POINTS`, or `invalid-input` / `points-too-many`
 */
export function parsePoints(text: string): Result<number> {
  const digits = asciiDigits(text)
  if (digits === '') return err({ kind: 'invalid-input', field: 'points', fault: 'missing' })
  if (/^-\d+$/u.test(digits)) return err({ kind: 'invalid-input', field: 'points', fault: 'below-one' })
  if (!/^\d+$/u.test(digits)) {
    return err({ kind: 'invalid-input', field: 'points', fault: 'not-a-whole-number' })
  }
  const points = Number(digits)
  if (points < 1) return err({ kind: 'invalid-input', field: 'points', fault: 'below-one' })
  if (points > MAX_POINTS) return err({ kind: 'points-too-many', maximum: MAX_POINTS })
  return ok(points)
}
