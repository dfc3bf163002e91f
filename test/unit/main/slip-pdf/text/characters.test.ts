import { describe, expect, it } from 'vitest'
import {
  graphemesOf,
  toPrintable,
  visibleCodePoints
} from '../../../../../electron/main/slip-pdf/text/itemize.ts'

/** Fonts of Latin and Burmese, with the combining marks and the common characters. */
const shows = (grapheme: string): boolean =>
  visibleCodePoints(grapheme).every(
    (codePoint) =>
      (codePoint < 0x2600 || codePoint === 0xfffd) &&
      /[\p{Script=Latin}\p{Script=Myanmar}\p{Script=Inherited}\p{Script=Common}]/u.test(
        String.fromCodePoint(codePoint)
      )
  )

describe('making text printable', () => {
  it.each([
    ['composes', 'Nguye\u0302\u0303n', 'Nguy\u1EC5n', []],
    ['marks what no font has, once per character', 'a中b 👩‍👩‍👧', 'a\uFFFDb \uFFFD', ['中', '👩‍👩‍👧']],
    ['marks a broken surrogate', 'a\uD800b', 'a\uFFFDb', []],
    [
      'marks a letter with marks piled on it',
      `a${'\u0323'.repeat(9)}b`,
      '\uFFFDb',
      [`ạ${'\u0323'.repeat(8)}`]
    ],
    ['puts a lone mark on a dotted circle', '\u0323a \u0301b', '\u25CC\u0323a \u25CC\u0301b', []],
    ['leaves a vowel sign to the letter before it', 'မာ', 'မာ', []],
    ['drops what has no form', 'ab\u202Ec\u0007d\u00ADe\uFE0F', 'abcde', []],
    ['keeps joiners and direction marks', 'a\u200Cb\u200Fc', 'a\u200Cb\u200Fc', []],
    ['turns blanks and line ends into single spaces', ' a \t b\r\nc\u3000d\u2003 ', 'a b c d', []],
    ['keeps a no-break space', '1\u00A0234 1\u202F234', '1\u00A0234 1\u202F234', []],
    ['leaves nothing of nothing', '\u200B \n', '', []]
  ])('%s', (_what, text, expected, missing) => {
    expect(toPrintable(text, shows)).toEqual({ text: expected, missing })
  })

  it('splits text into graphemes', () => {
    expect(graphemesOf('e\u0301👩‍👩‍👧x')).toEqual(['e\u0301', '👩‍👩‍👧', 'x'])
  })
})
