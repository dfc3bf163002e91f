/** What the shop's own programs send to the till. */
import * as v from 'valibot'

/**
 * A reference: the number of a bill in the shop's own program. Letters and digits of any script, and `. _ / # -` and spaces
 * after the first one; at most 64.
 */
export const referenceSchema = v.pipe(v.string(), v.regex(/^[\p{L}\p{N}][\p{L}\p{N}\p{M} ._/#-]{0,63}$/u))
