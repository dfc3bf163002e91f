import fc from 'fast-check'
import { homedir } from 'node:os'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { redact, serialize } from '../../../../electron/main/log/redact.ts'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const oneOf = (characters: string) => fc.constantFrom(...Array.from(characters))
const text = (characters: string, minLength: number, maxLength: number) =>
  fc.string({ unit: oneOf(characters), minLength, maxLength })

/** The text around a secret in a message: words, brackets, quotes, never an adjacent letter or digit. */
const around = fc.tuple(
  fc.constantFrom('', 'failed for ', 'GET (', 'value "', "'", 'x=1, ', 'Ошибка: '),
  fc.constantFrom('', ' was refused', ')', '"', "'", '\n    at send', ', next')
)

const digits = (least: number, most: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: least, maxLength: most })
const separator = fc.constantFrom('', ' ', '-', '.', '\u00a0', '\u202f', ' - ', ') ', '/', '\u2011')

/** A phone as people spell it: a plus or two zeros, digits in groups of any size with anything between them. */
const phone = fc
  .tuple(
    fc.constantFrom('+', '00', '', '(', '+('),
    digits(9, 13),
    fc.array(separator, { minLength: 13, maxLength: 13 })
  )
  .map(([prefix, numbers, between]) =>
    numbers.reduce<string>(
      (spelled, digit, index) => spelled + (index === 0 ? '' : (between[index] ?? '')) + String(digit),
      prefix
    )
  )
  // What reads as an ISO date and time or an address of a machine is left as it is.
  .filter((spelled) => !/20\d\d-\d\d-\d\d/.test(spelled) && !/^\d{1,3}(\.\d{1,3}){3}$/.test(spelled))

const email = fc
  .tuple(
    text(`${letters}0123456789._+-ηé`, 1, 20).filter((name) => /^[\p{L}\d]/u.test(name)),
    text(letters, 2, 12),
    fc.constantFrom('com', 'gr', 'co.uk', 'δοκιμή')
  )
  .map(([name, host, top]) => `${name}@${host}.${top}`)

/** An opaque token: long, of letters and digits in no order that a word has. */
const token = text(`${letters}0123456789`, 20, 60).filter((made) => /\d/.test(made) && /[A-Za-z]/.test(made))

describe('what a log may not hold', () => {
  test('a phone in any spelling', () => {
    fc.assert(
      fc.property(phone, around, (spelled, [before, after]) => {
        const redacted = redact(`${before}${spelled}${after}`)
        expect(redacted.replace(/x=1/, '')).not.toMatch(/\d{3}|\d\D{0,3}\d\D{0,3}\d\D{0,3}\d/)
      }),
      { numRuns: 2000 }
    )
    expect(redact('+30 690 000 0125 and 6 9 0 0 0 0 0 1 2 5 and (0030) 690-000.01.25')).toBe(
      '[phone] and [phone] and [phone]'
    )
    expect(redact('٠٦٩٠٠٠٠٠١٢٥')).toBe('[phone]')
  })

  test('an e-mail, in plain or in an address', () => {
    fc.assert(
      fc.property(email, around, fc.boolean(), (written, [before, after], encoded) => {
        const [name = ''] = written.split('@')
        const spelled = encoded ? encodeURIComponent(written) : written
        const redacted = redact(`${before}${spelled}${after}`)
        expect(redacted).toContain('[e-mail]')
        if (name.length > 3) expect(redacted).not.toContain(name)
      })
    )
  })

  test('an e-mail whose local part looks like a JSON Web Token', () => {
    expect(redact('to eyJAAAAA@AA.com')).toBe('to [e-mail]')
  })

  test('a token by its shape, by its scheme, by its name', () => {
    fc.assert(
      fc.property(token, around, (made, [before, after]) => {
        expect(redact(`${before}${made}${after}`)).not.toContain(made)
      })
    )
    expect(redact('authorization: Bearer demo')).not.toContain('demo')
    expect(redact('Authorization: Basic dXNlcjpwYXNz')).not.toContain('dXNl')
    expect(redact('{"token":"abc","a":1}')).toBe('{"token":"[token]","a":1}')
    expect(redact('{\\"token\\":\\"abc\\"}')).not.toContain('abc')
    expect(redact('access_token=abc&x')).not.toContain('abc')
    expect(redact('jwt eyJhbGciOiJub25lIn0.eyJhIjoxfQ.')).toBe('jwt [token]')
  })

  test('a token that the till has used, in every spelling, however plain it is', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary-ascii', minLength: 4, maxLength: 40 }),
        around,
        (raw, [before, after]) => {
          const secret = raw.replaceAll(/[^\x21-\x7e]/g, 'q')
          for (const spelled of [
            secret,
            JSON.stringify(secret).slice(1, -1),
            encodeURIComponent(secret),
            Buffer.from(secret).toString('base64'),
            Buffer.from(secret).toString('base64url')
          ]) {
            const redacted = redact(`${before}${spelled}${after}`, [secret])
            expect(redacted.slice(before.length)).not.toContain(spelled)
          }
        }
      )
    )
  })

  test('what an address carries: credentials, query, fragment, the person or code in its path', () => {
    expect(redact('https://user:pass@shop.example/api/qr/ABCD?x=1#y')).toBe(
      'https://[value]@shop.example/api/qr/[value]?[value]'
    )
    expect(redact('GET customers/?name=Maria&page=2 failed')).toBe('GET customers/?name=[value] failed')
    expect(redact('GET /customers/maria%40shop.gr?type=email')).toBe('GET /customers/[value]?type=[value]')
  })

  test('what a parser quotes of its input', () => {
    const text = '{"name": "Μαρία Δοκιμή'
    let message = ''
    try {
      JSON.parse(text)
    } catch (error) {
      message = String(error)
    }
    try {
      JSON.parse('Maria Papadaki')
    } catch (error) {
      message += String(error)
    }
    expect(redact(message)).not.toMatch(/Maria|Μαρία/)
    expect(redact('Invalid type: Expected number but received "Maria"')).not.toContain('Maria')
  })

  test('the code of a slip in the name of its file, and the name of the computer’s user', () => {
    expect(redact(`open '${homedir()}/slips/AB12-CD.pdf'`)).toBe("open '~/slips/[slip].pdf'")
  })
})

