/** Renders slips, reports and test pages as PDF and as commands of receipt printers, and PDFs as an image. */
import type { PrintDocument, PrintJob, PrintTarget } from '../printing/print-job.ts'
import { type CodeOnPage, encodeReceipt, type ReceiptDocument } from './encode-receipt.ts'
import { renderFirstPage } from './render-pages.ts'
import { type OmittedPart, paperLayout, type PaperLayout } from './column.ts'
import { composeSlip, composeSlipPages } from './compose.ts'
import {
  codeOnPage,
  fitOnPages,
  MARK_STYLE,
  type PageContent,
  type PdfInfo,
  withoutMargins,
  writePdf
} from './draw.ts'
import { createLogoReader } from './logo.ts'
import type { LaidOutPage } from './paginate.ts'
import { layOutOperation, type OperationDocument } from './operation-slip.ts'
import { layOutReport, type ReportDocument } from './report.ts'
import { type SlipDocument, slipWords } from './slip-document.ts'
import {
  composeReceiptTestPage,
  composeTestPage,
  TEST_PAGE_CODE,
  type TestPageDocument
} from './test-page.ts'
import { FontStore, type Fonts } from './text/fonts.ts'
import { SlipText, withOpenFonts } from './text/slip-text.ts'

/** One page for each slip; several sheets for one that is longer. */
export interface RenderedSlips extends PrintDocument {
  readonly pages: number
  /** the QR code of the first slip, quiet zone included */
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
   */
  renderSlips(slips: readonly SlipDocument[], target: PrintTarget): Promise<RenderedSlips>
  /** Rejects when the fonts cannot be read. */
  renderReport(report: ReportDocument, target: PrintTarget): Promise<PrintDocument>
  /** The confirmation of a redemption. Rejects when the fonts cannot be read. */
  renderOperation(document: OperationDocument, target: PrintTarget): Promise<PrintDocument>
  /**
   * Renders a page that shows whether printer and paper size match; for a receipt printer one that shows which head width
   * and which cut are right. Rejects when the fonts cannot be read.
   */
  renderTestPage(page: TestPageDocument, target: PrintTarget): Promise<PrintJob>
  /** The first page as a grayscale PNG; null for a PDF without pages. Rejects with `UnreadablePdfError`. */
  renderPreview(pdf: Uint8Array): Promise<Uint8Array | null>
}

/** A composed page and the text that measured it. */
type ComposedPage = PageContent & { readonly text: SlipText }

/** Writes pages in each form that the target takes. `receipt`: what its commands need beside the PDF. */
async function write(
  pages: readonly PageContent[],
  info: PdfInfo,
  target: PrintTarget,
  receipt: Omit<ReceiptDocument, 'pdf'> = {}
): Promise<Pick<PrintDocument, 'pdf' | 'commands'>> {
  const pdf = await writePdf(target.isHeadWide ? pages.map(withoutMargins) : pages, info)
  return target.receipt === null
    ? { pdf }
    : { pdf, commands: await encodeReceipt({ pdf, ...receipt }, target.receipt) }
}

/** Renders in this process. Each font file is read when a text first needs it, and kept. */
export class SlipPdfRenderer implements PdfRenderer {
  readonly #fonts: FontStore
  readonly #readLogo = createLogoReader()

  /** @param fontsFolder folder with the font files and `coverage.json` */
  constructor(fontsFolder: string) {
    this.#fonts = new FontStore(fontsFolder)
  }

