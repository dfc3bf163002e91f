/** A receipt printer on its own loopback address, as on TCP port 9100. */
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { ownAddress } from '../loopback.ts'
import type { Printed } from './printed.ts'
import { silenceAddress } from './silent-address.ts'
import { SimulatedPrinter, type LanguageName, type ReceiptPrinterBehaviour } from './simulated-printer.ts'

export { drawReceipt, joinRasters, type Printed, type PrintedRaster } from './printed.ts'
export type { LanguageName, ReceiptPrinterBehaviour } from './simulated-printer.ts'

/** What becomes of a connection while another one is open; the README names the manuals. */
export type FurtherConnections = 'taken' | 'held' | 'closed' | 'refused'

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
  /** Answers no connection. */
  off(): Promise<void>
  /** Refuses every connection, as a print server without its printer. */
  refuse(): Promise<void>
  on(): Promise<void>
  stop(): Promise<void>
}

/** Starts a printer with paper in it. */
export async function startReceiptPrinter(
  language: LanguageName = 'esc-pos',
  furtherConnections: FurtherConnections = 'taken'
): Promise<SimulatedReceiptPrinter> {
  const printer = new SimulatedPrinter(language)
  const sockets = new Set<Socket>()
  const waiting: Socket[] = []
  let isOn = true
  let made = 0
  let most = 0

  const serve = (socket: Socket): void => {
    made++
    sockets.add(socket)
    most = Math.max(most, sockets.size)
    const receive = printer.connect({
      write: (bytes) => socket.write(bytes),
      close: () => socket.resetAndDestroy(),
      stall: () => socket.pause(),
      resume: () => socket.resume()
    })
    socket
      .on('close', () => {
        sockets.delete(socket)
        const next = waiting.shift()
        if (next !== undefined) serve(next)
        else if (furtherConnections === 'refused' && isOn) void listen(port)
      })
      .on('data', receive)
      .resume()
    if (furtherConnections === 'refused') server.close()
  }

  const take = (socket: Socket): void => {
    socket.on('error', () => undefined)
    if (furtherConnections === 'taken' || sockets.size === 0) serve(socket)
    else if (furtherConnections === 'held') waiting.push(socket)
    else if (furtherConnections === 'closed') socket.destroy()
    else socket.resetAndDestroy()
  }

  const host = ownAddress()
  let server = createServer(take)
  const listen = async (number: number): Promise<number> => {
    server = createServer({ noDelay: true, pauseOnConnect: true }, take).listen(number, host)
    await once(server, 'listening')
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('The receipt printer has no port')
    return address.port
  }
  const port = await listen(0)

  let answerAgain = (): Promise<void> => Promise.resolve()
  const stop = async (): Promise<void> => {
    isOn = false
    await answerAgain()
    for (const socket of [...waiting.splice(0), ...sockets]) socket.destroy()
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
    async off() {
      await stop()
      answerAgain = await silenceAddress(host, port)
    },
    refuse: stop,
    async on() {
      isOn = true
      await answerAgain()
      if (!server.listening) await listen(port)
    },
    stop
  }
}
