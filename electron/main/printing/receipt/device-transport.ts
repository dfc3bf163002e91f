/** A USB printer without a driver, by the character device that Linux offers for it: `/dev/usb/lp0` (`usblp`). */
import { constants } from 'node:fs'
import { stat, type FileHandle } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { connectionName, type DeviceConnection } from '../../../contract/printing.ts'
import { errorCode } from '../../fs/atomic-write.ts'
import {
  ConnectionLostError,
  openDevice,
  openFailureReason,
  type PrinterChannel,
  type ReceiptTransport
} from './printer-connection.ts'

/** Interval between two attempts while the device has nothing to read, or takes nothing: libuv cannot watch such a device. */
const POLL_INTERVAL_MS = 10

/** An answer has a few bytes. */
const READ_BYTES = 256

/** More than the answers that any buffer between printer and till holds: 64 kB. */
const MAX_OLD_READS = 256

/** Written from its end on: Node does not pass a write of no bytes to the system if its buffer has none. */
const NOTHING = new Uint8Array(1)

/** Nothing to read, or no space to write, at the moment. */
const isBusy = (error: unknown): boolean => errorCode(error) === 'EAGAIN'

class DeviceChannel implements PrinterChannel {
  readonly closed: Promise<never>
  readonly #device: FileHandle
  readonly #path: string
  #end: (error: ConnectionLostError) => void = () => undefined
  #closing: Promise<void> | null = null
  #onData: (bytes: Uint8Array) => void = () => undefined

  constructor(device: FileHandle, path: string, reportsState: boolean) {
    this.#device = device
    this.#path = path
    this.closed = new Promise<never>((_resolve, reject) => (this.#end = reject))
    this.closed.catch(() => undefined)
    if (reportsState) void this.#read()
  }

  onData(listener: (bytes: Uint8Array) => void): void {
    this.#onData = listener
  }

  async send(bytes: Uint8Array): Promise<void> {
    let sent = 0
    while (sent < bytes.length && this.#closing === null) {
      const written = (await this.#write(bytes, sent)) ?? 0
      sent += written
      if (written === 0) await wait(POLL_INTERVAL_MS)
    }
  }

  /** `usblp` takes a write while its transfer is under way, and drops it on closing. Until it has ended, none is taken. */
  async flush(): Promise<void> {
    while (this.#closing === null && (await this.#write(NOTHING, NOTHING.length)) === null) {
      await wait(POLL_INTERVAL_MS)
    }
  }

  close(): Promise<void> {
    this.#end(new ConnectionLostError('broken'))
    this.#closing ??= this.#device.close().catch(() => undefined)
    return this.#closing
  }

  /** Resolves with the number of bytes of `bytes` from `offset` on that were taken; null: the device is busy. */
  async #write(bytes: Uint8Array, offset: number): Promise<number | null> {
    try {
      return (await this.#device.write(bytes, offset)).bytesWritten
    } catch (error) {
      if (!isBusy(error)) throw this.#lose(error)
      return null
    }
  }

  async #read(): Promise<void> {
    const buffer = new Uint8Array(READ_BYTES)
    while (this.#closing === null) {
      try {
        const { bytesRead } = await this.#device.read(buffer, 0, READ_BYTES)
        if (bytesRead > 0) {
          this.#onData(buffer.slice(0, bytesRead))
          continue
        }
        // A printer may send an empty packet; a device that is gone ends, too, but has no path any more.
        await stat(this.#path)
      } catch (error) {
        if (!isBusy(error)) {
          this.#lose(error)
          return
        }
      }
      await wait(POLL_INTERVAL_MS)
    }
  }

  /** Ends the channel: ENODEV, EIO and ENXIO are the errors of a device that was pulled out. */
  #lose(cause: unknown): ConnectionLostError {
    const lost = new ConnectionLostError('broken', cause)
    this.#end(lost)
    void this.close()
    return lost
  }
}

/**
 * Reads what the printer still had to say to an earlier connection: it must not answer the requests of this one. Rejects
 * when the device never stops sending, which no printer does.
 */
async function discardInput(device: FileHandle): Promise<void> {
  const buffer = new Uint8Array(READ_BYTES)
  await wait(POLL_INTERVAL_MS)
  try {
    for (let reads = 0; reads < MAX_OLD_READS; reads++) {
      if ((await device.read(buffer, 0, READ_BYTES)).bytesRead === 0) return
    }
  } catch (error) {
    if (isBusy(error)) return
    throw error
  }
  throw new Error('The device never stops sending')
}

export class DeviceTransport implements ReceiptTransport {
  readonly name: string
  readonly isShared = false
  readonly bytesPerSecond = Infinity
  readonly #path: string
  readonly #reportsState: boolean

  /** @param reportsState false: the printer is only written to */
  constructor(connection: DeviceConnection, reportsState = true) {
    this.name = connectionName(connection)
    this.#path = connection.path
    this.#reportsState = reportsState
  }

  /**
   * Never waits for the device, so there is no time limit. A path that is no character device is `unreachable`: a file
   * would swallow the slip, and a pipe, which is taken for a printer that reports nothing, never answers. So are a pipe
   * that no program reads and, unless it is only written to, a device that never stops sending.
   */
  async open(): Promise<PrinterChannel> {
    let device: FileHandle | undefined
    try {
      device = await openDevice(this.#path, this.#reportsState ? constants.O_RDWR : constants.O_WRONLY)
      const stats = await device.stat()
      if (!stats.isCharacterDevice() && (this.#reportsState || !stats.isFIFO()))
        throw new Error(`${this.#path} is no device`)
      if (this.#reportsState) await discardInput(device)
      return new DeviceChannel(device, this.#path, this.#reportsState)
    } catch (error) {
      await device?.close().catch(() => undefined)
      throw new ConnectionLostError(openFailureReason(error), error)
    }
  }
}
