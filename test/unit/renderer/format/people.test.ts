import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  highlightPhone,
  highlightText,
  initials,
  maskPhone,
  type TextPart
} from '../../../../renderer/src/format/people.ts'
import '../support/english.ts'

describe('initials', () => {
  test.each([
    ['Μαρία Παπαδοπούλου', 'ΜΠ'],
    ['  ana maria jovanović ', 'AJ'],
    ['Søren', 'S'],
    ['👩🏽‍🚀 Astro', '👩🏽‍🚀A'],
    ['', '']
  ])('of %j are %j', (name, letters) => {
    expect(initials(name)).toBe(letters)
  })
})

test.each([
  ['+30 690 123 4567', '+30 ••• ••• 4567'],
  ['+44 20 7946 0958', '+44 •• •••• 0958'],
  ['+7 912 345-67-89', '+7 ••• •••-67-89'],
  ['690 123 4567', '••• ••• 4567'],
  ['+306901234567', '+••••••••4567'],
  // At least half of the digits of a short number are masked.
  ['+30 12345', '+30 •••45'],
  ['+30 1', '+30 •'],
  ['', ''],
  ['unknown', 'unknown']
])('maskPhone shows %s as %s', (phone, masked) => {
  expect(maskPhone(phone)).toBe(masked)
})

/** Joins the parts, with brackets around matches: `Maria [Pa]padaki`. */
const withBrackets = (parts: readonly TextPart[]): string =>
  parts.map(({ text, matched }) => (matched ? `[${text}]` : text)).join('')

describe('highlightText', () => {
  test.each([
    ['Maria Papadaki', 'pa', 'Maria [Pa]padaki'],
    ['Maria Papadaki', 'ma pap', '[Ma]ria [Pap]adaki'],
    ['Μαρία Παπαδοπούλου', 'μαρια', '[Μαρία] Παπαδοπούλου'],
    ['Νίκος', 'ΝΙΚΟΣ', '[Νίκος]'],
    ['Chloé Nicolas', 'chloe n', '[Chloé] [N]icolas'],
    ['Anne-Marie', 'mar', 'Anne-[Mar]ie'],
    ['Straße', 'strasse', '[Straße]'],
    ['Dominika', 'nika', 'Domi[nika]'],
    ['maria@example.com', 'maria@ex', '[maria@ex]ample.com'],
    ['Nguyễn', 'nguye', '[Nguyễ]n'],
    ['Chloe\u0301 N', 'chloe', '[Chloe\u0301] N'],
    ['Maria', 'x', 'Maria'],
    ['Maria', ' ', 'Maria']
  ])('in %s for the query "%s" returns %s', (name, query, expected) => {
    expect(withBrackets(highlightText(name, query))).toBe(expected)
  })
})

describe('highlightPhone', () => {
  test.each([
    ['+30 690 123 4567', '6901', '+30 [690 1]23 4567'],
    ['+30 690 123 4567', '690-123', '+30 [690 123] 4567'],
    ['+30 690 123 4567', '+30690', '+[30 690] 123 4567'],
    ['+30 690 123 4567', '0030 690', '+[30 690] 123 4567'],
    ['+33 6 12 34 56 78', '0612', '+33 [6 12] 34 56 78'],
    ['+30 690 123 4567', '٦٩٠', '+30 [690] 123 4567'],
    ['+30 690 123 4567', '4', '+30 690 123 4567'],
    ['+30 690 123 4567', 'maria', '+30 690 123 4567'],
    ['+30 690 123 4567', '777', '+30 690 123 4567']
  ])('in %s for the query "%s" returns %s', (phone, query, expected) => {
    expect(withBrackets(highlightPhone(phone, query))).toBe(expected)
  })
})

test('the parts of a highlighted text joined are the text, for any text and query', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (text, query) => {
      for (const matched of [highlightText, highlightPhone]) {
        expect(
          matched(text, query)
            .map((part) => part.text)
            .join('')
        ).toBe(text)
      }
    })
  )
})
