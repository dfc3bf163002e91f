/** Receipt printers: the same rules for every transport and language. */
import { setTimeout as wait } from 'node:timers/promises'
import { ok } from '../../../contract/failure.ts'
import {
  type PrinterLanguage,
  type PrintFault,
  type ReceiptConnection,
  type ReceiptPrinter
} from '../../../contract/printing.ts'
import type { Logger } from '../../log/log.ts'
import {
  notPrinted,
  type PrintControl,
  timeoutsFor,
  type PrintJob,
  type PrintResult,
  type PrintTimeouts
} from '../print-job.ts'
import { DeviceTransport } from './device-transport.ts'
import { NetworkTransport } from './network-transport.ts'
import {
  ConnectionLostError,
  type PrinterCondition,
  PrinterConnection,
  type ReceiptTransport,
  type StatusProtocol
} from './printer-connection.ts'
import { EscPosStatus, StarPrntStatus } from './printer-status.ts'

/** Interval between two status requests while the printer prints. */
const STATUS_INTERVAL_MS = 200

/** How long a printer that does not answer end marks must show no fault before its slip counts as printed. */
const SETTLE_MS = 3_000

/**
 * How soon a till tries again to reach a printer that another till has, in ms: from 250 after a moment to 15 after 7 s. The
 * till that has waited longest tries most often, so that it comes next where the printer keeps no order.
 */
const retryPause = (waitedMs: number): number =>
  Math.min(250, Math.max(15, 1_000_000_000 / (1000 + waitedMs) ** 2))

/** Longer than any of those pauses: a till with several slips lets the others come between them. */
const YIELD_MS = 300

/** In which a printer that another till has ends a connection that it has accepted. */
const ACCEPTED_MS = 200

const FAULT_OF_LOSS = {
  unreachable: 'printer-offline',
  busy: 'printer-busy',
  forbidden: 'permission-denied',
  'in-use': 'in-use',
  broken: 'printer-offline',
  silent: 'printer-offline',
  aborted: 'timeout'
} as const satisfies Record<ConnectionLostError['reason'], PrintFault>

/** A connection to the printer itself: not a raw queue. */
type DirectConnection = Exclude<ReceiptConnection, { readonly kind: 'raw-queue' }>

async function createTransport(
  connection: DirectConnection,
  reportsState: boolean
): Promise<ReceiptTransport> {
  switch (connection.kind) {
    case 'network':
      return new NetworkTransport(connection)
    case 'device':
      return new DeviceTransport(connection, reportsState)
    case 'serial':
      return new (await import('./serial-transport.ts')).SerialTransport(connection)
  }
}

const STATUS_PROTOCOLS: Readonly<Record<PrinterLanguage, new () => StatusProtocol>> = {
  'esc-pos': EscPosStatus,
  'star-prnt': StarPrntStatus
}

/**
 * Tells faults from conditions that pass without a hand: being offline for no reason that the printer names, if it lasts, is
 * one, and hinders the job until then.
 */
class Patience {
  readonly #limitMs: number
  readonly #control: PrintControl
  #offlineSince: number | null = null

  constructor(limitMs: number, control: PrintControl) {
    this.#limitMs = limitMs
    this.#control = control
  }

  /** Returns the fault of a condition that was read now, or null. */
  faultOf(condition: PrinterCondition): PrintFault | null {
    this.#control.hindered(condition === 'printer-offline' ? condition : null)
    if (condition !== 'printer-offline') {
      this.#offlineSince = null
      return condition === 'paused' ? null : condition
    }
    this.#offlineSince ??= performance.now()
    return performance.now() - this.#offlineSince >= this.#limitMs ? condition : null
  }
}

/**
 * Resolves when the printer has reached the end of the slip, with the fault that stopped it or null.
 * @param settleMs how long a printer that answers no end mark must show nothing that stops it behind the slip, which it has
 *   printed then
 */
