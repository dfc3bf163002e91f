/** Codes that a till makes offline: what is written is read, and nothing else is proved. */
import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  CODE_ALPHABET,
  isProved,
  readOfflineCode,
  writeOfflineCode,
  type OfflineCode
} from '../../../electron/codes/offline-code.ts'

const SECRET = Buffer.alloc(32, 7)
const SAID: OfflineCode = { key: 'K7Q2M0', serial: 'ZC4T9A0011', points: 250, day: '2026-11-29' }

const characters = (length: number) =>
  fc.string({ unit: fc.constantFrom(...Array.from(CODE_ALPHABET)), minLength: length, maxLength: length })
const said: fc.Arbitrary<OfflineCode> = fc.record({
  key: characters(6),
  serial: characters(10),
  points: fc.integer({ min: 1, max: 9_999_999 }),
  day: fc
    .integer({ min: 0, max: 32_767 })
    .map((days) => new Date(Date.UTC(2024, 0, 1 + days)).toISOString().slice(0, 10))
})

it('is 40 characters, of which the last 16 are 80 bits of the HMAC', () => {
  const code = writeOfflineCode(SAID, SECRET)
  expect(code.slice(0, 24)).toBe('K7Q2M0ZC4T9A00110007T117')
  const mac = createHmac('sha256', SECRET)
    .update(`offline-codes/1 ${code.slice(0, 24)}`)
    .digest()
  expect(Array.from(code.slice(24), (each) => CODE_ALPHABET.indexOf(each))).toEqual(
    Array.from(mac.subarray(0, 16), (byte) => byte >> 3)
  )
})

it('says what was written', () => {
  fc.assert(
    fc.property(said, (each) => {
      const code = writeOfflineCode(each, SECRET)
      const read = readOfflineCode(code)
      expect(read).toEqual({ ...each, code })
      expect(read !== null && isProved(read, SECRET)).toBe(true)
    })
  )
})

it('is not proved with another secret, or with any character changed', () => {
  const code = writeOfflineCode(SAID, SECRET)
  const proved = (text: string, secret = SECRET): boolean => {
    const read = readOfflineCode(text)
    return read !== null && isProved(read, secret)
  }
  expect(proved(code)).toBe(true)
  expect(proved(code, Buffer.alloc(32, 8))).toBe(false)
  for (let at = 0; at < code.length; at += 1) {
    for (const other of CODE_ALPHABET.replace(code.charAt(at), '')) {
      expect(proved(code.slice(0, at) + other + code.slice(at + 1))).toBe(false)
    }
  }
})

it.each([
  '7QK2M0ZC4T9A',
  '',
  writeOfflineCode(SAID, SECRET).toLowerCase(),
  `${writeOfflineCode(SAID, SECRET)}0`
])('is not read from %j', (text) => expect(readOfflineCode(text)).toBeNull())
