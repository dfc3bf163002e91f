/** Test pages, on the printer of slips or on another one. */
import { mapResult, type Result } from '../../contract/failure.ts'
import type { PrinterSettings, TestPrint } from '../../contract/printing.ts'
import type { HinderedPrint } from '../../contract/slips.ts'
import type { Lazy } from '../lazy.ts'
import type { Printing } from '../printing/index.ts'
import { printTarget, renderForQueues } from '../printing/print-job.ts'
import type { CurrentBusiness } from '../session/current-business.ts'
import type { PdfRenderer } from '../slip-pdf/slip-pdf-renderer.ts'
import { RunningPrint } from './running-print.ts'
import type { SampleSlips } from './sample-slips.ts'

export interface TestPagesDependencies {
  readonly printing: Pick<Printing, 'print'>
  readonly samples: Pick<Lazy<Pick<SampleSlips, 'saveToFolder'>>, 'get'>
  readonly pdfRenderer: Pick<PdfRenderer, 'renderTestPage'>
  /** has the locale of the page */
  readonly business: Pick<CurrentBusiness, 'slipLocale'>
  /** called when `hindered` has changed */
  readonly onHindered: () => void
}

/** Prints test pages beside the slips, which may wait for the printer that is tested, and without the journal. */
export class TestPages {
  readonly #dependencies: TestPagesDependencies
  readonly #running = new Map<string, RunningPrint>()

  constructor(dependencies: TestPagesDependencies) {
    this.#dependencies = dependencies
  }

  /** A running test page that something delays; null: there is none. */
  get hindered(): HinderedPrint | null {
    for (const { jobId, hindrance } of this.#running.values())
      if (hindrance !== null) return { jobId, fault: hindrance, slip: null, isTestPage: true }
    return null
  }

  /**
   * Prints a test page, or saves a sample to the folder. Resolves when the job ended: `not-printed` with the reason,
   * `not-saved` when the disk fails. Rejects when the fonts cannot be read.
   */
  async print({ jobId, printer }: TestPrint): Promise<Result<null>> {
    const { samples, onHindered } = this.#dependencies
    if (printer.destination.kind === 'folder') return (await samples.get()).saveToFolder(printer.paperSize)
    const running = new RunningPrint(null, new AbortController().signal, onHindered, jobId)
    this.#running.set(jobId, running)
    try {
      return await this.#printOn(printer, printer.destination, running)
    } finally {
      running.hindered(null)
      this.#running.delete(jobId)
    }
  }

  /** Cancels a test page, which ends as not printed unless it was printed meanwhile. Does nothing when it has ended. */
  cancel(jobId: string): void {
    this.#running.get(jobId)?.cancel()
  }

  async #printOn(
    printer: PrinterSettings,
    destination: Parameters<Printing['print']>[1],
    running: RunningPrint
  ): Promise<Result<null>> {
    const { printing, pdfRenderer, business } = this.#dependencies
    const page = { locale: business.slipLocale(), printedAt: new Date().toISOString() }
    const job = await renderForQueues(
      (target) => pdfRenderer.renderTestPage(page, target),
      printTarget(printer)
    )
    return mapResult(await printing.print(job, destination, running), () => null)
  }
}
