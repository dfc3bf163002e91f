/**
 * A receipt printer on a serial port: RS-232, a USB adapter, or a paired Bluetooth printer, whose port (`/dev/rfcomm0`,
 * `COM5`) looks the same. Loaded for such a printer only: its library has native code.
 */
import { read, write } from 'node:fs'
import { autoDetect, type LinuxOpenOptions, type WindowsPortBinding } from '@serialport/bindings-cpp'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { connectionName, type SerialConnection } from '../../../contract/printing.ts'
import { errorCode } from '../../fs/atomic-write.ts'
import {
  ConnectionLostError,
  openDevice,
  openFailureReason,
  type PrinterChannel,
  type ReceiptTransport
} from './printer-connection.ts'

type Bindings = ReturnType<typeof autoDetect>
type SerialPort = Awaited<ReturnType<Bindings['open']>>
type OpenPort = (options: LinuxOpenOptions) => Promise<SerialPort>
type OpenPath = (path: string) => Promise<{ close(): Promise<void> }>

/** An answer has a few bytes. */
const READ_BYTES = 256

/** Bits of one byte on the line: start, eight data bits, stop. Parity adds one. */
const BITS_PER_BYTE = 10

/** What the library says of a port that another program has: on Windows, and where it locks ports. */
const IN_USE = /Access denied|Cannot lock port/u

/**
 * The library's error has no code, and a text of the system in the system's language. So the port is opened once more by
 * `openPath`, whose error has a code.
 */
async function openFailure(path: string, error: unknown, openPath: OpenPath): Promise<ConnectionLostError> {
  if (error instanceof Error && IN_USE.test(error.message)) return new ConnectionLostError('in-use', error)
  try {
    await (await openPath(path)).close()
    return new ConnectionLostError('unreachable', error)
  } catch (cause) {
    return new ConnectionLostError(openFailureReason(cause), error)
  }
}

/** Interval between two attempts while the port has nothing to read, or takes nothing. */
const POLL_INTERVAL_MS = 10

const [readFile, writeFile] = [promisify(read), promisify(write)]

const isBusy = (error: unknown): boolean => errorCode(error) === 'EAGAIN' || errorCode(error) === 'EINTR'

/** A port of Linux or macOS. */
type UnixPort = Exclude<SerialPort, WindowsPortBinding>

const isWindowsPort = (port: SerialPort): port is WindowsPortBinding => !('poller' in port)

class SerialChannel implements PrinterChannel {
  readonly closed: Promise<never>
  readonly #port: SerialPort
  #end: (error: ConnectionLostError) => void = () => undefined
  #closing: Promise<void> | null = null
  #onData: (bytes: Uint8Array) => void = () => undefined
  #isDrained = false
  readonly #reading: Promise<void>
  #writing: Promise<void> = Promise.resolve()

