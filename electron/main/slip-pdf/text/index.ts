/**
 * Text on a slip, measured and wrapped: all that the rest of the layout knows of fonts and scripts. Lengths are in
 * dots.
 */
import { printable } from './characters.ts'
import { BASE_FAMILY, fileOf, type Fonts, type FontStore, type Weight } from './fonts.ts'
import { createFamilyFinder, hanStyle, hanStyleFor } from './itemize.ts'
import { createParagraph, wrapParagraph, type Paragraph, type WrapOptions } from './paragraph.ts'
import { createShape, type TextLine, type TextStyle } from './shape.ts'

export type { TextLine, TextStyle } from './shape.ts'

export interface SlipText {
  /** One line, however wide. */
  line(text: string, style: TextStyle): TextLine
  /** Lines no wider than asked, broken where the script allows it. None for a blank text. */
  wrap(text: string, style: TextStyle, options: WrapOptions): TextLine[]
  /** Whether every character of `text` can be shown. */
  shows(text: string): boolean
  /** The graphemes that no font has, each once, of the lines made so far; each line shows a mark in their place. */
  missing(): string[]
  /** Font files that the lines made so far need and that are not open: these lines have no right width. */
  closedFonts(): ReadonlySet<string>
}

/** No line of a slip holds as many; bounds the work on a text that somebody made absurdly long. */
const MOST_UNITS_A_LINE = 800

/** Files of the family that every slip uses. */
const baseFonts = (weights: readonly Weight[]): string[] =>
  weights.map((weight) => fileOf(BASE_FAMILY, weight).file)

/**
 * Text for a business in `locale` (BCP 47) and `timeZone` (IANA): both tell how Han characters are drawn, and the
 * locale how a few other letters are.
 */
export function createSlipText(fonts: Fonts, place: { locale: string; timeZone: string }): SlipText {
  const ofSlip = hanStyle(place)
  const closed = new Set<string>()
  const missing = new Set<string>()
  const parts = {
    fonts,
    shape: createShape(fonts, place.locale),
    onClosedFont: (file: string) => closed.add(file)
  }
  const prepare = (text: string) => {
    const find = createFamilyFinder(fonts.covers, hanStyleFor(text, ofSlip))
    return { find, ...printable(text, (grapheme) => find(grapheme, null) !== null) }
  }
  const paragraphs = (text: string, style: TextStyle): [Paragraph, (text: string) => Paragraph] => {
    const prepared = prepare(text)
    for (const grapheme of prepared.missing) missing.add(grapheme)
    const make = (content: string): Paragraph => createParagraph(parts, content, style, prepared.find)
    return [make(prepared.text), make]
  }

  return {
    line(text, style) {
      const [paragraph] = paragraphs(text, style)
      return paragraph.line(0, paragraph.text.length)
    },
    wrap(text, style, options) {
      const [paragraph, remake] = paragraphs(text.slice(0, options.maxLines * MOST_UNITS_A_LINE), style)
      return wrapParagraph(paragraph, options, remake)
    },
    shows: (text) => prepare(text).missing.length === 0,
    missing: () => [...missing],
    closedFonts: () => closed
  }
}

/* from open-fonts.ts: Opening the fonts that a text takes: only setting it tells which those are. */

/** Composes with fonts as far as they are open, to learn which it takes, until all of them are. */
export async function withOpenFonts<Composed extends { readonly text: SlipText }>(
  store: FontStore,
  compose: (fonts: Fonts) => Composed
): Promise<Composed> {
  let fonts = await store.open(baseFonts(['regular', 'bold']))
  for (;;) {
    const composed = compose(fonts)
    const closed = composed.text.closedFonts()
    if (closed.size === 0) return composed
    fonts = await store.open(closed)
  }
}
