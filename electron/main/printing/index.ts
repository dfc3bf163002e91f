/** Printing: a queue of the operating system, or a receipt printer. */
import { err, type Result } from '../../contract/failure.ts'
import type { Printer, ReceiptPrinter, SystemQueue } from '../../contract/printing.ts'
import { createLazy } from '../lazy.ts'
import { failureDetails, type Logger } from '../log/log.ts'
import { exec as execCommand, type Exec } from '../exec.ts'
import {
  DEFAULT_TIMEOUTS,
  notPrinted,
  type PrintControl,
  type PrintJob,
  type PrintResult,
  type PrintTimeouts,
  type SystemPrinting
} from './print-job.ts'

export interface PrintingOptions {
  readonly platform: NodeJS.Platform
  /** environment of the print commands: `CUPS_SERVER` and `PATH` are used */
  readonly environment: NodeJS.ProcessEnv
  readonly log: Logger
  /** overrides of `DEFAULT_TIMEOUTS` */
  readonly timeouts?: Partial<PrintTimeouts>
  /** default: starts the system's own programs */
  readonly exec?: Exec
}

/** Printing on this machine. Starts and loads nothing before the first call. */
export class Printing {
  readonly #log: Logger
  readonly #system
  readonly #receipt

  constructor({ platform, environment, log, exec = execCommand, ...options }: PrintingOptions) {
    const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts }
    this.#log = log
    this.#system = createLazy(async (): Promise<SystemPrinting> => {
      const dependencies = { exec, environment, timeouts, log }
      if (platform === 'win32')
        return new (await import('./windows/windows-printing.ts')).WindowsPrinting(dependencies)
      return new (await import('./cups/cups-printing.ts')).CupsPrinting(dependencies)
    })
    this.#receipt = createLazy(
      async () => new (await import('./receipt/receipt-printing.ts')).ReceiptPrinting({ timeouts, log })
    )
  }

  /** Lists the system's queues. `not-printed` with the fault when the print system does not respond. */
  async list(): Promise<Result<readonly Printer[]>> {
    try {
      return await (await this.#system.get()).list()
    } catch (error) {
      this.#log.error('printers-not-listed', { error })
      return err({ kind: 'internal' })
    }
  }

  /**
   * Prints one document and resolves when it has ended. `not-printed` says whether it may still print. Never rejects.
   */
  async print(
    job: PrintJob,
    destination: SystemQueue | ReceiptPrinter,
    control: Partial<PrintControl> = {}
  ): Promise<PrintResult> {
    try {
      this.#log.info('print-started', { ...job.trace, destination: destination.kind })
      const result = await this.#printOn(job, destination, {
        signal: control.signal ?? new AbortController().signal,
        hindered: (fault) => control.hindered?.(fault)
      })
      if (result.ok)
        this.#log.info('print-ended', { ...job.trace, printer: result.value.printer, job: result.value.job })
      else this.#log.warn('print-ended', { ...job.trace, ...failureDetails(result.failure) })
      return result
    } catch (error) {
      // Unexpected, at an unknown moment: the job may have been printed.
      this.#log.error('print-failed-unexpectedly', { error, ...job.trace })
      return notPrinted('unknown', true)
    }
  }

  /**
   * Removes the files of print jobs that were left in the temporary folder of the system, at least `minAgeMs` old. Resolves
   * with their number. Never rejects.
   */
  async removeTemporaryFiles(now: Date, minAgeMs: number): Promise<number> {
    const { removeTemporaryFiles } = await import('./windows/windows-printing.ts')
    return removeTemporaryFiles(now, minAgeMs)
  }

  async #printOn(
    job: PrintJob,
    destination: SystemQueue | ReceiptPrinter,
    control: PrintControl
  ): Promise<PrintResult> {
    return destination.kind === 'queue'
      ? (await this.#system.get()).print(job, destination, control)
      : this.#printReceipt(job, destination, control)
  }

  async #printReceipt(job: PrintJob, printer: ReceiptPrinter, control: PrintControl): Promise<PrintResult> {
    const { connection } = printer
    if (connection.kind !== 'raw-queue')
      return (await this.#receipt.get()).print(job, printer, connection, control)
    if (job.commands === undefined) return notPrinted('refused-size')
    return (await this.#system.get()).printRaw(job.commands, job, connection, control)
  }
}
