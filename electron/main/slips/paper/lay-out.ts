/** Laying slips out, as the life of a slip needs it: any number of papers in one document. */
import type { PaperName } from '../../../contract/printing.ts'
import type { SlipDocument } from '../layout/document.ts'
import { createSlipLayout } from '../layout/layout.ts'

/** A document ready to print: a page for each slip, all of one size. */
export interface LaidOut {
  readonly pdf: Uint8Array
  readonly widthMillimetres: number
  readonly heightMillimetres: number
}

/** Rejects with `UrlTooLong`, or when the fonts cannot be read. */
export type LayOut = (documents: readonly SlipDocument[], paper: PaperName) => Promise<LaidOut>

const MILLIMETRES_PER_POINT = 25.4 / 72

/** Makes the laying out; `fontsFolder` holds the font files, which are read at the first slip. */
export function createLayOut(fontsFolder: string): LayOut {
  const layout = createSlipLayout(fontsFolder)
  return async (documents) => {
    const [document] = documents
    if (document === undefined || documents.length > 1) throw new Error('One slip at a time')
    const pdf = await layout(document)
    const [, width, height] =
      /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(Buffer.from(pdf).toString('latin1')) ?? []
    return {
      pdf,
      widthMillimetres: Number(width) * MILLIMETRES_PER_POINT,
      heightMillimetres: Number(height) * MILLIMETRES_PER_POINT
    }
  }
}
