/** Laying papers out, as the life of a slip needs it: any number of slips in one document, and reports of them. */
import type { PaperName } from '../../../contract/printing.ts'
import { createLate } from '../../late.ts'
import type { SlipDocument } from '../layout/document.ts'
import type { SlipPdf } from '../layout/layout.ts'
import type { LayoutReport } from '../layout/report-layout.ts'

/** A document ready to print: a page for each slip, all of one size. */
export type LaidOut = Pick<SlipPdf, 'pdf' | 'widthMillimetres' | 'heightMillimetres'> &
  Partial<Pick<SlipPdf, 'code'>>

/** Rejects with `CannotScan`, or when the fonts cannot be read. */
export type LayOut = (documents: readonly SlipDocument[], paper: PaperName) => Promise<SlipPdf>

/** Laying papers out with one set of fonts. */
export interface LayingOut {
  readonly slips: LayOut
  readonly report: LayoutReport
  /** Opens the fonts that every paper needs, so that the first one need not wait for them. */
  warm(): void
}

/**
 * Makes the laying out; `fontsFolder` holds the font files, each of which is read when a paper first needs it. What it
 * takes (pdfkit, fontkit, HarfBuzz) is loaded for the first paper.
 */
export function createLayOut(fontsFolder: string): LayingOut {
  const layouts = createLate(async () => {
    const { baseFonts, createFontStore, createReportLayout, createSlipLayout } =
      await import('../layout/index.ts')
    const store = createFontStore(fontsFolder)
    return {
      slips: createSlipLayout(store),
      report: createReportLayout(store),
      warm: () => store.open(baseFonts(['regular', 'bold']))
    }
  })
  return {
    slips: async (documents, paper) => (await layouts.use()).slips(documents, paper),
    report: async (document, paper) => (await layouts.use()).report(document, paper),
    warm() {
      // What keeps a font from being read, the paper that needs it will say.
      layouts.use().then(
        ({ warm }) => warm().catch(() => undefined),
        () => undefined
      )
    }
  }
}
