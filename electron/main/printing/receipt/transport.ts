/** What carries the bytes of a receipt to a printer, and its answers back: one transport for each kind of connection. */

import { constants } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'

/** A printer cannot be reached, or a connection cannot be used any more. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError'
  readonly reason: 'unreachable' | 'forbidden' | 'in-use' | 'broken' | 'silent' | 'aborted'
  /** `unreachable`, `forbidden` and `in-use` by another program: nothing was opened. `silent`: no response in time. */
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

/** The code of an error of the system, such as `ENOENT`; undefined for another error. */
export const errorCode = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined

/** Returns why a device file could not be opened. */
export function openFailureReason(error: unknown): 'unreachable' | 'forbidden' | 'in-use' {
  switch (errorCode(error)) {
    case 'EACCES':
    case 'EPERM':
      return 'forbidden'
    case 'EBUSY':
      return 'in-use'
    default:
      return 'unreachable'
  }
}
