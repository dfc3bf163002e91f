/** Renders slips, reports and test pages as PDF, and PDFs as commands of receipt printers or as an image. */
import type { HeadWidth, PaperSize } from '../../contract/paper.ts'
import { encodeReceipt, type ReceiptFormat } from '../printing/receipt/encode-receipt.ts'
import type { CodeOnPage, PrintJob } from '../printing/print-job.ts'
import { renderFirstPage } from '../printing/rasterizer.ts'
import type { OmittedPart } from './column.ts'
import { composeSlip } from './compose.ts'
import { MARK_STYLE, writePdf, type PageContent } from './draw.ts'
import { createLogoReader } from './logo.ts'
import { paperLayout, type PaperLayout } from './paper-layout.ts'
import { codeOnPage, fitOnPage, fitWithoutCode } from './page.ts'
import { composeReport, type ReportDocument } from './report.ts'
import type { SlipDocument } from './slip-document.ts'
import { composeReceiptTestPage } from './receipt-test-page.ts'
import { composeTestPage, TEST_PAGE_CODE, type TestPageDocument } from './test-page.ts'
import { FontStore, type Fonts } from './text/fonts.ts'
import { SlipText, withOpenFonts } from './text/index.ts'
import { slipWords } from './words.ts'

/** A PDF whose pages all have one size. */
export interface PrintablePdf {
  readonly pdf: Uint8Array
  readonly widthMillimetres: number
  readonly heightMillimetres: number
  /** extends the time limit of its print job */
  readonly pages: number
  /** the QR code of the first page, for printers that draw it themselves */
  readonly code?: CodeOnPage
}

/** A PDF with one page per slip. */
export interface SlipPdf extends PrintablePdf {
  readonly code: CodeOnPage
  /** characters that no font has, each once: the slips show a replacement mark in their place */
  readonly missing: readonly string[]
  /** what was requested and could not be shown */
  readonly leftOut: readonly OmittedPart[]
}

/** Implemented by `SlipPdfRenderer` in this process and by `SlipPdfWorker` in a utility process. */
export interface PdfRenderer {
  /**
   * Renders at least one slip. The same slips give the same bytes, whatever was rendered before. Rejects with
   * `UnscannableError` when a code could not be scanned from this paper, and when the fonts cannot be read.
   * @param headWidth width of the column on a roll; default or null: the usual head of the paper
   */
  renderSlips(
    slips: readonly SlipDocument[],
    paper: PaperSize,
    headWidth?: HeadWidth | null
  ): Promise<SlipPdf>
  /** Rejects when the fonts cannot be read. `headWidth` as for slips. */
  renderReport(report: ReportDocument, paper: PaperSize, headWidth?: HeadWidth | null): Promise<PrintablePdf>
  /** Renders a page that shows whether printer and paper size match. Rejects when the fonts cannot be read. */
  renderTestPage(page: TestPageDocument, paper: PaperSize): Promise<PrintJob>
  /** Renders a page that shows which head width and which cut of a receipt printer are right. Rejects as `renderTestPage`. */
  renderReceiptTestPage(page: TestPageDocument, paper: PaperSize): Promise<PrintJob>
  /** Converts a PDF to the commands of a receipt printer. Rejects with `UnreadablePdfError`. */
  encodeReceipt(job: PrintJob, format: ReceiptFormat): Promise<Uint8Array>
  /** The first page as a grayscale PNG; null for a PDF without pages. Rejects with `UnreadablePdfError`. */
  renderPreview(pdf: Uint8Array): Promise<Uint8Array | null>
}

/** A composed page and the text that measured it. */
type ComposedPage = PageContent & { readonly text: SlipText }

/** Renders in this process. Each font file is read when a text first needs it, and kept. */
export class SlipPdfRenderer implements PdfRenderer {
  readonly #fonts: FontStore
  readonly #readLogo = createLogoReader()

  /** @param fontsFolder folder with the font files and `coverage.json` */
  constructor(fontsFolder: string) {
    this.#fonts = new FontStore(fontsFolder)
  }

