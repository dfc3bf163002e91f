/** A receipt printer on the network: TCP, usually port 9100. */
import { connect, type Socket } from 'node:net'
import { connectionName, type NetworkConnection } from '../../../contract/printing.ts'
import {
  ConnectionLostError,
  openFailureReason,
  type PrinterChannel,
  type ReceiptTransport
} from './printer-connection.ts'

/** Time that a printer has to close its side. */
const CLOSE_TIMEOUT_MS = 500

/** Time that a printer has to read a slip to its end and to close its side. Many print servers never close it. */
const FLUSH_TIMEOUT_MS = 2_000

async function openSocket({ host, port }: NetworkConnection, timeoutMs: number): Promise<Socket> {
  const socket = connect({ host, port, noDelay: true })
  // Without a listener an error would end the process.
  socket.on('error', () => undefined)
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => socket.destroy(new Error('No answer in time')), timeoutMs)
    socket.once('connect', () => {
      clearTimeout(timer)
      resolve()
    })
    socket.once('error', (error) => reject(new ConnectionLostError(openFailureReason(error), error)))
    socket.once('close', () => {
      clearTimeout(timer)
      reject(new ConnectionLostError('unreachable'))
    })
  })
  return socket
}

class SocketChannel implements PrinterChannel {
  readonly closed: Promise<never>
  readonly #socket: Socket

  constructor(socket: Socket) {
    this.#socket = socket
    this.closed = new Promise<never>((_resolve, reject) => {
      let cause: unknown
      socket.once('error', (error) => (cause = error))
      socket.once('end', () => socket.destroy())
      socket.once('close', () => reject(new ConnectionLostError('broken', cause)))
    })
    this.closed.catch(() => undefined)
  }

  onData(listener: (bytes: Uint8Array) => void): void {
    this.#socket.on('data', listener)
  }

  send(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      // A failed write closes the socket, and `closed` rejects.
      this.#socket.write(bytes, (error) => error ?? resolve())
    })
  }

  /**
   * Ends this side, and waits until the printer, which has read all of it then, ends the other. After the time limit the
   * system goes on sending what it has, also when the socket is closed.
   */
  flush(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, FLUSH_TIMEOUT_MS)
      this.#socket
        .once('end', resolve)
        .once('close', () => clearTimeout(timer))
        .end()
    })
  }

  /** Waits for the printer's side: many printers accept one connection at a time. */
  async close(): Promise<void> {
    if (this.#socket.destroyed) return
    // Not by `once` of node:events: it rejects when the printer resets the connection.
    const closed = new Promise((resolve) => this.#socket.once('close', resolve))
    const timer = setTimeout(() => this.#socket.destroy(), CLOSE_TIMEOUT_MS)
    this.#socket.end()
    await closed
    clearTimeout(timer)
  }
}

export class NetworkTransport implements ReceiptTransport {
  readonly name: string
  readonly isShared = true
  readonly bytesPerSecond = Infinity
  readonly #connection: NetworkConnection

  constructor(connection: NetworkConnection) {
    this.name = connectionName(connection)
    this.#connection = connection
  }

  async open(timeoutMs: number): Promise<PrinterChannel> {
    return new SocketChannel(await openSocket(this.#connection, timeoutMs))
  }
}
