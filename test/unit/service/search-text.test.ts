import { describe, expect, it } from 'vitest'
import { normalise, searchTermsOf, searchTextOf } from '../../../electron/service/search-text.ts'

describe('normalising', () => {
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
  ])('%s is %s', (written, plain) => {
    expect(normalise(written)).toBe(plain)
  })

  it.each(['กัญญา', 'कृष्णा', 'ガール', '김서연'])('keeps the signs that make another word: %s', (word) => {
    expect(normalise(word)).toBe(word.normalize('NFC'))
  })

  it('gives the same for composed and decomposed spellings', () => {
    for (const word of ['é', '김', 'が', 'ệ', 'ΐ']) {
      expect(normalise(word.normalize('NFD'))).toBe(normalise(word.normalize('NFC')))
    }
  })
})

describe('search terms', () => {
  it('are the text, and its digits when it can be part of a phone', () => {
    expect(searchTermsOf('Zoé')).toEqual(['zoe'])
    expect(searchTermsOf('694 12-34')).toEqual(['694 12-34', '6941234'])
    expect(searchTermsOf('+30 694')).toEqual(['+30 694', '30694'])
    expect(searchTermsOf('6941234')).toEqual(['6941234'])
  })

  it('leave digits alone where they are few, or part of a word', () => {
    expect(searchTermsOf('1-2')).toEqual(['1-2'])
    expect(searchTermsOf('room 101-2')).toEqual(['room 101-2'])
  })

  it('are none for a text that says nothing', () => {
    expect(searchTermsOf(' \u0000\n ')).toEqual([])
  })
})

describe('the text that a customer is found by', () => {
  it('holds name, e-mail and phone', () => {
    const text = searchTextOf({ name: 'Zoé', email: 'Zoe@Example.com', phone: '+33639980117' })
    for (const part of ['zoe', 'zoe@example.com', '+33639980117']) expect(text).toContain(part)
  })
})
