/** Laying papers out, as the life of a slip needs it: any number of slips in one document, and reports of them. */
import type { PaperName } from '../../../contract/printing.ts'
import type { SlipDocument } from '../layout/document.ts'
import { createSlipLayout, type SlipPdf } from '../layout/layout.ts'
import { createReportLayout, type LayoutReport } from '../layout/report-layout.ts'
import { createFontStore } from '../layout/text/font-store.ts'
import { baseFonts } from '../layout/text/text.ts'

/** A document ready to print: a page for each slip, all of one size. */
export type LaidOut = Pick<SlipPdf, 'pdf' | 'widthMillimetres' | 'heightMillimetres'> &
  Partial<Pick<SlipPdf, 'code'>>

/** Rejects with `UrlTooLong` or `SlipTooLong`, or when the fonts cannot be read. */
export type LayOut = (documents: readonly SlipDocument[], paper: PaperName) => Promise<SlipPdf>

/** Laying papers out with one set of fonts. */
export interface LayingOut {
  readonly slips: LayOut
  readonly report: LayoutReport
  /** Opens the fonts that every paper needs, so that the first one need not wait for them. */
  warm(): void
}

/** Makes the laying out; `fontsFolder` holds the font files, each of which is read when a paper first needs it. */
export function createLayOut(fontsFolder: string): LayingOut {
  const store = createFontStore(fontsFolder)
  return {
    slips: createSlipLayout(store),
    report: createReportLayout(store),
    warm() {
      // What keeps a font from being read, the paper that needs it will say.
      store.open(baseFonts(['regular', 'bold'])).catch(() => undefined)
    }
  }
}
