/** The text engine: any text measured, wrapped and ready to draw, in every script that the fonts cover. */
import { BASE_FAMILY, fontFile, type Fonts, type FontStore, type HanStyle } from './fonts.ts'
import {
  createFamilyFinder,
  type FamilyFinder,
  hanStyleOfSlip,
  hanStyleOfText,
  toPrintable
} from './itemize.ts'
import { Paragraph, wrapParagraph, type WrapOptions } from './paragraph.ts'
import { createShaper, type Shaper, type TextLine, type TextStyle } from './shape.ts'

export type { TextLine, TextStyle } from './shape.ts'

/** More UTF-16 units than any line of a slip holds; limits the work for an absurdly long text. */
const MAX_UNITS_PER_LINE = 800

/** Measures and wraps the text of one slip. Lengths are dots. */
export class SlipText {
  readonly #fonts: Fonts
  readonly #shape: Shaper
  readonly #hanStyle: HanStyle
  readonly #missing = new Set<string>()
  readonly #closedFonts = new Set<string>()

  /** Locale (BCP 47) and time zone (IANA) of the business determine the forms of Han characters and a few letters. */
  constructor(fonts: Fonts, place: { readonly locale: string; readonly timeZone: string }) {
    this.#fonts = fonts
    this.#shape = createShaper(fonts, place.locale)
    this.#hanStyle = hanStyleOfSlip(place)
  }

  /** One line, however wide. */
  line(text: string, style: TextStyle): TextLine {
    const { content, find } = this.#prepare(text)
    const paragraph = this.#paragraph(content, style, find)
    return paragraph.line(0, paragraph.text.length)
  }

  /** Lines no wider than `options.width`, broken where the script allows it. None for a blank text. */
  wrap(text: string, style: TextStyle, options: WrapOptions): TextLine[] {
    const { content, find } = this.#prepare(text.slice(0, options.maxLines * MAX_UNITS_PER_LINE))
    const create = (changed: string): Paragraph => this.#paragraph(changed, style, find)
    return wrapParagraph(create(content), options, create)
  }

  /** Whether a font has every character of `text`. */
  shows(text: string): boolean {
    return toPrintable(text, this.#isShown(this.#familyFinder(text))).missing.length === 0
  }

  /** The graphemes that no font has, each once, of all lines so far; the lines show a replacement mark instead. */
  missing(): string[] {
    return [...this.#missing]
  }

  /** Font files that the lines so far need and that are not open: these lines have no valid width. */
  closedFonts(): ReadonlySet<string> {
    return this.#closedFonts
  }

  #familyFinder(text: string): FamilyFinder {
    return createFamilyFinder(this.#fonts.covers, hanStyleOfText(text) ?? this.#hanStyle)
  }

  #isShown(find: FamilyFinder): (grapheme: string) => boolean {
    return (grapheme) => find(grapheme, null) !== null
  }

  #prepare(text: string): { readonly content: string; readonly find: FamilyFinder } {
    const find = this.#familyFinder(text)
    const { text: content, missing } = toPrintable(text, this.#isShown(find))
    for (const grapheme of missing) this.#missing.add(grapheme)
    return { content, find }
  }

  #paragraph(text: string, style: TextStyle, find: FamilyFinder): Paragraph {
    return new Paragraph(text, style, {
      fonts: this.#fonts,
      shape: this.#shape,
      find,
      onClosedFont: (file) => this.#closedFonts.add(file)
    })
  }
}

/** Composes with the fonts that are open, opens those that turned out to be needed, and repeats until none is missing. */
export async function withOpenFonts<Composed extends { readonly text: SlipText }>(
  store: FontStore,
  compose: (fonts: Fonts) => Composed
): Promise<Composed> {
  let fonts = await store.open([fontFile(BASE_FAMILY, 'regular').file, fontFile(BASE_FAMILY, 'bold').file])
  for (;;) {
    const composed = compose(fonts)
    const closed = composed.text.closedFonts()
    if (closed.size === 0) return composed
    fonts = await store.open(closed)
  }
}
