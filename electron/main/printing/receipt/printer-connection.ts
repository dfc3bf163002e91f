/** A connection to a receipt printer of any transport and language: bytes out, status and end marks in. */
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import type { PrintFault } from '../../../contract/printing.ts'
import { errorCode } from '../../fs/atomic-write.ts'

/** XON and XOFF, which a printer may send between any two bytes of an answer. */
export const isFlowControl = (byte: number): boolean => byte === 0x11 || byte === 0x13

/** What a printer says. */
export interface PrinterMessage {
  /** `status`: a response to a status request; `end-mark`: one to an end mark; `report`: sent without a request */
  readonly kind: 'status' | 'end-mark' | 'report'
  readonly bytes: Uint8Array
  /** what stopped the printer, if this message alone shows it; null: nothing */
  readonly fault: PrintFault | null
}

/**
 * What a printer's status shows: `paused` goes on by itself; `printer-offline` is offline for no reason that it names, which
 * may pass, too; null prints.
 */
export type PrinterCondition = PrintFault | 'paused' | null

/** How the printers of one language report their state. One object for each connection: answers may come in pieces. */
export interface StatusProtocol {
  /** the command that the printer answers when it reaches it in its buffer: all bytes before it are printed then */
  readonly endMark: Uint8Array
  /** Takes bytes in any pieces. Returns the messages that they complete. */
  receive(bytes: Uint8Array): readonly PrinterMessage[]
  /**
   * Asks for the condition of the printer. `request` sends a request and resolves with the next response.
   */
  readCondition(request: (bytes: Uint8Array) => Promise<Uint8Array>): Promise<PrinterCondition>
}

/** Small enough to notice a printer that stops reading, large enough not to slow one that reads. */
const CHUNK_BYTES = 4096

/** Rejects with `aborted` as soon as `signal` aborts. */
const abortable = <Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> =>
  new Promise((resolve, reject) => {
    const abort = (): void => reject(new ConnectionLostError('aborted', signal.reason))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })

/** Every method rejects with `ConnectionLostError` when the connection ends or the signal aborts. */
export class PrinterConnection {
  readonly #channel: PrinterChannel
  readonly #protocol: StatusProtocol
  readonly #signal: AbortSignal
  #onResponse: ((response: Uint8Array) => void) | null = null
  #endMarksSent = 0
  #endMarks = 0
  #reportedFault: PrintFault | null = null

  /** Opens within `timeoutMs`. An abort of `signal` ends all pending work. */
  static async open(
    transport: ReceiptTransport,
    protocol: StatusProtocol,
    timeoutMs: number,
    signal: AbortSignal
  ): Promise<PrinterConnection> {
    const opening = transport.open(timeoutMs)
    opening.then((channel) => (signal.aborted ? channel.close() : undefined)).catch(() => undefined)
    return new PrinterConnection(await abortable(opening, signal), protocol, signal)
  }

  private constructor(channel: PrinterChannel, protocol: StatusProtocol, signal: AbortSignal) {
    this.#channel = channel
    this.#protocol = protocol
    this.#signal = signal
    channel.onData((bytes) => {
      for (const message of protocol.receive(bytes)) this.#take(message)
    })
  }

  /** Number of end marks that the printer has reached, at most as many as were sent. */
  get endMarks(): number {
    return this.#endMarks
  }

  /** The first fault in any message since the slip began, also if it has passed; or null. */
  get reportedFault(): PrintFault | null {
    return this.#reportedFault
  }

  /** Reads the printer's condition. Rejects with reason `silent` when one response takes longer than `timeoutMs`. */
  readCondition(timeoutMs: number): Promise<PrinterCondition> {
    return this.#protocol.readCondition((bytes) => this.#request(bytes, timeoutMs))
  }