  async renderSlips(
    slips: readonly SlipDocument[],
    paper: PaperSize,
    headWidth: HeadWidth | null = null
  ): Promise<SlipPdf> {
    const layout = paperLayout(paper, headWidth)
    const composed: (ComposedPage & { readonly slip: SlipDocument })[] = []
    for (const slip of slips) {
      const page = await withOpenFonts(this.#fonts, (fonts) => this.#composeSlip(slip, layout, fonts))
      composed.push({ slip, ...page })
    }
    const [first] = composed
    if (first === undefined) throw new Error('There is no slip to render')
    // All pages of a print job have one size: on a roll that of the longest slip.
    const heightMillimetres = Math.max(...composed.map(({ fitted }) => fitted.page.heightMillimetres))
    const pages = composed.map(({ fitted, ...rest }) => ({
      ...rest,
      fitted: { ...fitted, page: { ...fitted.page, heightMillimetres } }
    }))
    return {
      pdf: await writePdf(pages, { title: first.slip.code, createdAt: first.slip.issuedAt }),
      widthMillimetres: layout.widthMillimetres,
      heightMillimetres,
      pages: pages.length,
      code: codeOnPage(first.slip.url, first.fitted),
      missing: [...new Set(pages.flatMap(({ text }) => text.missing()))],
      leftOut: [...new Set(pages.flatMap(({ fitted }) => fitted.composition.leftOut))]
    }
  }

  #composeSlip(slip: SlipDocument, layout: PaperLayout, fonts: Fonts): ComposedPage {
    const text = new SlipText(fonts, slip)
    const readLogo = this.#readLogo
    return {
      layout,
      text,
      fitted: fitOnPage((minModule) => composeSlip(slip, { layout, text, readLogo, minModule }), layout),
      mark: slip.training ? text.line(slipWords(slip).training(), MARK_STYLE) : null
    }
  }

  async renderReport(
    report: ReportDocument,
    paper: PaperSize,
    headWidth: HeadWidth | null = null
  ): Promise<PrintablePdf> {
    const layout = paperLayout(paper, headWidth)
    const { locale, training, printedAt } = report
    const { timeZone, range } = report.report
    const composed = await withOpenFonts(this.#fonts, (fonts): ComposedPage => {
      const text = new SlipText(fonts, { locale, timeZone })
      return {
        layout,
        text,
        fitted: fitWithoutCode(composeReport(report, { layout, text }), layout),
        mark: training ? text.line(slipWords({ locale }).training(), MARK_STYLE) : null
      }
    })
    const { widthMillimetres, heightMillimetres } = composed.fitted.page
    const pdf = await writePdf([composed], { title: `${range.from} ${range.to}`, createdAt: printedAt })
    return { pdf, widthMillimetres, heightMillimetres, pages: 1 }
  }

  async renderTestPage(page: TestPageDocument, paper: PaperSize): Promise<PrintJob> {
    const composed = await withOpenFonts(this.#fonts, (fonts): ComposedPage => {
      const text = new SlipText(fonts, { locale: page.locale, timeZone: 'UTC' })
      return { text, mark: null, ...composeTestPage(page, paper, text) }
    })
    const { widthMillimetres, heightMillimetres } = composed.fitted.page
    const title = slipWords(page).testPage()
    return {
      pdf: await writePdf([composed], { title, createdAt: page.printedAt }),
      title,
      widthMillimetres,
      heightMillimetres,
      code: codeOnPage(TEST_PAGE_CODE, composed.fitted)
    }
  }

  async renderReceiptTestPage(page: TestPageDocument, paper: PaperSize): Promise<PrintJob> {
    const { sections } = await withOpenFonts(this.#fonts, (fonts) => {
      const text = new SlipText(fonts, { locale: page.locale, timeZone: 'UTC' })
      return { text, sections: composeReceiptTestPage(page, text) }
    })
    const [first] = sections
    if (first === undefined) throw new Error('The test page has no section')
    const title = slipWords(page).testPage()
    return {
      pdf: await writePdf(
        sections.map(({ content }) => content),
        { title, createdAt: page.printedAt }
      ),
      title,
      widthMillimetres: paperLayout(paper).widthMillimetres,
      heightMillimetres: first.content.fitted.page.heightMillimetres,
      pages: sections.length,
      code: codeOnPage(TEST_PAGE_CODE, first.content.fitted),
      sections: sections.map(({ section }) => section)
    }
  }

  encodeReceipt(job: PrintJob, format: ReceiptFormat): Promise<Uint8Array> {
    return encodeReceipt(job, format)
  }

  renderPreview(pdf: Uint8Array): Promise<Uint8Array | null> {
    return renderFirstPage(pdf)
  }
}
