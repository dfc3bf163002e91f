/** Slips as a PDF: the same documents give the same bytes, whatever was laid out before. */
import type { PaperSize } from '../../contract/printing.ts'
import { createDrawing, type Drawing } from '../printing/drawing.ts'
import { createLayOut, type LayingOut } from '../slips/print-jobs/lay-out.ts'
import type { LeftOut } from './column.ts'
import { composeSlip } from './compose.ts'
import { MARK_STYLE, writePdf } from './draw.ts'
import { createLogos, type LogoOf } from './logo.ts'
import { MEDIA, type Media } from './media.ts'
import { codeOnPage, fitOnPaper, fitWithoutCode, type CodeOnPage, type Fitted } from './page.ts'
import { composeReport, type ReportDocument } from './report.ts'
import type { SlipDocument } from './slip-document.ts'
import type { Fonts, FontStore } from './text/fonts.ts'
import { createSlipText, withOpenFonts, type SlipText, type TextLine } from './text/index.ts'
import { slipWords } from './words.ts'

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
 * Lays slips out, one or several, at least one. Rejects with `UrlTooLongError` or `SlipTooLongError` when a code could not be
 * scanned from such paper, and when the fonts cannot be read.
 */
type LayoutSlips = (slips: SlipDocument | readonly SlipDocument[], paper?: PaperSize) => Promise<SlipPdf>

interface Composed {
  readonly slip: SlipDocument
  readonly text: SlipText
  readonly fitted: Fitted
  readonly mark: TextLine | null
}

function compose(slip: SlipDocument, paper: Media, fonts: Fonts, logoOf: LogoOf): Composed {
  const text = createSlipText(fonts, slip)
  return {
    slip,
    text,
    fitted: fitOnPaper((minModule) => composeSlip(slip, { paper, text, logoOf, minModule }), paper),
    mark: slip.training ? text.line(slipWords(slip).training(), MARK_STYLE) : null
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
    const paper = MEDIA[paperName]
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

/* from report-layout.ts: A report as a PDF of one page. */

/** Rejects when the fonts cannot be read. */
export type LayoutReport = (
  document: ReportDocument,
  paper: PaperSize
) => Promise<Pick<SlipPdf, 'pdf' | 'widthMillimetres' | 'heightMillimetres'>>

/** Makes the layout; a font of `store` is read when a report first needs it. */
export function createReportLayout(store: FontStore): LayoutReport {
  return async (document, paperName) => {
    const paper = MEDIA[paperName]
    const { locale, training, report, printedAt } = document
    const composed = await withOpenFonts(store, (fonts) => {
      const text = createSlipText(fonts, { locale, timeZone: report.timeZone })
      return {
        text,
        fitted: fitWithoutCode(composeReport(document, { paper, text }), paper),
        mark: training ? text.line(slipWords({ locale }).training(), MARK_STYLE) : null
      }
    })
    const { widthMillimetres, heightMillimetres } = composed.fitted.page
    const title = `${report.range.from} ${report.range.to}`
    return {
      pdf: await writePdf([{ ...composed, paper }], { title, createdAt: printedAt }),
      widthMillimetres,
      heightMillimetres
    }
  }
}

export { createFontStore } from './text/fonts.ts'

/* from work.ts: All that makes a paper: laying slips and reports out, and drawing them. Long work, so it is done in a process of its own. */

/** Each call by its name; every input and output can be copied from one process to another. */
export type PaperWork = LayingOut & Drawing

/** The name of a call. */
export type PaperCall = keyof PaperWork

/** A call whose arguments and answer are not known here: both ends are compiled from `PaperWork`. */
export type AnyPaperCall = (...values: readonly unknown[]) => unknown

/** Makes the work, here. `fontsFolder` holds the font files. */
export const createPaperWork = (fontsFolder: string): PaperWork => ({
  ...createLayOut(fontsFolder),
  ...createDrawing()
})