  constructor(port: SerialPort) {
    this.#port = port
    this.closed = new Promise<never>((_resolve, reject) => (this.#end = reject))
    this.closed.catch(() => undefined)
    this.#reading = this.#read()
  }

  onData(listener: (bytes: Uint8Array) => void): void {
    this.#onData = listener
  }

  async send(bytes: Uint8Array): Promise<void> {
    try {
      this.#writing = this.#write(bytes)
      await this.#writing
    } catch (error) {
      // A port that was pulled out fails here when nothing was to be read.
      this.#lose(error)
      throw error
    }
  }

  async flush(): Promise<void> {
    try {
      await this.#port.drain()
      this.#isDrained = true
    } catch (error) {
      this.#lose(error)
      throw error
    }
  }

  /** What the printer has not taken is discarded: it must not print later, and would delay closing for half a minute. */
  close(): Promise<void> {
    this.#end(new ConnectionLostError('broken'))
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    if (!this.#isDrained) await this.#port.flush().catch(() => undefined)
    // A read or write that still runs keeps the lock of a port that is closed, so that it could not be opened again.
    if (!isWindowsPort(this.#port)) await Promise.allSettled([this.#reading, this.#writing])
    await this.#port.close().catch(() => undefined)
  }

  async #read(): Promise<void> {
    const buffer = Buffer.alloc(READ_BYTES)
    try {
      for (;;) {
        const bytesRead = await this.#readSome(buffer)
        this.#onData(Uint8Array.from(buffer.subarray(0, bytesRead)))
      }
    } catch (error) {
      // The port was closed here, or pulled out.
      this.#lose(error)
    }
  }

  /** Resolves with the number of bytes that came, at least one. Rejects when the port was closed or pulled out. */
  async #readSome(buffer: Buffer): Promise<number> {
    const port = this.#port
    if (isWindowsPort(port)) return (await port.read(buffer, 0, buffer.length)).bytesRead
    return this.#transfer(port, async (fd) => (await readFile(fd, buffer, 0, buffer.length, null)).bytesRead)
  }

  /** Resolves when the system has taken the bytes. Rejects when the port was closed or pulled out. */
  async #write(bytes: Uint8Array): Promise<void> {
    const port = this.#port
    if (isWindowsPort(port)) return port.write(Buffer.from(bytes))
    let sent = 0
    while (sent < bytes.length) {
      const rest = bytes.subarray(sent)
      sent += await this.#transfer(
        port,
        async (fd) => (await writeFile(fd, rest, 0, rest.length, null)).bytesWritten
      )
    }
  }

  /**
   * Repeats an attempt until it has moved bytes. Resolves with their number. Rejects when the port was closed or pulled out.
   * In the library's own methods, which share one poller, a wait for bytes ends a wait for space, so that a slip stops in
   * its middle; and they read a port that was pulled out again and again.
   */
  async #transfer(port: UnixPort, attempt: (fd: number) => Promise<number>): Promise<number> {
    while (port.fd !== null && this.#closing === null) {
      try {
        const moved = await attempt(port.fd)
        if (moved > 0) return moved
        throw new Error('The port is gone')
      } catch (error) {
        if (!isBusy(error)) throw error
      }
      await wait(POLL_INTERVAL_MS)
    }
    throw new Error('The port is closed')
  }

  #lose(cause: unknown): void {
    this.#end(new ConnectionLostError('broken', cause))
    void this.close()
  }
}

export class SerialTransport implements ReceiptTransport {
  readonly name: string
  readonly isShared = false
  readonly bytesPerSecond: number
  readonly #connection: SerialConnection
  readonly #openPort: OpenPort
  readonly #openPath: OpenPath

  /**
   * @param openPort default: the library's
   * @param openPath opens a port that the library could not open, for the code of its error
   */
  constructor(
    connection: SerialConnection,
    openPort: OpenPort = (options) => autoDetect().open(options),
    openPath: OpenPath = openDevice
  ) {
    this.name = connectionName(connection)
    const { baudRate, parity } = connection
    this.bytesPerSecond = baudRate / (BITS_PER_BYTE + (parity === 'none' ? 0 : 1))
    this.#connection = connection
    this.#openPort = openPort
    this.#openPath = openPath
  }

  async open(timeoutMs: number): Promise<PrinterChannel> {
    const { path, baudRate, parity, handshake } = this.#connection
    // Printers send XON and XOFF, tills do not: their answers are short.
    const opening = this.#openPort({
      path,
      baudRate,
      parity,
      rtscts: handshake === 'rts-cts',
      xon: handshake === 'xon-xoff'
    })
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), timeoutMs)
    })
    let port: SerialPort | null
    try {
      port = await Promise.race([opening, late])
    } catch (error) {
      throw await openFailure(path, error, this.#openPath)
    } finally {
      clearTimeout(timer)
    }
    if (port === null) {
      // A Bluetooth port opens when its printer is reached.
      void opening.then((opened) => opened.close()).catch(() => undefined)
      throw new ConnectionLostError('unreachable')
    }
    // Answers to an earlier connection.
    await port.flush().catch(() => undefined)
    return new SerialChannel(port)
  }
}
