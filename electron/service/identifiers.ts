/** Identifiers and codes. The interface document does not show their formats (part 2). */
import { randomBytes } from 'node:crypto'

/** Gives that many random bytes. */
export type RandomBytes = (size: number) => Uint8Array

/** The system's randomness. */
export const systemRandom: RandomBytes = (size) => randomBytes(size)

/** Crockford's base 32: no I, L, O or U, so that a printed code is read back right. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const draw = (random: RandomBytes, length: number): string =>
  Array.from(random(length), (byte) => alphabet.charAt(byte & 31)).join('')

/** Length of a generated code, in characters: 60 bits cannot be guessed, and fit on a slip in one line. */
const codeLength = 12

/** A new QR code, such as `7QK2M0ZC4T9A`. */
export const newCode = (random: RandomBytes): string => draw(random, codeLength)

/** A new identifier, such as `cus_7qk2m0zc4t9ax3bd`. */
export const newIdentifier = (prefix: 'cus' | 'rew' | 'usr', random: RandomBytes): string =>
  `${prefix}_${draw(random, 16).toLowerCase()}`