async function waitUntilPrinted(
  connection: PrinterConnection,
  settleMs: number,
  patience: Patience,
  timeoutMs: number
): Promise<PrintFault | null> {
  let readySince: number | null = null
  for (;;) {
    // Read before the status, so that a fault between the two is seen. The first mark was sent before the slip.
    const ended = connection.endMarks > 1
    // The request waits behind unread bytes, so its response may take as long as the slip.
    const condition = await connection.readCondition(timeoutMs).catch((error: unknown) => {
      // A printer that is pulled out after it has printed everything.
      if (ended && error instanceof ConnectionLostError && error.reason === 'broken') return null
      throw error
    })
    // A fault that has passed, such as a roll that ended and was replaced, has spoiled the slip, too.
    const stopped = patience.faultOf(condition) ?? connection.reportedFault
    if (stopped !== null || ended) return stopped
    readySince = condition === null ? (readySince ?? performance.now()) : null
    // The answer to the first mark may come late.
    const isReady = readySince !== null && performance.now() - readySince >= settleMs
    if (isReady && connection.endMarks === 0) return null
    await wait(STATUS_INTERVAL_MS)
  }
}

export interface ReceiptPrintingOptions {
  readonly timeouts: PrintTimeouts
  readonly log: Logger
  /** default `SETTLE_MS` */
  readonly settleMs?: number
}

/**
 * Prints on receipt printers. Before a slip the printer's state is read, behind it the printer is asked until it has
 * reached the end. A printer that does not report its state gets the bytes of the slip and nothing else. One slip at a time
 * on each printer: two connections would mix their lines. No part of a slip is ever sent twice.
 */
export class ReceiptPrinting {
  readonly #timeouts: PrintTimeouts
  readonly #log: Logger
  readonly #settleMs: number
  /** the last job of each printer */
  readonly #lastJobs = new Map<string, Promise<unknown>>()

  constructor({ timeouts, log, settleMs = SETTLE_MS }: ReceiptPrintingOptions) {
    this.#timeouts = timeouts
    this.#log = log
    this.#settleMs = settleMs
  }

  /**
   * Prints the commands of a job on a printer that answers. On one that does not report its state, `ok` means that it was sent: whether it
   * was printed is unknown.
   */
  async print(
    job: PrintJob,
    printer: ReceiptPrinter,
    connection: DirectConnection,
    control: PrintControl
  ): Promise<PrintResult> {
    const { commands } = job
    if (commands === undefined) return notPrinted('refused-size')
    const transport = await createTransport(connection, printer.reportsState)
    const timeoutMs =
      timeoutsFor(job, this.#timeouts).job + Math.ceil((commands.length / transport.bytesPerSecond) * 1000)
    return this.#inTurn(transport, () =>
      control.signal.aborted
        ? Promise.resolve(notPrinted('cancelled-here'))
        : this.#send(commands, transport, printer, timeoutMs, control)
    )
  }

