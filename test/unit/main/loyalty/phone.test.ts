import * as fc from 'fast-check'
import {
  getCountries,
  getCountryCallingCode,
  getExampleNumber,
  type CountryCode
} from 'libphonenumber-js/min'
import examples from 'libphonenumber-js/examples.mobile.json' with { type: 'json' }
import { describe, expect, test } from 'vitest'
import { formatTypedPhone, parsePhone } from '../../../../electron/contract/phone.ts'

describe('a French phone, in France', () => {
  test.each([
    '0612345678',
    '06 12 34 56 78',
    '06 12-34.56 78',
    '06.12.34.56.78',
    '06/12/34/56/78',
    '06·12·34·56·78',
    '06, 12, 34, 56, 78',
    '(0)6 12 34 56 78',
    '[06] 12 34 56 78',
    '+33612345678',
    '+33 6 12 34 56 78',
    '+33 (0)6 12 34 56 78',
    '+33 (0) 6 12 34 56 78',
    '+ 33 6 12 34 56 78',
    '++33 6 12 34 56 78',
    '(+33) 6 12 34 56 78',
    '+(33) 6 12 34 56 78',
    '0033612345678',
    '00 33 6 12 34 56 78',
    '+0033 6 12 34 56 78',
    '011 33 6 12 34 56 78',
    '33612345678',
    '０６１２３４５６７８',
    '＋３３　６　１２　３４　５６　７８',
    '٠٦١٢٣٤٥٦٧٨',
    '۰۶۱۲۳۴۵۶۷۸',
    '०६ १२ ३४ ५६ ७८',
    '๐๖๑๒๓๔๕๖๗๘',
    'tel:+33612345678',
    'tel:+33-6-12-34-56-78',
    'tel:0612345678',
    'TEL:06-12-34-56-78;ext=12',
    'tel:0612345678;phone-context=+33',
    'tel:%2B33612345678',
    'callto://+33612345678',
    'sms:+33612345678?body=hello',
    '06 12 34 56 78 ext. 12',
    '06 12 34 56 78 x12',
    '06 12 34 56 78 #12',
    '06\u00a012\u202f34\u200956\u300078',
    '06\u201112\u201334\u201456\u221278',
    '\u202a+33 6 12 34 56 78\u202c',
    '\u200e06\u200b12345678',
    '\t06 12 34 56 78\r\n'
  ])('%j', (text) => {
    expect(parsePhone(text, 'FR')).toEqual({ e164: '+33612345678', display: '+33 6 12 34 56 78' })
  })
})

test.each([
  ['0033612345678', 'US', '+33612345678'],
  ['011 33 6 12 34 56 78', 'US', '+33612345678'],
  ['(202) 555-0123', 'US', '+12025550123'],
  ['1-202-555-0123', 'US', '+12025550123'],
  ['0055 11 91234-5678', 'BR', '+5511912345678'],
  ['+34 (0)612 345 678', 'ES', '+34612345678'],
  ['+39 06 1234 5678', 'IT', '+390612345678'],
  ['+39 (0)6 1234 5678', 'DE', '+390612345678'],
  ['8 (912) 345-67-89', 'RU', '+79123456789'],
  ['810 33 6 12 34 56 78', 'RU', '+33612345678'],
  ['0011 33 6 12 34 56 78', 'AU', '+33612345678'],
  ['6912345678', 'GR', '+306912345678'],
  ['07400 123456', 'GB', '+447400123456'],
  ['+33612345678', 'no country', '+33612345678'],
  ['+33612345678', '', '+33612345678'],
  // The country's own code without a plus sign, where a number may begin with it, too.
  ['4917612345678', 'DE', '+4917612345678'],
  ['49 176 12345678', 'DE', '+4917612345678'],
  ['(0491) 6123456', 'DE', '+494916123456'],
  ['38348434072', 'XK', '+38348434072'],
  ['(55) 97677-9361', 'BR', '+5555976779361'],
  ['5555976779361', 'BR', '+5555976779361'],
  ['390 605 971', 'IT', '+39390605971'],
  ['53486547', 'CU', '+5353486547'],
  ['+39 (0)317 548 6021', 'IT', '+393175486021'],
  ['+39 (0)6 1234 5678', 'IT', '+390612345678']
])('%j in %s is %s', (text, country, e164) => {
  expect(parsePhone(text, country)?.e164).toBe(e164)
})

