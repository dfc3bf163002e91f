/** ESC/POS receipt printers on the network (TCP, usually port 9100). */
import { setTimeout as wait } from 'node:timers/promises'
import type { NetworkPrinter, PrintFault } from '../../../contract/printing.ts'
import {
  looksLikePdf,
  notPrinted,
  timesFor,
  UnreadablePdfError,
  type PrintAnswer,
  type PrintJob,
  type PrintTimes
} from '../print-job.ts'
import type { Logger } from '../../log/log.ts'
import {
  ConnectionLostError,
  connectToPrinter,
  END_MARK,
  faultOfStatus,
  type PrinterConnection
} from './connection.ts'
import type { Drawing } from '../drawing.ts'
import { headDots } from './receipt.ts'

/** Milliseconds between two questions while the printer prints. */
const BETWEEN_QUESTIONS = 200

/** How long a printer that answers no end mark must tell no fault before its slip counts as printed, in ms. */
const WITHOUT_END_MARK = 3_000

const FAULT_OF_GONE = {
  unreachable: 'printer-offline',
  broken: 'printer-offline',
  silent: 'printer-offline',
  aborted: 'timeout'
} as const satisfies Record<ConnectionLostError['reason'], PrintFault>

/** What a printer told before the slip: a fault, and whether it answers end marks. */
async function asked(
  connection: PrinterConnection,
  limit: number
): Promise<{ fault: PrintFault | null; knowsEndMark: boolean }> {
  await connection.send(END_MARK)
  const fault = faultOfStatus(await connection.status(limit))
  return { fault, knowsEndMark: connection.endMarks() > 0 }
}

/**
 * Waits until the printer came to the end of the slip, and answers what stopped it, or null. `settle`: after how many
 * ms without a fault a slip counts as printed; Infinity for a printer that answers end marks.
 */
async function untilPrinted(
  connection: PrinterConnection,
  settle: number,
  whole: number
): Promise<PrintFault | null> {
  const start = performance.now()
  for (;;) {
    // looked at before the status: a fault that comes between the two is seen; the first mark was not the slip's
    const ended = connection.endMarks() > 1
    // The question waits behind what the printer has not read yet, so its answer may take as long as the slip.
    const fault = faultOfStatus(await connection.status(whole))
    if (fault !== null) return fault
    if (ended || performance.now() - start >= settle) return null
    await wait(BETWEEN_QUESTIONS)
  }
}

export interface NetworkOptions {
  readonly times: PrintTimes
  readonly drawing: Pick<Drawing, 'receipt'>
  readonly log: Logger
  /** instead of WITHOUT_END_MARK */
  readonly withoutEndMark?: number
}

/** Makes the printing on network printers. One slip at a time to each: two connections would mix their lines. */
export function createNetworkPrinting({
  times,
  drawing,
  log,
  withoutEndMark = WITHOUT_END_MARK
}: NetworkOptions) {
  const lastOf = new Map<string, Promise<unknown>>()

  /** Why the printer stopped in the middle: a new connection may tell what the broken one could not. */
  const diagnosed = async (printer: NetworkPrinter, fault: PrintFault): Promise<PrintFault> => {
    try {
      const connection = await connectToPrinter(printer, times.answer, AbortSignal.timeout(times.answer))
      try {
        return faultOfStatus(await connection.status(times.answer)) ?? fault
      } finally {
        await connection.close()
      }
    } catch {
      return fault
    }
  }

  const send = async (
    bytes: Uint8Array,
    whole: number,
    printer: NetworkPrinter,
    stop: AbortSignal
  ): Promise<PrintAnswer> => {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(whole)])
    /** Once the first byte of a slip is out, nobody but the paper knows how much was printed. */
    let begun = false
    let connection: PrinterConnection | null = null
    try {
      connection = await connectToPrinter(printer, times.answer, signal)
      const before = await asked(connection, times.answer)
      if (before.fault !== null) return notPrinted(before.fault)
      begun = true
      await connection.send(bytes)
      const after = await untilPrinted(connection, before.knowsEndMark ? Infinity : withoutEndMark, whole)
      if (after !== null) return notPrinted(after, true)
      return { ok: true, value: { printer: nameOf(printer), job: null } }
    } catch (error) {
      if (!(error instanceof ConnectionLostError)) throw error
      log.warn('network-printer-stopped', { error })
      await connection?.close()
      if (stop.aborted) return notPrinted('cancelled-here', begun)
      const fault = FAULT_OF_GONE[error.reason]
      return notPrinted(begun ? await diagnosed(printer, fault) : fault, begun)
    } finally {
      await connection?.close()
    }
  }

  /** Prints a slip; never sends any of it twice. `signal` gives it up. */
  return async (job: PrintJob, printer: NetworkPrinter, signal: AbortSignal): Promise<PrintAnswer> => {
    if (!looksLikePdf(job.pdf)) return notPrinted('bad-document')
    const width = headDots(job.widthMillimetres)
    if (width === null) return notPrinted('refused-size')
    let bytes: Uint8Array
    try {
      bytes = await drawing.receipt(job, width, printer.code)
    } catch (error) {
      if (!(error instanceof UnreadablePdfError)) throw error
      log.error('slip-not-drawn', { error, ...job.trace })
      return notPrinted('bad-document')
    }
    const name = nameOf(printer)
    const answer = (lastOf.get(name) ?? Promise.resolve()).then(() =>
      signal.aborted ? notPrinted('cancelled-here') : send(bytes, timesFor(job, times).whole, printer, signal)
    )
    const settled = answer.catch(() => undefined)
    lastOf.set(name, settled)
    void settled.then(() => lastOf.get(name) === settled && lastOf.delete(name))
    return answer
  }
}

const nameOf = ({ host, port }: NetworkPrinter): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
