/** A report as a PDF of one page. */
import type { PaperName } from '../../contract/printing.ts'
import { MARK_STYLE } from './draw.ts'
import type { SlipPdf } from './layout.ts'
import { fitWithoutCode } from './page.ts'
import { PAPER } from './paper.ts'
import { writePdf } from './pdf.ts'
import { composeReport, type ReportDocument } from './report.ts'
import type { FontStore } from './text/font-store.ts'
import { withOpenFonts } from './text/open-fonts.ts'
import { createSlipText } from './text/text.ts'
import { wordsOf } from './words.ts'

/** Rejects when the fonts cannot be read. */
export type LayoutReport = (
  document: ReportDocument,
  paper: PaperName
) => Promise<Pick<SlipPdf, 'pdf' | 'widthMillimetres' | 'heightMillimetres'>>

/** Makes the layout; a font of `store` is read when a report first needs it. */
export function createReportLayout(store: FontStore): LayoutReport {
  return async (document, paperName) => {
    const paper = PAPER[paperName]
    const { locale, training, report, printedAt } = document
    const composed = await withOpenFonts(store, (fonts) => {
      const text = createSlipText(fonts, { locale, timeZone: report.timeZone })
      return {
        text,
        fitted: fitWithoutCode(composeReport(document, { paper, text }), paper),
        mark: training ? text.line(wordsOf({ locale }).training(), MARK_STYLE) : null
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
