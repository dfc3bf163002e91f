/** An ESC/POS receipt printer on its own loopback address: answers `DLE EOT`, stores its output, fails on request. */
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { ownAddress } from '../loopback.ts'
import { createEscPosParser, type Printed } from './escpos-parser.ts'

export { joinRasters, type Printed, type PrintedRaster } from './escpos-parser.ts'

/** The printer's state and faults. */
export interface ReceiptPrinterBehaviour {
  readonly paper?: 'present' | 'near-end' | 'out'
  readonly cover?: 'closed' | 'open'
  /** a cutter that is stuck */
  readonly error?: boolean
  /** paper runs out once this many bytes came, status requests included */
  readonly paperOutAfterBytes?: number
  /** the connection breaks once this many bytes came */
  readonly closeAfterBytes?: number
  /** how the printer is once it has broken a connection */
  readonly afterClosing?: ReceiptPrinterBehaviour
  /** takes connections and answers nothing, ever */
  readonly silent?: boolean
  /** does not know `GS r`, as cheap printers do not */
  readonly withoutEndMark?: boolean
  /** answers every status once more than it was asked, as a printer that reads requests in raster data does */
  readonly echoes?: boolean
  /** stops reading once this many bytes came */
  readonly stallAfterBytes?: number
}

export interface ReceiptPrinter {
  readonly host: string
  readonly port: number
  behave(behaviour: ReceiptPrinterBehaviour): void
  /** All output so far. */
  printed(): readonly Printed[]
  /** Connections that were made, and the most that were open at once. */
  connections(): { readonly made: number; readonly most: number }
  /** Takes no connections: as if it were off. */
  off(): Promise<void>
  on(): Promise<void>
  stop(): Promise<void>
}

const FIXED = 0x12

/** The byte that answers `DLE EOT n`. */
function statusByte(kind: number, { paper, cover, error }: ReceiptPrinterBehaviour, ranOut: boolean): number {
  const out = ranOut || paper === 'out'
  const open = cover === 'open'
  const stopped = out || open || error === true
  switch (kind) {
    case 1:
      return FIXED | (stopped ? 0x08 : 0)
    case 2:
      return FIXED | (open ? 0x04 : 0) | (out ? 0x20 : 0) | (error ? 0x40 : 0)
    case 4:
      return FIXED | (out ? 0x6c : paper === 'near-end' ? 0x0c : 0)
    default:
      return FIXED
  }
}

/** Starts a printer with paper in it. */
export async function startReceiptPrinter(): Promise<ReceiptPrinter> {
  const printed: Printed[] = []
  const sockets = new Set<Socket>()
  let behaviour: ReceiptPrinterBehaviour = {}
  let ranOut = false
  let made = 0
  let most = 0

  const serve = (socket: Socket): void => {
    made++
    sockets.add(socket)
    most = Math.max(most, sockets.size)
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined)
    const parse = createEscPosParser()
    let bytes = 0
    socket.on('data', (chunk: Buffer) => {
      if (behaviour.silent) return
      bytes += chunk.length
      if (bytes >= (behaviour.closeAfterBytes ?? Infinity)) {
        behaviour = behaviour.afterClosing ?? behaviour
        socket.resetAndDestroy()
        return
      }
      if (bytes >= (behaviour.stallAfterBytes ?? Infinity)) {
        socket.pause()
        return
      }
      if (bytes >= (behaviour.paperOutAfterBytes ?? Infinity)) ranOut = true
      for (const { printed: part, asked, answer } of parse(chunk)) {
        if (asked !== undefined) {
          const status = statusByte(asked, behaviour, ranOut)
          socket.write(Buffer.alloc(behaviour.echoes ? 2 : 1, status))
        }
        // without paper the buffer is not processed: nothing is printed or answered
        if (ranOut || behaviour.paper === 'out' || behaviour.cover === 'open') continue
        if (part !== undefined) printed.push(part)
        if (answer !== undefined && !behaviour.withoutEndMark) socket.write(Uint8Array.of(answer))
      }
    })
  }

  const host = ownAddress()
  let server = createServer(serve)
  const listen = async (port: number): Promise<number> => {
    server = createServer(serve).listen(port, host)
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
    behave(next) {
      behaviour = next
      ranOut = false
    },
    printed: () => printed,
    connections: () => ({ made, most }),
    off,
    async on() {
      if (!server.listening) await listen(port)
    },
    stop: off
  }
}
