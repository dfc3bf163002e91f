/**
 * Text on a slip: measure, wrap, draw. All that the rest of the layout knows of fonts and scripts; sizes and
 * places are in dots.
 */
import type PDFDocument from 'pdfkit'
import { graphemesOf, printable } from './characters.ts'
import type { FontSet, Weight } from './fonts.ts'

export interface TextStyle {
  readonly weight: Weight
  /** height of the em square */
  readonly size: number
}

/** One line, ready to draw: every character in it is in the font. */
export interface TextLine {
  readonly text: string
  readonly width: number
  /** room above and below the line that the letters stand on: the font's own, more where marks reach further */
  readonly ascent: number
  readonly descent: number
  readonly style: TextStyle
}

export interface WrapOptions {
  readonly width: number
  /** what does not fit into so many lines is cut, and the last one ends with an ellipsis */
  readonly mostLines: number
}

export interface SlipText {
  /** One line, however wide. */
  line(text: string, style: TextStyle): TextLine
  /** Lines no wider than asked, broken between words, in need between graphemes. None for a blank text. */
  wrap(text: string, style: TextStyle, options: WrapOptions): TextLine[]
  /** Draws with the line's left end at `x`, standing on the line `baseline`, in the document's current colour. */
  draw(line: TextLine, x: number, baseline: number): void
  /** Adds the line's outlines to the current path: a drawing of the text, not to be found or copied as text. */
  trace(line: TextLine, x: number, baseline: number): void
}

const ELLIPSIS = '…'
/** No line of a slip holds as many; bounds the work on a text that somebody made absurdly long. */
const MOST_GRAPHEMES_A_LINE = 200

/** Text for `document`, whose unit of length must be the dot when something is drawn. */
export function createSlipText(document: InstanceType<typeof PDFDocument>, fonts: FontSet): SlipText {
  document.registerFont('regular', fonts.regular).registerFont('bold', fonts.bold)
  const widthOf = (text: string, { weight, size }: TextStyle): number =>
    document.font(weight).fontSize(size).widthOfString(text)
  const prepare = (text: string, { weight }: TextStyle): string =>
    printable(text, (codePoint) => fonts[weight].hasGlyphForCodePoint(codePoint))
  const toLine = (text: string, style: TextStyle): TextLine => {
    const font = fonts[style.weight]
    const scale = style.size / font.unitsPerEm
    let ascent = font.ascent
    let descent = -font.descent
    const { glyphs, positions } = font.layout(text)
    for (const [index, { cbox }] of glyphs.entries()) {
      const raised = positions[index]?.yOffset ?? 0
      ascent = Math.max(ascent, cbox.maxY + raised)
      descent = Math.max(descent, -cbox.minY - raised)
    }
    return { text, style, width: widthOf(text, style), ascent: ascent * scale, descent: descent * scale }
  }

  /** The longest head of `parts` that fits, at least one part; with `tail` behind it. */
  const fitting = (parts: readonly string[], style: TextStyle, width: number, tail = ''): number => {
    let count = 1
    let text = parts[0] ?? ''
    while (count < parts.length) {
      text += parts[count] ?? ''
      if (widthOf(text.trimEnd() + tail, style) > width) break
      count++
    }
    return count
  }

  const wrap = (text: string, style: TextStyle, { width, mostLines }: WrapOptions): TextLine[] => {
    const bounded = text.slice(0, mostLines * MOST_GRAPHEMES_A_LINE * 4)
    const lines: TextLine[] = []
    // a break may follow a space or a hyphen that stands inside a word
    let words = prepare(bounded, style)
      .split(/(?<= )|(?<=[^ -]-)(?=[^ -])/u)
      .filter((word) => word !== '')
    while (words.length > 0) {
      const graphemes = graphemesOf(words[0] ?? '')
      const wordFits = widthOf((words[0] ?? '').trimEnd(), style) <= width
      if (lines.length + 1 === mostLines) {
        const rest = words.join('')
        if (widthOf(rest, style) <= width) return [...lines, toLine(rest, style)]
        const characters = graphemesOf(rest)
        const head = characters.slice(0, fitting(characters, style, width, ELLIPSIS)).join('')
        return [...lines, toLine(head.trimEnd() + ELLIPSIS, style)]
      }
      if (wordFits) {
        const count = fitting(words, style, width)
        lines.push(toLine(words.slice(0, count).join('').trimEnd(), style))
        words = words.slice(count)
      } else {
        const count = fitting(graphemes, style, width)
        lines.push(toLine(graphemes.slice(0, count).join(''), style))
        words = [graphemes.slice(count).join(''), ...words.slice(1)]
      }
    }
    return lines
  }

  return {
    line: (text, style) => toLine(prepare(text, style), style),
    wrap,
    draw({ text, style }, x, baseline) {
      document
        .font(style.weight)
        .fontSize(style.size)
        .text(text, x, baseline, { lineBreak: false, baseline: 'alphabetic' })
    },
    trace({ text, style }, x, baseline) {
      const font = fonts[style.weight]
      const scale = style.size / font.unitsPerEm
      const { glyphs, positions } = font.layout(text)
      let pen = x
      for (const [index, glyph] of glyphs.entries()) {
        const { xOffset = 0, yOffset = 0, xAdvance = 0 } = positions[index] ?? {}
        const outline = glyph.path.translate(xOffset, yOffset).scale(scale, -scale).translate(pen, baseline)
        document.path(outline.toSVG())
        pen += xAdvance * scale
      }
    }
  }
}