test.each([
  ['+5215512345678', 'MX', '+525512345678', '+5215512345678'],
  ['521 55 1234 5678', 'MX', '+525512345678', '+5215512345678'],
  ['044 55 1234 5678', 'MX', '+525512345678', '+520445512345678'],
  ['1 55 1234 5678', 'MX', '+525512345678', '+5215512345678'],
  ['+22997123456', 'FR', '+2290197123456', '+22997123456'],
  ['97 12 34 56', 'BJ', '+2290197123456', '+22997123456'],
  ['0022997123456', 'BJ', '+2290197123456', '+22997123456'],
  ['+551187654321', '', '+5511987654321', '+551187654321'],
  ['+22507123456', '', '+2250707123456', '+22507123456'],
  ['05 12 34 56', 'CI', '+2250505123456', '+22505123456'],
  ['+2416860213', '', '+24106860213', '+2416860213'],
  ['06 86 02 13', 'GA', '+24106860213', null]
])('the old number %s in %s is %s now', (text, country, e164, former) => {
  expect(parsePhone(text, country)).toMatchObject({ e164, ...(former === null ? {} : { former }) })
  expect(parsePhone(e164, country)).not.toHaveProperty('former')
})

describe('the phone of a link or a contact card', () => {
  test.each([
    'https://wa.me/33612345678',
    'http://wa.me/+33612345678/',
    'wa.me/33612345678?text=Bonjour%2012',
    'https://api.whatsapp.com/send?phone=33612345678&text=a',
    'https://api.whatsapp.com/send/?text=a&phone=%2B33612345678',
    'https://web.whatsapp.com/send?phone=33612345678',
    'whatsapp://send?phone=33612345678',
    'viber://chat?number=%2B33612345678',
    'https://t.me/+33612345678',
    'tg://resolve?phone=33612345678',
    'https://signal.me/#p/+33612345678',
    'SMSTO:+33612345678:Bonjour',
    'smsto:0612345678',
    'facetime:+33612345678',
    'MECARD:N:Martin,Anne;TEL:0612345678;EMAIL:anne@example.org;;',
    'MECARD:TEL:+33612345678;N:Martin;;',
    'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Anne\r\nTEL;TYPE=CELL:+33 6 12 34 56 78\r\nEND:VCARD',
    'BEGIN:VCARD\nVERSION:4.0\nitem1.TEL;VALUE=uri;TYPE="voice,cell":tel:+33-6-12-34-56-78\nEND:VCARD',
    'BEGIN:VCARD\nVERSION:2.1\nTEL;WORK:+33123456789\nTEL;CELL:0612345678\nEND:VCARD',
    'BEGIN:VCARDVERSION:3.0N:Martin;AnneTEL;TYPE=CELL:+33612345678EMAIL:a@example.orgEND:VCARD'
  ])('%j', (text) => {
    expect(parsePhone(text, 'FR')?.e164).toBe('+33612345678')
  })

  test.each([
    'https://wa.me/qr/ABCDEF1234567',
    'https://t.me/+AbCd1234567',
    'https://points.example/q/33612345678',
    'https://points.example/send?phone=33612345678',
    'MECARD:N:Martin;EMAIL:anne@example.org;;',
    'BEGIN:VCARD\nFN:Anne 0612345678\nEND:VCARD'
  ])('none in %j', (text) => {
    expect(parsePhone(text, 'FR')).toBeNull()
  })
})

describe('no phone', () => {
  test.each([
    '',
    ' ',
    'Anna',
    'Anna 0612345678',
    '0612345678 Anna',
    'ada@example.org',
    '0612',
    '061234567',
    '06123456789012',
    '2026',
    '112',
    '+',
    '+33',
    '+999 123456789',
    '+49 335003603159191',
    '+49 1185',
    'https://points.example/q/0612345678',
    'AB12CD34',
    '06 12 34 56 7²8 or so',
    '0'.repeat(200),
    'tel:',
    'tel:%',
    '²³'
  ])('%j', (text) => {
    expect(parsePhone(text, 'FR')).toBeNull()
  })

  test('without a country to read it in', () => {
    expect(parsePhone('0612345678', 'XX')).toBeNull()
    expect(parsePhone('0612345678', '')).toBeNull()
  })

  test('in any text at all throws nothing, and what is found is sendable', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('FR', 'US', 'JP', '', 'toString'),
        (text, country) => {
          const phone = parsePhone(text, country)
          if (phone !== null) expect(phone.e164).toMatch(/^\+[1-9]\d{6,14}$/)
        }
      )
    )
  })
})

