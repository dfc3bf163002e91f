import { describe, expect, it } from 'vitest'
import { graphemesOf, printable } from '../../../../../../electron/main/slips/layout/text/characters.ts'

/** A font of Latin, with the combining marks and the common characters. */
const latin = (codePoint: number): boolean =>
  /[\p{Script=Latin}\p{Script=Inherited}\p{Script=Common}]/u.test(String.fromCodePoint(codePoint)) &&
  codePoint < 0x2600

describe('making text printable', () => {
  it.each([
    ['composes', 'Nguye\u0302\u0303n', 'Nguy\u1EC5n'],
    ['marks what the font lacks, once per character', 'a中村b 👩‍👩‍👧', 'a\uFFFD\uFFFDb \uFFFD'],
    ['marks a broken surrogate', 'a\uD800b', 'a\uFFFDb'],
    ['marks a letter with marks piled on it', `a${'\u0301'.repeat(9)}b`, '\uFFFDb'],
    ['puts a lone mark on a dotted circle', '\u0323a \u0301b', '\u25CC\u0323a \u25CC\u0301b'],
    ['drops what has no form', 'a\u200Bb\u202Ec\u0007d\u00ADe\uFE0F', 'abcde'],
    ['turns blanks and line ends into single spaces', ' a \t b\r\nc\u3000d\u2003 ', 'a b c d'],
    ['keeps a no-break space', '1\u00A0234 1\u202F234', '1\u00A0234 1\u202F234'],
    ['leaves nothing of nothing', '\u200B \n', '']
  ])('%s', (_what, text, expected) => {
    expect(printable(text, latin)).toBe(expected)
  })

  it('tells a reader’s characters apart', () => {
    expect(graphemesOf('e\u0301👩‍👩‍👧x')).toEqual(['e\u0301', '👩‍👩‍👧', 'x'])
  })
})
