/** Generates identifiers, codes and tokens. */
import { createHash, hash, randomBytes } from 'node:crypto'
import { CODE_ALPHABET } from '../../codes/offline-code.ts'

/** Returns `size` random bytes. */
export type RandomBytes = (size: number) => Uint8Array

/** Bytes that are fetched at a time: one call of the system takes as long for these as for a few. */
const FETCHED_BYTES = 4096

/** Random bytes from the operating system, each given once. */
export const systemRandomBytes: RandomBytes = (() => {
  let fetched = randomBytes(0)
  return (size) => {
    if (fetched.length < size) fetched = randomBytes(Math.max(size, FETCHED_BYTES))
    const given = fetched.subarray(0, size)
    fetched = fetched.subarray(size)
    return given
  }
})()

/** Characters of a code: 60 bits cannot be guessed and fit on one line of a slip. */
const CODE_LENGTH = 12

const randomCharacters = (random: RandomBytes, length: number): string => {
  let characters = ''
  for (const byte of random(length)) characters += CODE_ALPHABET.charAt(byte & 31)
  return characters
}

/** Returns a new QR code, such as `7QK2M0ZC4T9A`. The interface document specifies no format. */
export const newCode = (random: RandomBytes): string => randomCharacters(random, CODE_LENGTH)

/** Returns a new name of a till's key for codes without a connection, and the random part of such a code. */
export const newOfflineKey = (random: RandomBytes): string => randomCharacters(random, 6)

/** 130 bits: a device's code by which a till finds its customer. */
const CUSTOMER_CODE_LENGTH = 26

/** Returns the secret of a new customer code; see `parseCustomerCode`. */
export const newCustomerCode = (random: RandomBytes): string => randomCharacters(random, CUSTOMER_CODE_LENGTH)

/** Customers, rewards, businesses (users, in the interface document), ledger entries, returns, tills, devices, staff members, imports, requests, versions of rules. */
type IdentifierPrefix = 'cus' | 'rew' | 'usr' | 'ent' | 'ret' | 'till' | 'dev' | 'stf' | 'imp' | 'req' | 'rul'

/** Returns a new identifier, such as `rew_7qk2m0zc4t9ax3bd`. The interface document specifies no format. */
export const newIdentifier = (prefix: IdentifierPrefix, random: RandomBytes): string =>
  `${prefix}_${randomCharacters(random, 16).toLowerCase()}`

/** Characters of a moment: 45 bits of milliseconds, until the year 3084. */
const TIME_LENGTH = 9

/** A moment in characters that sort by time. */
const timeCharacters = (at: Date): string => {
  let characters = ''
  let rest = at.getTime()
  for (let index = 0; index < TIME_LENGTH; index += 1) {
    characters = CODE_ALPHABET.charAt(rest % 32) + characters
    rest = Math.floor(rest / 32)
  }
  return characters
}

/**
 * Returns a new identifier that begins with a moment. Rows that are added together are then neighbours in the index: a commit
 * writes one page of it, where for random identifiers it would write one for each row.
 */
export const newOrderedIdentifier = (prefix: 'cus' | 'ent' | 'dev', at: Date, random: RandomBytes): string =>
  `${prefix}_${(timeCharacters(at) + randomCharacters(random, 12)).toLowerCase()}`

/** The identifier of what a request makes: of another change with the same request, such as other points, another one. */
export const identifierOfRequest = (
  prefix: IdentifierPrefix,
  ...change: readonly (string | number | null)[]
): string => `${prefix}_${hash('sha256', JSON.stringify(change)).slice(0, 16)}`

/** Random bytes that are the same each time for one request, whose id is random, and change: for a form that is sent twice. */
export const randomOfRequest = (request: string, ...change: readonly (string | number)[]): RandomBytes => {
  let calls = 0
  return (size) => {
    calls += 1
    const seed = JSON.stringify([request, ...change, calls])
    return createHash('shake256', { outputLength: size }).update(seed).digest()
  }
}

/** How long a form that makes a secret may be sent. Until then what it made is remembered, so that it is not made again. */
export const SECRET_FORM_TIME_MS = 24 * 60 * 60_000

/** Returns a new bearer token of 256 random bits, in the syntax of RFC 6750. */
export const newToken = (random: RandomBytes): string => Buffer.from(random(32)).toString('base64url')

/** The hash by which a token is stored and looked up. Enough for random tokens, which cannot be guessed. */
export const hashToken = (token: string): string => hash('sha256', token)

/** Returns a new token with a moment, for `hashOrderedToken`. */
export const newOrderedToken = (at: Date, random: RandomBytes): string =>
  `${timeCharacters(at)}.${newToken(random)}`

/** Returns the moment of a token of `newOrderedToken`, in milliseconds since 1970; 0 for one without. */
export const momentOf = (token: string): number =>
  Array.from(/^([0-9A-HJKMNP-TV-Z]{9})\./.exec(token)?.[1] ?? '').reduce(
    (sum, character) => sum * 32 + CODE_ALPHABET.indexOf(character),
    0
  )

/** The hash of a token with its moment before it, for the reason of `newOrderedIdentifier`. One without a moment has its `hashToken`. */
export const hashOrderedToken = (token: string): string =>
  (/^([0-9A-HJKMNP-TV-Z]{9})\./.exec(token)?.[1] ?? '') + hashToken(token)
