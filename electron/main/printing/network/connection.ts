/** One connection to an ESC/POS printer: sends bytes, asks for its status, hears its answers. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { PrintFault } from '../../../contract/printing.ts'

/** Why a connection is of no more use. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError'
  readonly reason: 'unreachable' | 'broken' | 'silent' | 'aborted'
  constructor(reason: ConnectionLostError['reason'], cause?: unknown) {
    super(`The printer is ${reason}`, { cause })
    this.reason = reason
  }
}

export interface PrinterConnection {
  /** Asks for paper, cover and all else. Rejects with `ConnectionLostError`: `silent` when one answer takes over `limit` ms. */
  status(limit: number): Promise<PrinterStatus>
  /** Sends all of `bytes`. Rejects with `ConnectionLostError` when the connection ends before the last one was taken. */
  send(bytes: Uint8Array): Promise<void>
  /** How many end marks the printer has come to. */
  endMarks(): number
  /** Ends the connection, and waits until the printer has let go of it: many take one at a time only. */
  close(): Promise<void>
}

/** Small enough to notice a printer that stops taking bytes, large enough not to slow one that does. */
const SLICE_BYTES = 4096

/** Milliseconds that a printer has to let go. */
const CLOSING = 500

const abortable = <Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> =>
  new Promise((resolve, reject) => {
    const abort = (): void => reject(new ConnectionLostError('aborted', signal.reason))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })

async function opened(host: string, port: number, timeout: number): Promise<Socket> {
  const socket = connect({ host, port, noDelay: true })
  // a socket without a listener would end the process with its error
  socket.on('error', () => undefined)
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => socket.destroy(new Error('No answer in time')), timeout)
    socket.once('connect', () => {
      clearTimeout(timer)
      resolve()
    })
    socket.once('error', (error) => reject(new ConnectionLostError('unreachable', error)))
    socket.once('close', () => {
      clearTimeout(timer)
      reject(new ConnectionLostError('unreachable'))
    })
  })
  return socket
}

/** Connects within `timeout` ms. An abort of `signal` ends whatever waits. */
export async function connectToPrinter(
  { host, port }: { readonly host: string; readonly port: number },
  timeout: number,
  signal: AbortSignal
): Promise<PrinterConnection> {
  const connecting = opened(host, port, timeout)
  connecting.then((late) => signal.aborted && late.destroy()).catch(() => undefined)
  const socket = await abortable(connecting, signal)

  let endMarks = 0
  let onStatus: ((byte: number) => void) | null = null
  socket.on('data', (bytes: Buffer) => {
    for (const byte of bytes) {
      if (isStatus(byte)) onStatus?.(byte)
      else if (isEndMark(byte)) endMarks++
      // anything else: flow control, or status that was not asked for
    }
  })

  const closed = new Promise<never>((_resolve, reject) => {
    let cause: unknown
    socket.once('error', (error) => (cause = error))
    socket.once('end', () => socket.destroy())
    socket.once('close', () => reject(new ConnectionLostError('broken', cause)))
  })
  closed.catch(() => undefined)
  const whileOpen = <Value>(work: Promise<Value>): Promise<Value> =>
    abortable(Promise.race([work, closed]), signal)

  const ask = (kind: StatusKind, limit: number): Promise<number> => {
    let timer: NodeJS.Timeout | undefined
    const answer = new Promise<number>((resolve, reject) => {
      timer = setTimeout(() => reject(new ConnectionLostError('silent')), limit)
      onStatus = resolve
      socket.write(statusRequest(kind))
    })
    return whileOpen(answer).finally(() => {
      clearTimeout(timer)
      onStatus = null
    })
  }

  const write = (slice: Uint8Array): Promise<void> =>
    new Promise((resolve) => {
      // A failed write closes the socket, which `closed` tells.
      socket.write(slice, (error) => error ?? resolve())
    })

  return {
    async status(limit) {
      const answers = { 1: 0, 2: 0, 4: 0 }
      // One at a time: answers do not say what they answer.
      for (const kind of STATUS_KINDS) answers[kind] = await ask(kind, limit)
      return answers
    },
    async send(bytes) {
      for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
        await whileOpen(write(bytes.subarray(at, at + SLICE_BYTES)))
      }
    },
    endMarks: () => endMarks,
    async close() {
      if (socket.destroyed) return
      const gone = once(socket, 'close')
      const timer = setTimeout(() => socket.destroy(), CLOSING)
      socket.end()
      await gone
      clearTimeout(timer)
    }
  }
}

/* from status.ts: What an ESC/POS printer tells of itself in real time: `DLE EOT n` (Epson's ESC/POS command reference). */

/** Which status: 1 printer, 2 why it is offline, 4 roll paper. */
const STATUS_KINDS = [1, 2, 4] as const
type StatusKind = (typeof STATUS_KINDS)[number]

/** The three answers, by what was asked. */
export type PrinterStatus = Readonly<Record<StatusKind, number>>

/** `DLE EOT n`. */
const statusRequest = (kind: StatusKind): Uint8Array => Uint8Array.of(0x10, 0x04, kind)

/**
 * `GS r 1`, which the printer answers when it comes to it in its buffer: everything sent before was printed then.
 * `DLE EOT` overtakes the buffer, so it cannot tell that.
 */
export const END_MARK = Uint8Array.of(0x1d, 0x72, 0x01)

/** Bits 0, 1, 4 and 7 are fixed, and tell what a byte answers. */
const FIXED_BITS = 0b1001_0011

/** Whether a byte answers `DLE EOT`. */
export const isStatus = (byte: number): boolean => (byte & FIXED_BITS) === 0b0001_0010

/** Whether a byte answers the end mark. */
export const isEndMark = (byte: number): boolean => (byte & FIXED_BITS) === 0

const OFFLINE = 0x08
const COVER_OPEN = 0x04
const STOPPED_FOR_PAPER = 0x20
const ERROR = 0x40
/** paper end; near-end, 0x0c, still prints */
const NO_PAPER = 0x60

/** What keeps the printer from printing, or null. */
export function faultOfStatus(status: PrinterStatus): PrintFault | null {
  if ((status[2] & COVER_OPEN) !== 0) return 'cover-open'
  if ((status[4] & NO_PAPER) !== 0 || (status[2] & STOPPED_FOR_PAPER) !== 0) return 'out-of-paper'
  if ((status[2] & ERROR) !== 0) return 'printer-fault'
  return (status[1] & OFFLINE) === 0 ? null : 'printer-offline'
}