  async renderSlips(slips: readonly SlipDocument[], target: PrintTarget): Promise<RenderedSlips> {
    const layout = paperLayout(target.paper, target.headWidth)
    const composed: (ComposedPage & { readonly slip: SlipDocument })[] = []
    for (const slip of slips) {
      const { pages } = await withOpenFonts(this.#fonts, (fonts) => this.#composeSlip(slip, layout, fonts))
      composed.push(...pages.map((page) => ({ slip, ...page })))
    }
    const [first] = composed
    if (first === undefined) throw new Error('There is no slip to render')
    // All pages of a print job have one size: on a roll that of the longest slip.
    const heightMillimetres = Math.max(...composed.map(({ fitted }) => fitted.page.heightMillimetres))
    const pages = composed.map(({ fitted, ...rest }) => ({
      ...rest,
      fitted: { ...fitted, page: { ...fitted.page, heightMillimetres } }
    }))
    const info = { title: first.slip.code, createdAt: first.slip.issuedAt }
    const code = codeOnPage(
      first.slip.url,
      composed.map(({ fitted }) => fitted)
    )
    return {
      ...(await write(pages, info, target, { code })),
      widthMillimetres: layout.widthMillimetres,
      heightMillimetres,
      pages: pages.length,
      code,
      missing: [...new Set(pages.flatMap(({ text }) => text.missing()))],
      leftOut: [...new Set(pages.flatMap(({ fitted }) => fitted.composition.leftOut))]
    }
  }

  #composeSlip(
    slip: SlipDocument,
    layout: PaperLayout,
    fonts: Fonts
  ): Pick<ComposedPage, 'text'> & { readonly pages: readonly ComposedPage[] } {
    const text = new SlipText(fonts, slip)
    const options = { layout, text, readLogo: this.#readLogo }
    const mark = slip.training ? text.line(slipWords(slip).training(), MARK_STYLE) : null
    const fitted = fitOnPages(
      {
        whole: () => composeSlip(slip, options),
        pages: (height) => composeSlipPages(slip, options, height)
      },
      layout
    )
    return { text, pages: fitted.map((page) => ({ layout, text, fitted: page, mark })) }
  }

  async renderReport(report: ReportDocument, target: PrintTarget): Promise<PrintDocument> {
    const { locale, training, printedAt } = report
    const { timeZone, range } = report.report
    const info = { title: `${range.from} ${range.to}`, createdAt: printedAt }
    return this.#renderWithoutCode({ locale, timeZone, training }, info, target, (layout, text) =>
      layOutReport(report, layout, text)
    )
  }

  async renderOperation(document: OperationDocument, target: PrintTarget): Promise<PrintDocument> {
    const info = { title: document.subject, createdAt: document.issuedAt }
    return this.#renderWithoutCode(document, info, target, (layout, text) =>
      layOutOperation(document, layout, text)
    )
  }

  async #renderWithoutCode(
    about: { readonly locale: string; readonly timeZone: string; readonly training: boolean },
    info: PdfInfo,
    target: PrintTarget,
    layOut: (layout: PaperLayout, text: SlipText) => readonly LaidOutPage[]
  ): Promise<PrintDocument> {
    const layout = paperLayout(target.paper, target.headWidth)
    const { pages, size } = await withOpenFonts(this.#fonts, (fonts) => {
      const text = new SlipText(fonts, about)
      const laidOut = layOut(layout, text)
      const mark = about.training ? text.line(slipWords(about).training(), MARK_STYLE) : null
      const [first] = laidOut
      if (first === undefined) throw new Error('There is no page to print')
      return { text, size: first.fitted.page, pages: laidOut.map((page) => ({ ...page, mark })) }
    })
    const { widthMillimetres, heightMillimetres } = size
    return { ...(await write(pages, info, target)), widthMillimetres, heightMillimetres, pages: pages.length }
  }

  async renderTestPage(page: TestPageDocument, target: PrintTarget): Promise<PrintJob> {
    const info = { title: slipWords(page).testPage(), createdAt: page.printedAt }
    if (target.receipt !== null) return this.#renderReceiptTestPage(page, info, target)
    const composed = await withOpenFonts(this.#fonts, (fonts): ComposedPage => {
      const text = new SlipText(fonts, { locale: page.locale, timeZone: 'UTC' })
      return { text, mark: null, ...composeTestPage(page, target.paper, text) }
    })
    const { widthMillimetres, heightMillimetres } = composed.fitted.page
    return {
      ...(await write([composed], info, target)),
      title: info.title,
      widthMillimetres,
      heightMillimetres
    }
  }

  async #renderReceiptTestPage(
    page: TestPageDocument,
    info: PdfInfo,
    target: PrintTarget
  ): Promise<PrintJob> {
    const { sections } = await withOpenFonts(this.#fonts, (fonts) => {
      const text = new SlipText(fonts, { locale: page.locale, timeZone: 'UTC' })
      return { text, sections: composeReceiptTestPage(page, text) }
    })
    const [first] = sections
    if (first === undefined) throw new Error('The test page has no section')
    const contents = sections.map(({ content }) => content)
    return {
      ...(await write(contents, info, target, {
        code: codeOnPage(TEST_PAGE_CODE, [first.content.fitted]),
        sections: sections.map(({ section }) => section)
      })),
      title: info.title,
      widthMillimetres: paperLayout(target.paper).widthMillimetres,
      heightMillimetres: first.content.fitted.page.heightMillimetres,
      pages: sections.length
    }
  }

  renderPreview(pdf: Uint8Array): Promise<Uint8Array | null> {
    return renderFirstPage(pdf)
  }
}
