/** Laying papers out, as the life of a slip needs it: any number of slips in one document, and reports of them. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PaperSize } from '../../../contract/printing.ts'
import { createLazy } from '../../lazy.ts'
import type { SlipDocument } from '../../slip-pdf/slip-document.ts'
import type { LayoutReport, SlipPdf } from '../../slip-pdf/slip-pdf-renderer.ts'

/** A document ready to print: a page for each slip, all of one size. */
export type LaidOut = Pick<SlipPdf, 'pdf' | 'widthMillimetres' | 'heightMillimetres'> &
  Partial<Pick<SlipPdf, 'code'>>

/** Rejects with `UnscannableError`, or when the fonts cannot be read. */
export type LayOut = (documents: readonly SlipDocument[], paper: PaperSize) => Promise<SlipPdf>

/** Laying papers out with one set of fonts. */
export interface LayingOut {
  readonly slips: LayOut
  readonly report: LayoutReport
  /**
   * Lays a slip out again and again for nobody, so that the first one that somebody waits for is as quick as the
   * tenth. Ends early when a paper is wanted; once rehearsed, does nothing. Rejects as `slips` does.
   */
  rehearse(document: SlipDocument, paper: PaperSize): Promise<void>
}

/** Enough for V8 to compile what a slip takes; each further one gains little. */
const REHEARSALS = 12

/**
 * Makes the laying out; `fontsFolder` holds the font files, each of which is read when a paper first needs it. What it
 * takes (pdfkit, fontkit, HarfBuzz) is loaded for the first paper.
 */
export function createLayOut(fontsFolder: string): LayingOut {
  const layouts = createLazy(async () => {
    const { createFontStore, createReportLayout, createSlipLayout } =
      await import('../../slip-pdf/slip-pdf-renderer.ts')
    const store = createFontStore(fontsFolder)
    return {
      slips: createSlipLayout(store),
      report: createReportLayout(store)
    }
  })
  let isRehearsed = false
  let isWanted = false
  return {
    async slips(documents, paper) {
      isWanted = true
      return (await layouts.use()).slips(documents, paper)
    },
    async report(document, paper) {
      isWanted = true
      return (await layouts.use()).report(document, paper)
    },
    async rehearse(document, paper) {
      if (isRehearsed) return
      isRehearsed = true
      const { slips } = await layouts.use()
      for (let time = 0; time < REHEARSALS && !isWanted; time++) {
        await slips([document], paper)
        // Whoever wants a paper meanwhile is heard here.
        await nextTurn()
      }
    }
  }
}
