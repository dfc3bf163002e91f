/**
 * Points codes that a till makes without a connection. The till and the service share a secret: the code says all that the
 * service has to know, and its last 80 bits prove it (HMAC-SHA-256, RFC 2104, truncated as its section 5 allows).
 */
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'

/** Crockford's base 32. It has no I, L, O or U, which are misread on paper. */
export const CODE_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** What a code made offline says. */
export interface OfflineCode {
  /** names the secret: six characters */
  readonly key: string
  /** random, ten characters: two codes of a key are never the same */
  readonly serial: string
  /** 1 to 9,999,999 */
  readonly points: number
  /** of the shop's calendar: `2026-11-29` */
  readonly day: string
}

/** A code as it was read, not yet proved. */
export interface UnprovedOfflineCode extends OfflineCode {
  /** the whole code: 40 characters, in capitals */
  readonly code: string
}

const PURPOSE = 'offline-codes/1'
const DAY_MS = 86_400_000
const FIRST_DAY = Date.parse('2024-01-01')
/** Characters, of five bits, of the key, the serial, the points, the day since the first one, and the proof. */
const SHAPE =
  /^([0-9A-HJKMNP-TV-Z]{6})([0-9A-HJKMNP-TV-Z]{10})([0-9A-HJKMNP-TV-Z]{5})([0-9A-HJKMNP-TV-Z]{3})([0-9A-HJKMNP-TV-Z]{16})$/
const PROOF_LENGTH = 16

/** A number as so many characters. */
const characters = (number: number, length: number): string =>
  Array.from({ length }, (_, index) =>
    CODE_ALPHABET.charAt(Math.floor(number / 32 ** (length - 1 - index)) % 32)
  ).join('')

const numberOf = (text: string): number =>
  Array.from(text).reduce((sum, character) => sum * 32 + CODE_ALPHABET.indexOf(character), 0)

/** The characters that prove what a code says: each has the five highest bits of a byte of the HMAC. */
const proofOf = (said: string, secret: Uint8Array): string =>
  Array.from(
    // As an object: Node takes three times as long with the bytes of a key.
    createHmac('sha256', createSecretKey(secret))
      .update(`${PURPOSE} ${said}`)
      .digest()
      .subarray(0, PROOF_LENGTH),
    (byte) => CODE_ALPHABET.charAt(byte >> 3)
  ).join('')

/** Returns a code of 40 characters. @param secret of the key, 32 bytes */
export const writeOfflineCode = ({ key, serial, points, day }: OfflineCode, secret: Uint8Array): string => {
  const said = key + serial + characters(points, 5) + characters((Date.parse(day) - FIRST_DAY) / DAY_MS, 3)
  return said + proofOf(said, secret)
}

/** Reads a code in capitals, without looking at its proof. Null for what no till writes, such as the codes of the service. */
export const readOfflineCode = (code: string): UnprovedOfflineCode | null => {
  const [, key, serial, points, day] = SHAPE.exec(code) ?? []
  if (key === undefined || serial === undefined || points === undefined || day === undefined) return null
  return {
    ...{ code, key, serial, points: numberOf(points) },
    day: new Date(FIRST_DAY + numberOf(day) * DAY_MS).toISOString().slice(0, 10)
  }
}

/** Whether a code was written with the secret of its key. */
export const isProved = ({ code }: UnprovedOfflineCode, secret: Uint8Array): boolean =>
  timingSafeEqual(
    Buffer.from(code.slice(-PROOF_LENGTH)),
    Buffer.from(proofOf(code.slice(0, -PROOF_LENGTH), secret))
  )
