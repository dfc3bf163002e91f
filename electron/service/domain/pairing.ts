/**
 * Pairing codes: what a manager reads to a till once, so that it gets its token. The first three characters say which
 * pairing is meant and the other five are secret. So every wrong try counts for one pairing, and five tries at 20^5
 * secrets succeed once in 640,000 times, from however many places they come.
 */
import { PAIRING_ALPHABET, PAIRING_CODE_LENGTH, pairingCodeIn } from '../../contract/pairing-code.ts'
import { hashToken, type RandomBytes } from './identifiers.ts'

const ID_LENGTH = 3

/** How long a code is valid. */
export const PAIRING_TIME_MS = 10 * 60_000
/** Tries at one code, the right one included. */
export const MAX_PAIRING_TRIES = 5

export interface ParsedPairingCode {
  readonly id: string
  readonly secretHash: string
}

/** Returns a new code, such as `WDJBMJHT` (RFC 8628, section 6.1, which uses the same letters). */
export const newPairingCode = (random: RandomBytes): string => {
  let code = ''
  while (code.length < PAIRING_CODE_LENGTH) {
    // Bytes from 240 on would make the first letters likelier.
    for (const byte of random(PAIRING_CODE_LENGTH))
      if (byte < 240) code += PAIRING_ALPHABET.charAt(byte % PAIRING_ALPHABET.length)
  }
  return code.slice(0, PAIRING_CODE_LENGTH)
}

/** Returns a code as people read it, such as `WDJB-MJHT`. */
export const formatPairingCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

/** Parses a code as it was typed. Returns null for what cannot be a code. */
export const parsePairingCode = (text: string): ParsedPairingCode | null => {
  const code = pairingCodeIn(text)
  return code === null ? null : { id: code.slice(0, ID_LENGTH), secretHash: hashToken(code) }
}
