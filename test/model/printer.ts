/** A printer whose papers can be read, and which fails as told. */
import * as v from 'valibot'
import { err, ok, type Failure, type Result } from '../../electron/contract/failure.ts'
import type { PdfRenderer } from '../../electron/main/slip-pdf/slip-pdf-renderer.ts'
import type { Paper } from './reality.ts'

/** What happens to a print job. */
export const PRINTER_FAULTS = [
  'none',
  /** no paper comes out, and the till knows it */
  'not-printed',
  /** the till does not know whether the paper comes out; it does */
  'late',
  /** the till does not know whether the paper comes out; it does not */
  'lost',
  /** the first page comes out, and then the printer has no more paper */
  'half',
  /** the job waits until it is released */
  'hold'
] as const
export type PrinterFault = (typeof PRINTER_FAULTS)[number]

const pagesSchema = v.array(
  v.object({ code: v.string(), points: v.number(), copy: v.number(), training: v.boolean() })
)

/** Returns the pages of a document of `paperRenderer`. */
export const readPages = (document: Uint8Array): Paper[] =>
  v.parse(pagesSchema, JSON.parse(Buffer.from(document).toString('utf8')))

/** Writes what the pages show instead of drawing it. The same slips give the same bytes. */
export const paperRenderer: Pick<PdfRenderer, 'renderSlips' | 'renderReport' | 'renderOperation'> = {
  renderSlips: (slips) => {
    const pages = slips.map(({ code, points, copy = 0, training }): Paper => ({
      code,
      points,
      copy,
      training
    }))
    return Promise.resolve({
      pdf: Buffer.from(JSON.stringify(pages)),
      widthMillimetres: 80,
      heightMillimetres: 100,
      pages: pages.length,
      code: { content: '', topMillimetres: 0, bottomMillimetres: 0, moduleDots: 1 },
      missing: [],
      leftOut: []
    })
  },
  renderReport: () => Promise.reject(new Error('The model prints no reports')),
  renderOperation: () => Promise.reject(new Error('The model prints no confirmations'))
}

const notPrinted = (
  fault: 'out-of-paper' | 'timeout' | 'cancelled-here',
  mayStillPrint: boolean
): Failure => ({
  kind: 'not-printed',
  fault,
  mayStillPrint
})

export interface PaperPrinterDependencies {
  /** receives each page that comes out */
  readonly onPaper: (paper: Paper) => void
  /** resolves when the jobs are released, with false when the till cancels the job before */
  readonly hold: (signal: AbortSignal) => Promise<boolean>
  /** called before the outcome of each job is reported */
  readonly beforeOutcome: () => void
}

export class PaperPrinter {
  fault: PrinterFault = 'none'
  readonly #dependencies: PaperPrinterDependencies

  constructor(dependencies: PaperPrinterDependencies) {
    this.#dependencies = dependencies
  }

  /** Prints a document of `paperRenderer`. */
  async print(document: Uint8Array, signal: AbortSignal): Promise<Result<unknown>> {
    const { onPaper, hold, beforeOutcome } = this.#dependencies
    const { fault } = this
    const pages = readPages(document)
    const isReleased = fault !== 'hold' || (await hold(signal))
    if (fault !== 'not-printed' && fault !== 'lost') {
      for (const page of fault === 'half' ? pages.slice(0, 1) : pages) onPaper(page)
    }
    beforeOutcome()
    if (!isReleased) return err(notPrinted('cancelled-here', true))
    switch (fault) {
      case 'not-printed':
        return err(notPrinted('out-of-paper', false))
      case 'late':
      case 'lost':
        return err(notPrinted('timeout', true))
      case 'half':
        return pages.length > 1 ? err(notPrinted('out-of-paper', true)) : ok(null)
      default:
        return ok(null)
    }
  }
}
