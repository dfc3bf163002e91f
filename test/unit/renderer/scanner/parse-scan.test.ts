import { describe, expect, test } from 'vitest'
import type { KeyStroke } from '../../../../renderer/src/scanner/scan-detector.ts'
import { kindOf, parseScan } from '../../../../renderer/src/scanner/parse-scan.ts'
import { pressesOf, type Layout } from '../../../support/scanner/presses.ts'

const strokes = (text: string, layout: Layout, capsLock = false): readonly KeyStroke[] =>
  pressesOf(text, layout, capsLock).map((press, place) => ({ at: place * 10, ...press }))

const SCANNED = [
  ['https://points.example/q/AR7K-5093?s=till', 'address'],
  ['maria_p@example.com', 'email'],
  ['+306901234567', 'phone'],
  ['6901234567', 'phone'],
  ['AR7K-5093', 'code']
] as const

describe.each(['us', 'greek', 'french', 'arabic', 'german', 'ime'] as const)(
  'parseScan with the keyboard layout "%s"',
  (layout) => {
    test.each(SCANNED)('reads %s as it was printed, with the kind %s', (text, kind) => {
      expect(parseScan(strokes(text, layout))).toMatchObject({ text, kind })
    })
  }
)

test('reads a scanner that is configured for the layout of the computer', () => {
  // With a French layout, a scanner sends Shift with each digit.
  const french = Array.from('6901234567', (key, place) => ({
    at: place * 10,
    key,
    code: `Digit${key}`,
    shift: true
  }))
  expect(parseScan(french)).toMatchObject({ text: '6901234567', kind: 'phone' })
})

test('ignores Caps Lock', () => {
  expect(parseScan(strokes('AR7k-5093', 'us', true))).toMatchObject({ text: 'AR7k-5093', kind: 'code' })
})

describe('with Caps Lock', () => {
  /** The keys of a scanner that inverts Shift, so that the text comes out right. */
  const madeUpFor = (text: string, layout: Layout): readonly KeyStroke[] =>
    strokes(text, layout).map((stroke) => ({
      ...stroke,
      shift: stroke.code.startsWith('Key') !== stroke.shift,
      capsLock: true
    }))

  test.each([
    ['https://points.example/q/aB7K', 'HTTPS://POINTS.EXAMPLE/Q/Ab7k'],
    ['mailto:maria@example.com', 'MAILTO:MARIA@EXAMPLE.COM']
  ])('a scanner that makes up for it: %s', (text, inverted) => {
    const withoutScheme = (address: string) => address.replace(/^mailto:/iu, '')
    const wanted = { text: withoutScheme(text), others: [withoutScheme(inverted)] }
    expect(parseScan(madeUpFor(text, 'us'))).toMatchObject(wanted)
    expect(parseScan(madeUpFor(text, 'greek'))).toMatchObject(wanted)
    expect(parseScan(madeUpFor(text, 'ime'))).toMatchObject(wanted)
    // A scanner that knows nothing of it.
    expect(parseScan(strokes(text, 'us', true))).toMatchObject(wanted)
  })

  test('a code without a scheme has both readings', () => {
    expect(parseScan(madeUpFor('AR7k-5093', 'us'))).toMatchObject({
      kind: 'code',
      text: 'ar7K-5093',
      others: ['AR7k-5093']
    })
    expect(parseScan(strokes('AR7k-5093', 'us', true))).toMatchObject({
      text: 'AR7k-5093',
      others: ['ar7K-5093']
    })
  })
})

const VCARD =
  'BEGIN:VCARD\nVERSION:3.0\nN:Papadaki;Maria\nTEL;TYPE=WORK:+302100000000\nTEL;TYPE=CELL:+30 690 0000199\nEND:VCARD'

test.each([
  ['https://wa.me/306900000199', '+306900000199'],
  ['https://wa.me/306900000199?text=hello', '+306900000199'],
  ['https://api.whatsapp.com/send?phone=306900000199&text=hello', '+306900000199'],
  ['sms:+306900000199', '+306900000199'],
  ['SMSTO:+306900000199:hello', '+306900000199'],
  ['tel:+306900000199', '+306900000199'],
  ['MECARD:N:Papadaki,Maria;TEL:+306900000199;;', '+306900000199'],
  [VCARD, '+30 690 0000199'],
  ['MECARD:N:GRAND HOTEL:5;TEL:+306900000199;;', '+306900000199'],
  ['BEGIN:VCARD\nNOTE:HOTEL:1234\nitem1.TEL:+306900000199\nEND:VCARD', '+306900000199'],
  ['BEGIN:VCARD\nTEL;TYPE=FAX:+302100000000\nTEL:+306900000199\nEND:VCARD', '+306900000199'],
  ['tel:0123;phone-context=+1-212-555', '+1-212-5550123']
])('reads the phone in %j', (scanned, text) => {
  for (const layout of ['us', 'greek', 'french'] as const) {
    expect(parseScan(strokes(scanned, layout))).toMatchObject({ kind: 'phone', text })
  }
})

test('returns both readings when a code is valid in both layouts', () => {
  // Z and Y are swapped on a German keyboard.
  expect(parseScan(strokes('YZ4711', 'german'))).toMatchObject({
    kind: 'code',
    text: 'ZY4711',
    others: ['YZ4711']
  })
})

test.each([
  [']Q1https://points.example/q/A1', 'https://points.example/q/A1'],
  [']C06901234567', '6901234567'],
  ['mailto:maria@example.com', 'maria@example.com'],
  ['  AR7K5093 ', 'AR7K5093']
])('removes symbology prefixes, schemes and spaces: %s', (text, wanted) => {
  expect(parseScan(strokes(text, 'us'))?.text).toBe(wanted)
})

test.each([
  ['Papadaki', 'text'],
  ['maria papadaki', 'text'],
  ['tel:+306901234567', 'phone'],
  ['٦٩٠١٢٣٤٥٦٧', 'phone'],
  ['ABCDEF', 'code'],
  ['app://x/y', 'address']
] as const)('kindOf(%s) is %s', (text, kind) => {
  expect(kindOf(text)).toBe(kind)
})

test('returns null when no character can be read', () => {
  expect(parseScan([{ at: 0, key: 'Process', code: 'Lang1', shift: false }])).toBeNull()
})
