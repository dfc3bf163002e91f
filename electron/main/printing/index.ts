/** Where a slip goes to paper: a queue of the operating system, or a receipt printer on the network. */
import { err, type Result } from '../../contract/failure.ts'
import type { Printer, PrintDestination, PrinterSettings } from '../../contract/printing.ts'
import {
  DEFAULT_TIMES,
  notPrinted,
  type PrintAnswer,
  type PrintJob,
  type PrintTimes,
  type SystemPrinting
} from './print-job.ts'
import { createLazy } from '../lazy.ts'
import { failureDetails, type Logger } from '../log/log.ts'
import { createDrawing, type Drawing } from './drawing.ts'
import { run as runCommand, type Exec } from './exec.ts'

export type { CodeOnPage, PrintAnswer, Printed, PrintJob, PrintTimes } from './print-job.ts'
export type { Drawing } from './drawing.ts'

export interface PrintingOptions {
  readonly platform: NodeJS.Platform
  /** the till's own: `CUPS_SERVER` and `PATH` in it count */
  readonly environment: NodeJS.ProcessEnv
  readonly now: () => Date
  readonly log: Logger
  /** draws where a long job holds nobody up; here, in this thread, unless given */
  readonly drawing?: Drawing
  /** instead of DEFAULT_TIMES */
  readonly times?: Partial<PrintTimes>
  /** instead of starting the system's own programs */
  readonly run?: Exec
}

export interface Printing {
  /** The system's queues, as known now. `not-printed` with the fault when the print system cannot be asked. */
  list(): Promise<Result<readonly Printer[]>>
  /** Hears where the next job goes while it is laid out, to ask there meanwhile whether it would be taken. */
  expect(destination: PrintDestination): void
  /**
   * Prints one document and waits for its end; the caller need not wait. `not-printed` says whether it may still
   * print. `signal` gives the job up. A folder is no printer: `not-configured`. Never rejects.
   */
  print(job: PrintJob, destination: PrintDestination, signal?: AbortSignal): Promise<PrintAnswer>
  /** Prints a page that shows whether paper and printer fit. */
  testPage(settings: PrinterSettings, signal?: AbortSignal): Promise<PrintAnswer>
}

/** Makes the printing of this machine. Nothing is started or loaded before the first call. */
export function createPrinting(options: PrintingOptions): Printing {
  const { platform, environment, now, log, drawing = createDrawing(), run = runCommand } = options
  const times = { ...DEFAULT_TIMES, ...options.times }

  const queues = createLazy(async (): Promise<SystemPrinting> => {
    const parts = { run, environment, times, log }
    if (platform === 'win32')
      return (await import('./windows/windows-printing.ts')).createWindowsPrinting(parts)
    return (await import('./cups/cups-printing.ts')).createCupsPrinting(parts)
  })
  const network = createLazy(async () =>
    (await import('./network/network-printing.ts')).createNetworkPrinting({ times, drawing, log })
  )

  const toDestination = async (
    job: PrintJob,
    destination: PrintDestination,
    signal: AbortSignal
  ): Promise<PrintAnswer> => {
    switch (destination.kind) {
      case 'folder':
        return notPrinted('not-configured')
      case 'queue':
        return (await queues.use()).print(job, destination, signal)
      case 'network-printer':
        return (await network.use())(job, destination, signal)
    }
  }

  const print: Printing['print'] = async (job, destination, signal = new AbortController().signal) => {
    try {
      log.info('print-started', { ...job.trace, destination: destination.kind })
      const answer = await toDestination(job, destination, signal)
      if (answer.ok)
        log.info('print-ended', { ...job.trace, printer: answer.value.printer, job: answer.value.job })
      else log.warn('print-ended', { ...job.trace, ...failureDetails(answer.failure) })
      return answer
    } catch (error) {
      // Something unforeseen, at an unknown moment: nobody may take it for certainly not printed.
      log.error('print-failed-unforeseen', { error, ...job.trace })
      return notPrinted('unknown', true)
    }
  }

  return {
    expect(destination) {
      if (destination.kind !== 'queue') return
      // What keeps the queues from being opened, printing itself will say.
      queues.use().then(
        (opened) => opened.expect?.(destination),
        () => undefined
      )
    },
    print,
    async list() {
      try {
        return await (await queues.use()).list()
      } catch (error) {
        log.error('printers-not-listed', { error })
        return err({ kind: 'internal' })
      }
    },
    async testPage({ destination, paper }, signal) {
      return print(await drawing.testPage(paper, now()), destination, signal)
    }
  }
}
