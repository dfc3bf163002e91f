/** A TCP connection to an ESC/POS printer, and its real-time status (Epson's ESC/POS command reference). */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { PrintFault } from '../../../contract/printing.ts'

/** Status requests `DLE EOT n`: 1 printer, 2 cause of being offline, 4 roll paper. */
const STATUS_KINDS = [1, 2, 4] as const
type StatusKind = (typeof STATUS_KINDS)[number]

/** The responses by request. */
type PrinterStatus = Readonly<Record<StatusKind, number>>

const statusRequest = (kind: StatusKind): Uint8Array => Uint8Array.of(0x10, 0x04, kind)

/**
 * `GS r 1`, which the printer answers when it reaches it in its buffer: all bytes before it are printed then. `DLE EOT`
 * overtakes the buffer and cannot show that.
 */
export const END_MARK = Uint8Array.of(0x1d, 0x72, 0x01)

/** Bits 0, 1, 4 and 7 are fixed; they show which request a byte answers. */
const FIXED_BITS = 0b1001_0011
export const isStatusByte = (byte: number): boolean => (byte & FIXED_BITS) === 0b0001_0010
export const isEndMarkByte = (byte: number): boolean => (byte & FIXED_BITS) === 0

const OFFLINE = 0x08
const COVER_OPEN = 0x04
const STOPPED_FOR_PAPER = 0x20
const ERROR = 0x40
/** Paper end. The near-end bits, 0x0c, are ignored: such a printer still prints. */
const NO_PAPER = 0x60

/** The fault that a status shows, or null. */
export function faultOfStatus(status: PrinterStatus): PrintFault | null {
  if ((status[2] & COVER_OPEN) !== 0) return 'cover-open'
  if ((status[4] & NO_PAPER) !== 0 || (status[2] & STOPPED_FOR_PAPER) !== 0) return 'out-of-paper'
  if ((status[2] & ERROR) !== 0) return 'printer-fault'
  return (status[1] & OFFLINE) === 0 ? null : 'printer-offline'
}

/** A connection cannot be used any more. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError'
  readonly reason: 'unreachable' | 'broken' | 'silent' | 'aborted'
  constructor(reason: ConnectionLostError['reason'], cause?: unknown) {
    super(`The printer is ${reason}`, { cause })
    this.reason = reason
  }
}

/** Small enough to notice a printer that stops reading, large enough not to slow one that reads. */
const CHUNK_BYTES = 4096

/** Time that a printer has to close its side. */
const CLOSE_TIMEOUT_MS = 500

/** Rejects with `aborted` as soon as `signal` aborts. */
const abortable = <Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> =>
  new Promise((resolve, reject) => {
    const abort = (): void => reject(new ConnectionLostError('aborted', signal.reason))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })

async function openSocket(host: string, port: number, timeoutMs: number): Promise<Socket> {
  const socket = connect({ host, port, noDelay: true })
  // Without a listener an error would end the process.
  socket.on('error', () => undefined)
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => socket.destroy(new Error('No answer in time')), timeoutMs)
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

/** One connection. Every method rejects with `ConnectionLostError` when the connection ends or the signal aborts. */
export class PrinterConnection {
  readonly #socket: Socket
  readonly #signal: AbortSignal
  readonly #closed: Promise<never>
  #endMarks = 0
  #onStatus: ((byte: number) => void) | null = null

  /** Connects within `timeoutMs`. An abort of `signal` ends all pending work. */
  static async open(
    { host, port }: { readonly host: string; readonly port: number },
    timeoutMs: number,
    signal: AbortSignal
  ): Promise<PrinterConnection> {
    const opening = openSocket(host, port, timeoutMs)
    opening.then((socket) => signal.aborted && socket.destroy()).catch(() => undefined)
    return new PrinterConnection(await abortable(opening, signal), signal)
  }

  private constructor(socket: Socket, signal: AbortSignal) {
    this.#socket = socket
    this.#signal = signal
    socket.on('data', (bytes: Buffer) => {
      for (const byte of bytes) {
        if (isStatusByte(byte)) this.#onStatus?.(byte)
        else if (isEndMarkByte(byte)) this.#endMarks++
        // Anything else is flow control or unsolicited status.
      }
    })
    this.#closed = new Promise<never>((_resolve, reject) => {
      let cause: unknown
      socket.once('error', (error) => (cause = error))
      socket.once('end', () => socket.destroy())
      socket.once('close', () => reject(new ConnectionLostError('broken', cause)))
    })
    this.#closed.catch(() => undefined)
  }

  /** Number of end marks that the printer has reached. */
  get endMarks(): number {
    return this.#endMarks
  }

  /** Reads the status. Rejects with reason `silent` when one response takes longer than `timeoutMs`. */
  async status(timeoutMs: number): Promise<PrinterStatus> {
    const responses = { 1: 0, 2: 0, 4: 0 }
    // One at a time: a response does not name its request.
    for (const kind of STATUS_KINDS) responses[kind] = await this.#requestStatus(kind, timeoutMs)
    return responses
  }

  /** Resolves when the system has taken the last byte. */
  async send(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
      await this.#whileOpen(this.#write(bytes.subarray(at, at + CHUNK_BYTES)))
    }
  }

  /** Closes the connection and waits for the printer's side: many printers accept one connection at a time. */
  async close(): Promise<void> {
    if (this.#socket.destroyed) return
    const closed = once(this.#socket, 'close')
    const timer = setTimeout(() => this.#socket.destroy(), CLOSE_TIMEOUT_MS)
    this.#socket.end()
    await closed
    clearTimeout(timer)
  }

  async #requestStatus(kind: StatusKind, timeoutMs: number): Promise<number> {
    let timer: NodeJS.Timeout | undefined
    const response = new Promise<number>((resolve, reject) => {
      timer = setTimeout(() => reject(new ConnectionLostError('silent')), timeoutMs)
      this.#onStatus = resolve
      this.#socket.write(statusRequest(kind))
    })
    try {
      return await this.#whileOpen(response)
    } finally {
      clearTimeout(timer)
      this.#onStatus = null
    }
  }

  #whileOpen<Value>(work: Promise<Value>): Promise<Value> {
    return abortable(Promise.race([work, this.#closed]), this.#signal)
  }

  #write(chunk: Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      // A failed write closes the socket, and `#closed` rejects.
      this.#socket.write(chunk, (error) => error ?? resolve())
    })
  }
}
