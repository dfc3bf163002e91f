import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { graphemesOf } from '../../../../../electron/main/slip-pdf/text/itemize.ts'
import { allFonts, textWith } from '../sample-slips.ts'

const fonts = await allFonts()
const text = textWith(fonts)
const style = { weight: 'regular', size: 24 } as const
const wrapped = (content: string, width: number, maxLines = 100): string[] =>
  text.wrap(content, style, { width, maxLines }).map((line) => line.text)

describe('measuring', () => {
  it('grows with the size, and with the weight', () => {
    const small = text.line('Maria', style).width
    expect(text.line('Maria', { ...style, size: 48 }).width).toBeCloseTo(2 * small, 6)
    expect(text.line('Maria', { ...style, weight: 'bold' }).width).toBeGreaterThan(small)
  })
})

describe('wrapping', () => {
  it('breaks between words, and after a hyphen', () => {
    expect(wrapped('Anna Maria Müller-Lüdenscheidt', 165)).toEqual(['Anna Maria', 'Müller-', 'Lüdenscheidt'])
  })

  it('never breaks at a no-break space', () => {
    expect(wrapped('ab 1\u00A0234', 70)).toEqual(['ab', '1\u00A0234'])
  })

  it('breaks a word that is wider than the line between graphemes', () => {
    const lines = wrapped('q\u0323\u0308'.repeat(30), 100)
    expect(lines.length).toBeGreaterThan(3)
    for (const line of lines) expect(graphemesOf(line).every((grapheme) => grapheme.length === 3)).toBe(true)
  })

  it('truncates long text with an ellipsis', () => {
    expect(wrapped('one two three four', 100, 2)).toEqual(['one two', 'three f…'])
  })

  it('adds no ellipsis to text that fits exactly', () => {
    const { width } = text.line('one two', style)
    expect(wrapped('one two', width, 1)).toEqual(['one two'])
  })

  it('has no line for a blank text', () => {
    expect(wrapped(' \u200B ', 100)).toEqual([])
  })

  it('loses only spaces, and stays within the width', () => {
    const words = fc.array(fc.stringMatching(/^[A-Za-zéßŁя-]{1,25}$/), { maxLength: 12 })
    fc.assert(
      fc.property(words, fc.integer({ min: 60, max: 400 }), (list, width) => {
        const content = list.join(' ')
        const lines = text.wrap(content, style, { width, maxLines: 1000 })
        for (const line of lines) expect(line.width).toBeLessThanOrEqual(width)
        expect(
          lines
            .map((line) => line.text)
            .join('')
            .replaceAll(' ', '')
        ).toBe(content.replaceAll(' ', ''))
      })
    )
  })
})
