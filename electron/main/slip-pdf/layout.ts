/** Slips as a PDF: the same documents give the same bytes, whatever was laid out before. */
import type { PaperName } from '../../contract/printing.ts'
import { composeSlip } from './compose.ts'
import type { LeftOut } from './composition.ts'
import type { SlipDocument } from './document.ts'
import { MARK_STYLE } from './draw.ts'
import { createLogos, type LogoOf } from './logo/logo.ts'
import { codeOnPage, fitOnPaper, type CodeOnPage, type Fitted } from './page.ts'
import { PAPER, type Paper } from './paper.ts'
import { writePdf } from './pdf.ts'
import type { Fonts, FontStore } from './text/font-store.ts'
import { withOpenFonts } from './text/open-fonts.ts'
import { createSlipText, type SlipText, type TextLine } from './text/text.ts'
import { wordsOf } from './words.ts'

/** A PDF of one page a slip, all pages of one size. */
export interface SlipPdf {
  readonly pdf: Uint8Array
  readonly widthMillimetres: number
  readonly heightMillimetres: number
  readonly pages: number
  /** the first slip's own code, for printers that draw it themselves */
  readonly code: CodeOnPage
  /** characters that no font has, each once: the slips show a mark in their place */
  readonly missing: readonly string[]
  /** what was asked for and could not be shown */
  readonly leftOut: readonly LeftOut[]
}

/**
 * Lays slips out, one or several, at least one. Rejects with `UrlTooLong` or `SlipTooLong` when a code could not be
 * scanned from such paper, and when the fonts cannot be read.
 */
export type LayoutSlips = (
  slips: SlipDocument | readonly SlipDocument[],
  paper?: PaperName
) => Promise<SlipPdf>

interface Composed {
  readonly slip: SlipDocument
  readonly text: SlipText
  readonly fitted: Fitted
  readonly mark: TextLine | null
}

function compose(slip: SlipDocument, paper: Paper, fonts: Fonts, logoOf: LogoOf): Composed {
  const text = createSlipText(fonts, slip)
  return {
    slip,
    text,
    fitted: fitOnPaper((leastModule) => composeSlip(slip, { paper, text, logoOf, leastModule }), paper),
    mark: slip.training ? text.line(wordsOf(slip).training(), MARK_STYLE) : null
  }
}

/** The pages of one job have one size: on a roll the longest slip's. */
function withOneSize(composed: readonly Composed[]): { slips: Composed[]; heightMillimetres: number } {
  const heightMillimetres = Math.max(...composed.map(({ fitted }) => fitted.page.heightMillimetres))
  const slips = composed.map((slip) => {
    const page = { ...slip.fitted.page, heightMillimetres }
    return { ...slip, fitted: { ...slip.fitted, page } }
  })
  return { slips, heightMillimetres }
}

/** Makes the layout; a font of `store` is read when a slip first needs it. */
export function createSlipLayout(store: FontStore): LayoutSlips {
  const logoOf = createLogos()
  return async (oneOrMore, paperName = '80mm') => {
    const paper = PAPER[paperName]
    const composed: Composed[] = []
    for (const slip of 'business' in oneOrMore ? [oneOrMore] : oneOrMore) {
      composed.push(await withOpenFonts(store, (fonts) => compose(slip, paper, fonts, logoOf)))
    }
    const { slips, heightMillimetres } = withOneSize(composed)
    const [first] = slips
    if (first === undefined) throw new Error('There is no slip to lay out')

    return {
      pdf: await writePdf(
        slips.map((slip) => ({ ...slip, paper })),
        { title: first.slip.code, createdAt: first.slip.issuedAt }
      ),
      widthMillimetres: paper.widthMillimetres,
      heightMillimetres,
      pages: slips.length,
      code: codeOnPage(first.slip.url, first.fitted),
      missing: [...new Set(slips.flatMap(({ text }) => text.missing()))],
      leftOut: [...new Set(slips.flatMap(({ fitted }) => fitted.composition.leftOut))]
    }
  }
}
