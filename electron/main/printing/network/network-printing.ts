/** ESC/POS receipt printers on the network (TCP, usually port 9100). */
import { setTimeout as wait } from 'node:timers/promises'
import type { CodeStyle, NetworkPrinter, PrintFault } from '../../../contract/printing.ts'
import type { Logger } from '../../log/log.ts'
import {
  headWidthDots,
  isPdf,
  notPrinted,
  timeoutsFor,
  UnreadablePdfError,
  type PrintJob,
  type PrintResult,
  type PrintTimeouts
} from '../print-job.ts'
import { ConnectionLostError, END_MARK, faultOfStatus, PrinterConnection } from './connection.ts'

/** Interval between two status requests while the printer prints. */
const STATUS_INTERVAL_MS = 200

/** How long a printer that does not answer end marks must show no fault before its slip counts as printed. */
const SETTLE_MS = 3_000

const FAULT_OF_LOSS = {
  unreachable: 'printer-offline',
  broken: 'printer-offline',
  silent: 'printer-offline',
  aborted: 'timeout'
} as const satisfies Record<ConnectionLostError['reason'], PrintFault>

/** Converts a print job to ESC/POS commands for a head of `widthDots`. Rejects with `UnreadablePdfError`. */
export type EncodeReceipt = (job: PrintJob, widthDots: number, codeStyle: CodeStyle) => Promise<Uint8Array>

const printerName = ({ host, port }: NetworkPrinter): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`

/** The status before a slip, and whether the printer answers end marks. */
async function checkPrinter(
  connection: PrinterConnection,
  timeoutMs: number
): Promise<{ fault: PrintFault | null; answersEndMarks: boolean }> {
  await connection.send(END_MARK)
  const fault = faultOfStatus(await connection.status(timeoutMs))
  return { fault, answersEndMarks: connection.endMarks > 0 }
}

/**
 * Resolves when the printer has reached the end of the slip, with the fault that stopped it or null.
 * @param settleMs time without a fault after which a slip counts as printed; Infinity for a printer with end marks
 */
async function waitUntilPrinted(
  connection: PrinterConnection,
  settleMs: number,
  timeoutMs: number
): Promise<PrintFault | null> {
  const start = performance.now()
  for (;;) {
    // Read before the status, so that a fault between the two is seen. The first mark was sent before the slip.
    const ended = connection.endMarks > 1
    // The request waits behind unread bytes, so its response may take as long as the slip.
    const fault = faultOfStatus(await connection.status(timeoutMs))
    if (fault !== null) return fault
    if (ended || performance.now() - start >= settleMs) return null
    await wait(STATUS_INTERVAL_MS)
  }
}

export interface NetworkPrintingOptions {
  readonly timeouts: PrintTimeouts
  readonly encodeReceipt: EncodeReceipt
  readonly log: Logger
  /** default `SETTLE_MS` */
  readonly settleMs?: number
}

/** Prints on network printers, one slip at a time on each: two connections would mix their lines. */
export class NetworkPrinting {
  readonly #timeouts: PrintTimeouts
  readonly #encodeReceipt: EncodeReceipt
  readonly #log: Logger
  readonly #settleMs: number
  /** the last job of each printer */
  readonly #lastJobs = new Map<string, Promise<unknown>>()

  constructor({ timeouts, encodeReceipt, log, settleMs = SETTLE_MS }: NetworkPrintingOptions) {
    this.#timeouts = timeouts
    this.#encodeReceipt = encodeReceipt
    this.#log = log
    this.#settleMs = settleMs
  }

  /** Prints a job; no part of it is ever sent twice. An abort of `signal` gives it up. */
  async print(job: PrintJob, printer: NetworkPrinter, signal: AbortSignal): Promise<PrintResult> {
    if (!isPdf(job.pdf)) return notPrinted('bad-document')
    const width = headWidthDots(job.widthMillimetres)
    if (width === null) return notPrinted('refused-size')
    let bytes: Uint8Array
    try {
      bytes = await this.#encodeReceipt(job, width, printer.code)
    } catch (error) {
      if (!(error instanceof UnreadablePdfError)) throw error
      this.#log.error('receipt-not-encoded', { error, ...job.trace })
      return notPrinted('bad-document')
    }
    const name = printerName(printer)
    const result = (this.#lastJobs.get(name) ?? Promise.resolve()).then(() =>
      signal.aborted
        ? notPrinted('cancelled-here')
        : this.#send(bytes, timeoutsFor(job, this.#timeouts).job, printer, signal)
    )
    const settled = result.catch(() => undefined)
    this.#lastJobs.set(name, settled)
    void settled.then(() => this.#lastJobs.get(name) === settled && this.#lastJobs.delete(name))
    return result
  }

  async #send(
    bytes: Uint8Array,
    timeoutMs: number,
    printer: NetworkPrinter,
    cancel: AbortSignal
  ): Promise<PrintResult> {
    const signal = AbortSignal.any([cancel, AbortSignal.timeout(timeoutMs)])
    const { response } = this.#timeouts
    /** Once the first byte of a slip is sent, it is unknown how much of it was printed. */
    let isBegun = false
    let connection: PrinterConnection | null = null
    try {
      connection = await PrinterConnection.open(printer, response, signal)
      const { fault: faultBefore, answersEndMarks } = await checkPrinter(connection, response)
      if (faultBefore !== null) return notPrinted(faultBefore)
      isBegun = true
      await connection.send(bytes)
      const fault = await waitUntilPrinted(connection, answersEndMarks ? Infinity : this.#settleMs, timeoutMs)
      if (fault !== null) return notPrinted(fault, true)
      return { ok: true, value: { printer: printerName(printer), job: null } }
    } catch (error) {
      if (!(error instanceof ConnectionLostError)) throw error
      this.#log.warn('network-printer-connection-lost', { error })
      await connection?.close()
      if (cancel.aborted) return notPrinted('cancelled-here', isBegun)
      const fault = FAULT_OF_LOSS[error.reason]
      return notPrinted(isBegun ? await this.#diagnose(printer, fault) : fault, isBegun)
    } finally {
      await connection?.close()
    }
  }

  /** The fault that a new connection reports after one was lost, else `fault`. */
  async #diagnose(printer: NetworkPrinter, fault: PrintFault): Promise<PrintFault> {
    const { response } = this.#timeouts
    try {
      const connection = await PrinterConnection.open(printer, response, AbortSignal.timeout(response))
      try {
        return faultOfStatus(await connection.status(response)) ?? fault
      } finally {
        await connection.close()
      }
    } catch {
      return fault
    }
  }
}
