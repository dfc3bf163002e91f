/** Writes set lines into a PDF. */
import type PDFDocument from 'pdfkit'
import { embedFont, type EmbeddedFont } from './embedded-font.ts'
import type { OpenFont } from './font-store.ts'
import { thickening, type TextLine } from './line.ts'
import { decimal, showRun } from './show-run.ts'

type Document = InstanceType<typeof PDFDocument>

export interface Pen {
  /** Draws with the left end of the line's room at `x`, standing on the line `baseline`, in the document's colours. */
  draw(line: TextLine, x: number, baseline: number): void
  /** Adds the line's outlines to the current path: a drawing of the text, not to be found or copied as text. */
  trace(line: TextLine, x: number, baseline: number): void
  /** Writes the fonts that were drawn with. To be called once, before the document, which buffers pages, ends. */
  end(): void
}

/** A pen for `document`, whose unit of length must be the dot, counted from the top left, when it draws. */
export function createPen(document: Document): Pen {
  const fonts = new Map<OpenFont, EmbeddedFont>()
  const pages = new Set<PDFKit.PDFPage>()
  const embedded = (font: OpenFont): EmbeddedFont => {
    const known = fonts.get(font)
    if (known !== undefined) return known
    const made = embedFont(document, font, `T${String(fonts.size + 1)}`)
    fonts.set(font, made)
    return made
  }
  return {
    draw(line, x, baseline) {
      const { style, runs, inset } = line
      const operators = ['BT']
      for (const run of runs) {
        const font = embedded(run.font)
        operators.push(`/${font.name} ${decimal(style.size)} Tf`)
        operators.push(run.thicken ? `2 Tr ${decimal(thickening(style))} w` : '0 Tr')
        operators.push(...showRun(run, line, font, { x: x + inset + run.x, y: baseline }))
      }
      pages.add(document.page)
      document.addContent([...operators, 'ET'].join('\n'))
    },
    trace({ style, runs, inset }, x, baseline) {
      for (const run of runs) {
        const scale = style.size / run.font.unitsPerEm
        let pen = x + inset + run.x
        for (const { id, advance, x: offsetX, y: offsetY } of run.glyphs) {
          const { path } = run.font.parsed.getGlyph(id)
          const outline = path.translate(offsetX, offsetY).scale(scale, -scale).translate(pen, baseline)
          document.path(outline.toSVG())
          pen += advance * scale
        }
      }
    },
    end() {
      for (const font of fonts.values()) {
        const reference = font.end()
        for (const page of pages) (page.fonts as Record<string, unknown>)[font.name] = reference
      }
    }
  }
}
