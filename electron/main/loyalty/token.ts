/** The bearer token, as a manager pastes it. */
import { bad, good } from '../../contract/failure.ts'
import type { Answer } from '../../contract/failure.ts'

/**
 * Gives the token without the white space that pasting adds. Fails with `invalid-input` for `token`: `missing`, or
 * `malformed` when it holds what a header cannot carry (RFC 9110, 5.5): a space inside, a line break, a letter
 * outside ASCII.
 */
export const parseToken = (text: string): Answer<string> => {
  const token = text.trim()
  if (token === '') return bad({ kind: 'invalid-input', field: 'token', fault: 'missing' })
  if (!/^[\x21-\x7e]+$/.test(token)) return bad({ kind: 'invalid-input', field: 'token', fault: 'malformed' })
  return good(token)
}