  /** Resolves when the system has taken the last byte. */
  async send(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
      await this.#whileOpen(this.#channel.send(bytes.subarray(at, at + CHUNK_BYTES)))
    }
  }

  /** Resolves when what was sent is out, as far as the system can tell; see `PrinterChannel`. */
  flush(): Promise<void> {
    return this.#whileOpen(this.#channel.flush())
  }

  /** Resolves after `ms` in which the printer did not end the connection. */
  async staysOpen(ms: number): Promise<void> {
    const ended = new AbortController()
    await this.#whileOpen(wait(ms, undefined, { signal: ended.signal })).finally(() => ended.abort())
  }

  /** Sends the end mark, which `endMarks` counts when the printer reaches it. */
  sendEndMark(): Promise<void> {
    this.#endMarksSent++
    return this.send(this.#protocol.endMark)
  }

  /** Sends a slip and the end mark behind it. From now on `reportedFault` is that of the slip. */
  async sendSlip(bytes: Uint8Array): Promise<void> {
    this.#reportedFault = null
    await this.send(bytes)
    await this.sendEndMark()
  }

  close(): Promise<void> {
    return this.#channel.close()
  }

  #take({ kind, bytes, fault }: PrinterMessage): void {
    this.#reportedFault ??= fault
    if (kind === 'status') this.#onResponse?.(bytes)
    else if (kind === 'end-mark' && this.#endMarks < this.#endMarksSent) this.#endMarks++
  }

  async #request(bytes: Uint8Array, timeoutMs: number): Promise<Uint8Array> {
    let timer: NodeJS.Timeout | undefined
    const response = new Promise<Uint8Array>((resolve, reject) => {
      timer = setTimeout(() => reject(new ConnectionLostError('silent')), timeoutMs)
      this.#onResponse = resolve
      // A printer that takes no bytes is silent, too.
      this.#channel.send(bytes).catch(reject)
    })
    try {
      return await this.#whileOpen(response)
    } finally {
      clearTimeout(timer)
      this.#onResponse = null
    }
  }

  #whileOpen<Value>(work: Promise<Value>): Promise<Value> {
    return abortable(Promise.race([work, this.#channel.closed]), this.#signal)
  }
}

/** A printer cannot be reached, or a connection cannot be used any more. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError'
  readonly reason: 'unreachable' | 'busy' | 'forbidden' | 'in-use' | 'broken' | 'silent' | 'aborted'
  /**
   * `unreachable`, `busy` (refused by a printer that is there), `forbidden` and `in-use` by another program: nothing was
   * opened. `silent`: no response in time.
   */
  constructor(reason: ConnectionLostError['reason'], cause?: unknown) {
    super(`The printer is ${reason}`, { cause })
    this.reason = reason
  }
}

/** An open way to a printer. */
export interface PrinterChannel {
  /** Resolves when the system has taken the bytes. Called once at a time. Rejects, or never ends, when `closed` rejects. */
  send(bytes: Uint8Array): Promise<void>
  /** Calls `listener` with all bytes that come from now on. Called once, in the same turn as `open` resolves. */
  onData(listener: (bytes: Uint8Array) => void): void
  /**
   * Called once, when all is sent. Resolves when what the system has taken is out, as far as the system can tell: closing
   * drops none of it then. Rejects, or never ends, when `closed` rejects.
   */
  flush(): Promise<void>
  /** Rejects with a `ConnectionLostError` when the channel ends. Never resolves. */
  readonly closed: Promise<never>
  /** Resolves when the printer can be opened again. Does nothing for a channel that has ended. Never rejects. */
  close(): Promise<void>
}

/** A way to one printer. Knows neither its language nor its state. */
export interface ReceiptTransport {
  /** identifies the printer in the log; two transports of this name are never open at the same time */
  readonly name: string
  /** whether other tills may have the printer: it refuses, ends or does not answer a second connection meanwhile */
  readonly isShared: boolean
  /** Infinity where the printer is slower than the line */
  readonly bytesPerSecond: number
  /** Opens within `timeoutMs`. Rejects with a `ConnectionLostError`. */
  open(timeoutMs: number): Promise<PrinterChannel>
}

/**
 * Opens a device file without waiting for the device. Without `O_NONBLOCK` a read waits until the printer says something,
 * and a write while it is out of paper: each keeps one of the four threads of Node's pool, in which all other files wait.
 * @param access `O_WRONLY` for a pipe, which both directions would open without a reader
 */
export const openDevice = (path: string, access = constants.O_RDWR): Promise<FileHandle> =>
  open(path, access | constants.O_NONBLOCK | constants.O_NOCTTY)

/** Returns why a device file or a network connection could not be opened. */
export function openFailureReason(error: unknown): 'unreachable' | 'busy' | 'forbidden' | 'in-use' {
  switch (errorCode(error)) {
    case 'ECONNREFUSED':
    case 'ECONNRESET':
      return 'busy'
    case 'EACCES':
    case 'EPERM':
      return 'forbidden'
    case 'EBUSY':
      return 'in-use'
    default:
      return 'unreachable'
  }
}
