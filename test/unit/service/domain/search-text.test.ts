import { describe, expect, it } from 'vitest'
import {
  customerSearchText,
  normalizeText,
  searchTerms
} from '../../../../electron/service/domain/search-text.ts'

describe('normalizeText', () => {
  it.each([
    ['Ζαφειρίου', 'ζαφειριου'],
    ['ΠΑΠΑΔΟΠΟΥΛΟΣ', 'παπαδοπουλοσ'],
    ['Παπαδόπουλος', 'παπαδοπουλοσ'],
    ['Đặng Thị Ánh', 'dang thi anh'],
    ['Łukasz Żak', 'lukasz zak'],
    ['İbrahim Yılmaz', 'ibrahim yilmaz'],
    ['Größe', 'grosse'],
    ['Йордан', 'иордан'],
    ['ＡＢＣ　１２３', 'abc 123'],
    ['أحمد', 'احمد'],
    ['שָׁלוֹם', 'שלום'],
    ['  two\t\nlines\u0000 ', 'two lines']
  ])('returns %s as %s', (written, plain) => {
    expect(normalizeText(written)).toBe(plain)
  })

  it.each(['กัญญา', 'कृष्णा', 'ガール', '김서연'])('keeps marks that distinguish words: %s', (word) => {
    expect(normalizeText(word)).toBe(word.normalize('NFC'))
  })

  it('returns the same for composed and decomposed characters', () => {
    for (const word of ['é', '김', 'が', 'ệ', 'ΐ']) {
      expect(normalizeText(word.normalize('NFD'))).toBe(normalizeText(word.normalize('NFC')))
    }
  })
})

describe('searchTerms', () => {
  it('returns the text, and its digits if it can be part of a phone', () => {
    expect(searchTerms('Zoé', '')).toEqual(['zoe'])
    expect(searchTerms('694 12-34', '')).toEqual(['694 12-34', '6941234'])
    expect(searchTerms('+30 694', '')).toEqual(['+30 694', '30694'])
    expect(searchTerms('6941234', '')).toEqual(['6941234'])
  })

  it('does not extract fewer than three digits, or digits of a word', () => {
    expect(searchTerms('1-2', '')).toEqual(['1-2'])
    expect(searchTerms('room 101-2', '')).toEqual(['room 101-2'])
  })

  it('returns nothing for a blank text', () => {
    expect(searchTerms(' \u0000\n ', '')).toEqual([])
  })
})

describe('customerSearchText', () => {
  it('contains name, e-mail and phone', () => {
    const text = customerSearchText({ name: 'Zoé', email: 'Zoe@Example.com', phone: '+33639980117' })
    for (const part of ['zoe', 'zoe@example.com', '+33639980117']) expect(text).toContain(part)
  })
})
