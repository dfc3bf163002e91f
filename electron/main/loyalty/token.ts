/** The bearer token, as a manager pastes it. */
import { err, ok, type Result } from '../../contract/failure.ts'

/**
 * Gives the token without the white space that pasting adds. Fails with `invalid-input` for `token`: `missing`, or
 * `malformed` when it holds what a header cannot carry (RFC 9110, 5.5): a space inside, a line break, a letter
 * outside ASCII.
 */
export const parseToken = (text: string): Result<string> => {
  const token = text.trim()
  if (token === '') return err({ kind: 'invalid-input', field: 'token', fault: 'missing' })
  if (!/^[\x21-\x7e]+$/.test(token)) return err({ kind: 'invalid-input', field: 'token', fault: 'malformed' })
  return ok(token)
}