describe('every country', () => {
  const samples = getCountries().flatMap((country) => getExampleNumber(country, examples) ?? [])

  test('has its number read in each of its spellings', () => {
    const wrong = samples.flatMap((number) =>
      [
        number.number,
        number.formatNational(),
        number.formatInternational(),
        number.getURI(),
        `00${number.number.slice(1)}`
      ].filter((spelling) => parsePhone(spelling, number.country ?? '')?.e164 !== number.number)
    )
    expect(samples.length).toBeGreaterThan(200)
    expect(wrong).toEqual([])
  })

  const separator = fc.constantFrom('', ' ', '-', '.', '\u00a0', '\u2011', ' - ', '\u200e')
  const script = fc.constantFrom(
    '0123456789',
    '０１２３４５６７８９',
    '٠١٢٣٤٥٦٧٨٩',
    '۰۱۲۳۴۵۶۷۸۹',
    '०१२३४५६७८९'
  )

  test('has its number read with any separators and digits', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...samples),
        fc.array(separator, { minLength: 16, maxLength: 16 }),
        script,
        fc.constantFrom('+', '00', '＋', '(+', 'tel:+'),
        (number, separators, digits, prefix) => {
          const spelled = Array.from(number.number.slice(1), (digit, at) => [
            digits[Number(digit)],
            separators[at]
          ])
          const text = prefix + spelled.flat().join('')
          expect(parsePhone(text, 'FR')?.e164).toBe(number.number)
        }
      ),
      { numRuns: 500 }
    )
  })

  test('shows its number in a form that reads as the same', () => {
    for (const number of samples) {
      const phone = parsePhone(number.number, 'FR')
      expect(parsePhone(phone?.display ?? '', 'US')).toEqual(phone)
    }
  })
})

describe('a phone while it is typed', () => {
  const samples = getCountries().flatMap((country) => getExampleNumber(country, examples) ?? [])

  /** What a reader takes for the number: with its country code, or the keys as they were pressed. */
  const meaning = (shown: { readonly prefix: string; readonly text: string }): string =>
    `${shown.prefix}${shown.text}`.replaceAll(/[^+\d]/g, '')

  /** Whether what is shown is another number than the one that is registered. */
  const isContradiction = (typed: string, country: string): boolean => {
    const shown = formatTypedPhone(typed, country)
    const read = parsePhone(typed, country)
    const claim = shown.prefix === '' ? typed : (read?.e164 ?? shown.prefix + typed)
    const sent = parsePhone(`${shown.prefix} ${shown.text}`.trim(), country)
    return meaning(shown) !== claim || sent?.e164 !== read?.e164
  }

  test.each([
    ['US', '00442079460958', '', '00 44 20 7946 0958', '+442079460958'],
    ['US', '011442079460958', '', '011 44 20 7946 0958', '+442079460958'],
    ['US', '0044', '', '0044', undefined],
    ['US', '2025550123', '+1', '(202) 555-0123', '+12025550123'],
    ['BR', '00442079460958', '', '00 44 20 7946 0958', '+442079460958'],
    ['BR', '005511912345678', '', '00 55 11 91234 5678', '+5511912345678'],
    ['IT', '3331234567', '+39', '333 123 4567', '+393331234567'],
    ['IT', '393331234567', '', '39 333 123 4567', '+393331234567'],
    ['IT', '011442079460958', '', '011 44 20 7946 0958', '+442079460958'],
    ['GB', '01134960000', '', '0113 496 0000', '+441134960000'],
    // The formatter throws.
    ['CV', '02', '', '02', undefined],
    ['XX', '00442079460958', '', '00 44 20 7946 0958', '+442079460958']
  ])('in %s the keys %s are “%s %s”, and %s', (country, keys, prefix, text, e164) => {
    expect(formatTypedPhone(keys, country)).toEqual({ prefix, text })
    expect(parsePhone(keys, country)?.e164).toBe(e164)
  })

  test('shows what is registered, for the number of each country in shops of several', () => {
    const wrong = samples.flatMap((number) =>
      ['US', 'BR', 'IT', 'DE', number.country ?? ''].flatMap((shop) => {
        const digits = number.number.slice(1)
        const national = number.formatNational().replaceAll(/\D/g, '')
        return [`+${digits}`, `00${digits}`, `011${digits}`, digits, national]
          .filter((typed) => isContradiction(typed, shop))
          .map((typed) => [shop, typed, formatTypedPhone(typed, shop), parsePhone(typed, shop)])
      })
    )
    expect(wrong).toEqual([])
  })

  test('shows what is registered after each key, for any keys in any country', () => {
    const parts = fc.tuple(
      fc.constantFrom('', '+', '0', '00', '011', '+00'),
      fc.constantFrom('', ...getCountries().map((country: CountryCode) => getCountryCallingCode(country))),
      fc.string({ unit: fc.constantFrom(...Array.from('0123456789')), maxLength: 12 })
    )
    fc.assert(
      fc.property(fc.constantFrom(...getCountries()), parts, (country, typed) => {
        const keys = typed.join('')
        const texts = Array.from(keys, (_, index) => keys.slice(0, index + 1))
        expect(texts.filter((text) => isContradiction(text, country))).toEqual([])
      }),
      { numRuns: 200 }
    )
  })
})