describe('what stays readable', () => {
  test.each([
    'slip 0b8f1c1e-5d0f-4d8e-9b7a-2f6f0a9b6c11 was printed',
    'batch-0b8f1c1e-5d0f-4d8e-9b7a-2f6f0a9b6c11',
    'journal.damaged-2026-11-20T10-00-00-000Z.sqlite',
    '2026-11-20T10:00:00.000Z',
    'connect ECONNREFUSED 127.0.0.1:4010',
    'at createOpenSlips (file:///opt/Tillpoints/out/main/index.js:1203:17)',
    'https://loyalty.example/api/rewards',
    'SQLITE_FULL: database or disk is full',
    'electron 45.4.1 on linux x64, 6 slips, 250 points',
    'net::ERR_NAME_NOT_RESOLVED'
  ])('%s', (line) => {
    expect(redact(line)).toBe(line)
  })

  test('and what is redacted already', () => {
    const pieces = fc.oneof(
      phone,
      email,
      token,
      fc.string(),
      fc.constantFrom('Bearer x', 'token: y', 'a?b=c', '/qr/Z')
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 5 }), (some) => {
        const once = redact(some.join(' '))
        expect(redact(once)).toBe(once)
      })
    )
  })
})

describe('a text of any length', () => {
  test('is cut before the patterns search it', () => {
    const search = vi.spyOn(String.prototype, 'replaceAll').mockReturnValue('')
    onTestFinished(() => search.mockRestore())
    serialize({ body: 'x'.repeat(10), text: `${'a1'.repeat(1000)} ${'x'.repeat(1_000_000)}` }, ['secret'])
    expect(search.mock.contexts.length).toBeGreaterThan(0)
    expect(Math.max(...search.mock.contexts.map((context) => String(context).length))).toBeLessThan(10_000)
  })

  test('says its length, and shows no half of a token at its end', () => {
    fc.assert(
      fc.property(fc.nat({ max: 1200 }), token, (before, made) => {
        const whole = `${'word '.repeat(760 + before / 5)}${made.repeat(2)} and more${' word'.repeat(400)}`
        const cut = String(serialize(whole, []))
        expect(cut).toContain(`… (${String(whole.length)} characters)`)
        for (let length = 6; length <= made.length; length++) {
          expect(cut.split('…')[0]?.endsWith(made.slice(0, length))).toBe(false)
        }
      })
    )
  })

  test('keeps its beginning', () => {
    expect(serialize(`the reason ${'-'.repeat(9000)}`, [])).toMatch(/^the reason -{3000,}/)
  })
})
