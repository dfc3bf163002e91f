/** Targets of documents that tests render without printer settings. */
import type { PaperSize } from '../../electron/contract/paper.ts'
import { DEFAULT_PRINTER_SETTINGS } from '../../electron/contract/printing.ts'
import { printTarget, type PrintTarget } from '../../electron/main/printing/print-job.ts'

/** Returns the target of a till that saves its slips on this paper, with `changes`. */
export const targetOf = (paper: PaperSize, changes: Partial<PrintTarget> = {}): PrintTarget => ({
  ...printTarget({ ...DEFAULT_PRINTER_SETTINGS, paperSize: paper }),
  ...changes
})
