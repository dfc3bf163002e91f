/** A receipt printer on its own loopback address, as on TCP port 9100. */
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { ownAddress } from '../loopback.ts'
import type { Printed } from './printed.ts'
import { SimulatedPrinter, type LanguageName, type ReceiptPrinterBehaviour } from './simulated-printer.ts'

export { drawReceipt, joinRasters, type Printed, type PrintedRaster } from './printed.ts'
export type { LanguageName, ReceiptPrinterBehaviour } from './simulated-printer.ts'

export interface SimulatedReceiptPrinter {
  readonly host: string
  readonly port: number
  behave(behaviour: ReceiptPrinterBehaviour): void
  /** All output so far. */
  printed(): readonly Printed[]
  /** All bytes that came so far. */
  received(): Buffer
  /** Connections that were made, and the most that were open at once. */
  connections(): { readonly made: number; readonly most: number }
  /** Takes no connections: as if it were off. */
  off(): Promise<void>
  on(): Promise<void>
  stop(): Promise<void>
}

/** Starts a printer with paper in it. */
export async function startReceiptPrinter(
  language: LanguageName = 'esc-pos'
): Promise<SimulatedReceiptPrinter> {
  const printer = new SimulatedPrinter(language)
  const sockets = new Set<Socket>()
  let made = 0
  let most = 0

  const serve = (socket: Socket): void => {
    made++
    sockets.add(socket)
    most = Math.max(most, sockets.size)
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined)
    const receive = printer.connect({
      write: (bytes) => socket.write(bytes),
      close: () => socket.resetAndDestroy(),
      stall: () => socket.pause(),
      resume: () => socket.resume()
    })
    socket.on('data', receive)
  }

  const host = ownAddress()
  let server = createServer(serve)
  const listen = async (port: number): Promise<number> => {
    server = createServer({ noDelay: true }, serve).listen(port, host)
    await once(server, 'listening')
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('The receipt printer has no port')
    return address.port
  }
  const port = await listen(0)

  const off = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy()
    if (!server.listening) return
    server.close()
    await once(server, 'close')
  }
  return {
    host,
    port,
    behave: (behaviour) => printer.behave(behaviour),
    printed: () => printer.printed(),
    received: () => printer.received(),
    connections: () => ({ made, most }),
    off,
    async on() {
      if (!server.listening) await listen(port)
    },
    stop: off
  }
}