  /** Runs `work` after the previous job of the printer. */
  #inTurn({ name, isShared }: ReceiptTransport, work: () => Promise<PrintResult>): Promise<PrintResult> {
    const result = (this.#lastJobs.get(name) ?? Promise.resolve()).then(work)
    const settled = result.catch(() => undefined).then(() => (isShared ? wait(YIELD_MS) : undefined))
    this.#lastJobs.set(name, settled)
    void settled.then(() => this.#lastJobs.get(name) === settled && this.#lastJobs.delete(name))
    return result
  }

  async #send(
    bytes: Uint8Array,
    transport: ReceiptTransport,
    printer: ReceiptPrinter,
    timeoutMs: number,
    control: PrintControl
  ): Promise<PrintResult> {
    const { language, reportsState } = printer
    const signal = AbortSignal.any([control.signal, AbortSignal.timeout(timeoutMs)])
    /** Once the first byte of a slip is sent, it is unknown how much of it was printed. */
    let isBegun = false
    let connection: PrinterConnection | null = null
    try {
      const opened = await this.#open(transport, printer, signal, control)
      connection = opened.connection
      if (opened.fault !== null) return notPrinted(opened.fault)
      isBegun = true
      if (!reportsState) {
        await connection.send(bytes)
        await connection.flush()
        return ok({ printer: transport.name, job: null })
      }
      await connection.sendSlip(bytes)
      const patience = new Patience(this.#timeouts.hindrance, control)
      const fault = await waitUntilPrinted(connection, this.#settleMs, patience, timeoutMs)
      if (fault !== null) return notPrinted(fault, true)
      return ok({ printer: transport.name, job: null })
    } catch (error) {
      if (!(error instanceof ConnectionLostError)) throw error
      this.#log.warn('receipt-printer-connection-lost', { error })
      await connection?.close()
      if (control.signal.aborted) return notPrinted('cancelled-here', isBegun)
      const fault = FAULT_OF_LOSS[error.reason]
      if (!isBegun || !reportsState) return notPrinted(fault, isBegun)
      return notPrinted(connection?.reportedFault ?? (await this.#diagnose(transport, language, fault)), true)
    } finally {
      await connection?.close()
    }
  }

  /**
   * Connects and, where the printer reports its state, reads its fault. As no part of the slip is sent yet, it connects
   * again while another till or program has the printer, or keeps the connection on which the printer does not answer yet:
   * the job is hindered meanwhile. A printer that is off looks the same for a while.
   */
  async #open(
    transport: ReceiptTransport,
    { language, reportsState }: ReceiptPrinter,
    signal: AbortSignal,
    control: PrintControl
  ): Promise<{ readonly connection: PrinterConnection; readonly fault: PrintFault | null }> {
    const { response, busy } = this.#timeouts
    const start = performance.now()
    if (transport.isShared) control.hindered('printer-busy')
    for (;;) {
      let connection: PrinterConnection | null = null
      try {
        connection = await PrinterConnection.open(
          transport,
          new STATUS_PROTOCOLS[language](),
          response,
          signal
        )
        if (reportsState) {
          // An end mark before the slip shows whether the printer answers them.
          await connection.sendEndMark()
          const restMs = transport.isShared ? start + busy - performance.now() : 0
          return { connection, fault: await this.#readFault(connection, Math.max(response, restMs), control) }
        }
        if (transport.isShared) await connection.staysOpen(ACCEPTED_MS)
        control.hindered(null)
        return { connection, fault: null }
      } catch (error) {
        await connection?.close()
        if (!(error instanceof ConnectionLostError)) throw error
        const isRefused = transport.isShared && (error.reason === 'broken' || error.reason === 'silent')
        const lost = isRefused ? new ConnectionLostError('busy', error) : error
        const waitedMs = performance.now() - start
        if ((lost.reason !== 'busy' && lost.reason !== 'in-use') || waitedMs >= busy) throw lost
        control.hindered(FAULT_OF_LOSS[lost.reason])
        // An abort ends the pause; opening rejects then.
        await wait(retryPause(waitedMs), undefined, { signal }).catch(() => undefined)
      }
    }
  }

  /** Reads the fault before a slip, or null. A printer may be offline for a moment. */
  async #readFault(
    connection: PrinterConnection,
    timeoutMs: number,
    control: PrintControl
  ): Promise<PrintFault | null> {
    const patience = new Patience(this.#timeouts.hindrance, control)
    for (;;) {
      const condition = await connection.readCondition(timeoutMs)
      const fault = patience.faultOf(condition)
      if (fault !== null || condition !== 'printer-offline') return fault
      await wait(STATUS_INTERVAL_MS)
    }
  }

  /** The fault that a new connection reports after one was lost, else `fault`. */
  async #diagnose(
    transport: ReceiptTransport,
    language: PrinterLanguage,
    fault: PrintFault
  ): Promise<PrintFault> {
    const { response } = this.#timeouts
    const signal = AbortSignal.timeout(response)
    try {
      const protocol = new STATUS_PROTOCOLS[language]()
      const connection = await PrinterConnection.open(transport, protocol, response, signal)
      try {
        const condition = await connection.readCondition(response)
        return condition === 'paused' ? fault : (condition ?? fault)
      } finally {
        await connection.close()
      }
    } catch {
      return fault
    }
  }
}
