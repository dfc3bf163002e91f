/** Printing to an ESC/POS printer over TCP: the same slip as on every other path, and the truth about what came out. */
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { type CodeStyle, type ReceiptPrinter } from '../../electron/contract/printing.ts'
import { printTarget } from '../../electron/main/printing/print-job.ts'
import {
  joinRasters,
  startReceiptPrinter,
  type PrintedRaster,
  type SimulatedReceiptPrinter
} from '../support/receipt-printer/index.ts'
import { scan } from '../support/read-slip.ts'
import {
  commandsFor,
  renderer,
  SAMPLE_URL,
  sampleModules,
  samplePlace,
  createReceiptPrinting,
  type SampleSlip,
  sampleSlip
} from './sample-slip.ts'
import { notPrinted } from '../support/not-printed.ts'
import { networkPrinter } from '../support/network-printer.ts'
import { controlTimeLimit } from '../support/time-limit.ts'
import { ownAddress } from '../support/loopback.ts'

/** A raster as a scanner sees it: black on white. */
const scanned = ({ width, height, dots }: PrintedRaster): Promise<string[]> =>
  scan({ width, height, pixels: dots.map((dot) => (dot === 1 ? 0 : 255)) })

/** More than the status requests before a slip, less than a slip. */
const IN_THE_SLIP = 6_000

describe('a receipt printer on the network', () => {
  let printer: SimulatedReceiptPrinter
  let slip: SampleSlip
  const printing = createReceiptPrinting()
  const destination = (code: CodeStyle = 'raster'): ReceiptPrinter => networkPrinter(printer, { code })
  const kinds = () => printer.printed().map(({ kind }) => kind)
  const cuts = () => kinds().filter((kind) => kind === 'cut').length

  beforeAll(async () => {
    slip = await sampleSlip(80, 110)
  })
  beforeEach(async () => {
    printer = await startReceiptPrinter()
  })
  afterEach(() => printer.stop())

  describe.each([
    { width: 58, head: 384 },
    { width: 80, head: 576 }
  ])('prints on $width mm paper', ({ width, head }) => {
    test('a raster as wide as the head, whose code scans, and cuts behind it', async () => {
      const answer = await printing.print(await sampleSlip(width, 110), destination())
      expect(answer).toEqual({ ok: true, value: { printer: `${printer.host}:${printer.port}`, job: null } })
      const picture = joinRasters(printer.printed())
      expect(picture.width).toBe(head)
      expect(picture.height).toBe(Math.ceil(((110 / 25.4) * 203) / 8) * 8)
      expect(await scanned(picture)).toEqual([SAMPLE_URL])
      expect(kinds().at(-1)).not.toBe('raster')
      expect(kinds().lastIndexOf('cut')).toBeGreaterThan(kinds().lastIndexOf('raster'))
      expect(cuts()).toBe(1)
    })

    test('every module of the code on whole dots, where the layout put it', async () => {
      await printing.print(await sampleSlip(width, 110), destination())
      const { width: across, dots } = joinRasters(printer.printed())
      const { left, top, moduleDots } = samplePlace(width)
      const headLeft = Math.round(((width / 25.4) * 203 - head) / 2)
      const wrong: string[] = []
      sampleModules().forEach((row, y) =>
        row.forEach((dark, x) => {
          for (let dy = 0; dy < moduleDots; dy++) {
            for (let dx = 0; dx < moduleDots; dx++) {
              const at = (top + y * moduleDots + dy) * across + left - headLeft + x * moduleDots + dx
              if (dots[at] !== (dark ? 1 : 0)) wrong.push(`${x},${y}: ${dx},${dy}`)
            }
          }
        })
      )
      expect(wrong).toEqual([])
    })
  })

  test('the printer’s own code, between the dots above and below it', async () => {
    expect((await printing.print(slip, destination('native-qr'))).ok).toBe(true)
    expect(kinds().filter((kind) => kind !== 'feed')).toEqual(
      expect.arrayContaining(['raster', 'code', 'cut'])
    )
    expect(printer.printed()).toContainEqual({ kind: 'code', content: SAMPLE_URL, moduleDots: 6 })
    const code = kinds().indexOf('code')
    expect(kinds().indexOf('raster')).toBeLessThan(code)
    expect(kinds().lastIndexOf('raster')).toBeGreaterThan(code)
    // the dots hold no second one
    expect(await scanned(joinRasters(printer.printed()))).toEqual([])
  })

  test('the test page', async () => {
    const page = await renderer.renderTestPage(
      { locale: 'en-GB', printedAt: new Date(0).toISOString() },
      printTarget({ destination: destination(), paperSize: '80mm' })
    )
    const answer = await printing.print(page, destination())
    expect(answer.ok).toBe(true)
    expect(cuts()).toBe(2)
  })

  test('slips at the same time come out one after another, over one connection at a time', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => printing.print(slip, destination())))
    expect(answers.map(({ ok }) => ok)).toEqual([true, true, true])
    expect(cuts()).toBe(3)
    expect(printer.connections()).toEqual({ made: 3, most: 1 })
  })

  test('a printer without end marks, if it reports no fault', async () => {
    printer.behave({ withoutEndMark: true })
    expect((await printing.print(slip, destination())).ok).toBe(true)
  })

  test('a printer that sends more than was requested', async () => {
    printer.behave({ echoes: true })
    expect((await printing.print(slip, destination())).ok).toBe(true)
  })

  test('paper that is near its end still prints', async () => {
    printer.behave({ paper: 'near-end' })
    expect((await printing.print(slip, destination())).ok).toBe(true)
  })

  describe('reports the fault before any of the slip is sent', () => {
    test.each([
      { wrong: 'out of paper', behaviour: { paper: 'out' }, fault: 'out-of-paper' },
      { wrong: 'cover open', behaviour: { cover: 'open' }, fault: 'cover-open' },
      { wrong: 'cutter stuck', behaviour: { error: 'cutter' }, fault: 'printer-fault' }
    ] as const)('$wrong', async ({ behaviour, fault }) => {
      printer.behave(behaviour)
      expect(await printing.print(slip, destination())).toEqual(notPrinted(fault, false))
      expect(kinds()).toEqual([])
    })

    test('no answer', async () => {
      printer.behave({ silent: true })
      expect(await createReceiptPrinting(500).print(slip, destination())).toEqual(
        notPrinted('printer-busy', false)
      )
      expect(kinds()).toEqual([])
    })

    test('printer off; the next slip reaches it again', async () => {
      await printer.off()
      expect(await createReceiptPrinting(500).print(slip, destination())).toEqual(
        notPrinted('printer-offline', false)
      )
      await printer.on()
      expect((await printing.print(slip, destination())).ok).toBe(true)
      expect(cuts()).toBe(1)
    })

    test('a page wider than any roll', async () => {
      expect(await printing.print(await sampleSlip(105, 148), destination())).toEqual(
        notPrinted('refused-size', false)
      )
    })

    test('aborted while another slip prints', async () => {
      const stop = new AbortController()
      const first = printing.print(slip, destination())
      const second = printing.print(slip, destination(), { signal: stop.signal })
      stop.abort()
      expect(await second).toEqual(notPrinted('cancelled-here', false))
      expect((await first).ok).toBe(true)
      expect(cuts()).toBe(1)
    })
  })

  describe('never sends half a slip twice', () => {
    test('the connection breaks in the middle: it may still print, and is not tried again', async () => {
      printer.behave({ closeAfterBytes: IN_THE_SLIP })
      expect(await printing.print(slip, destination())).toEqual(notPrinted('printer-offline', true))
      expect(cuts()).toBe(0)
      printer.behave({})
      expect((await printing.print(slip, destination())).ok).toBe(true)
      expect(cuts()).toBe(1)
    })

    test('paper runs out in the middle', async () => {
      printer.behave({ changesAfterBytes: [{ bytes: IN_THE_SLIP, state: { paper: 'out' } }] })
      expect(await printing.print(slip, destination())).toEqual(notPrinted('out-of-paper', true))
      expect(cuts()).toBe(0)
    })

    test('the connection breaks, and the printer then reports an open cover', async () => {
      printer.behave({ closeAfterBytes: IN_THE_SLIP, afterClosing: { cover: 'open' } })
      expect(await printing.print(slip, destination())).toEqual(notPrinted('cover-open', true))
    })

    test('a printer that stops reading', async () => {
      printer.behave({ stallAfterBytes: IN_THE_SLIP })
      const timeLimit = controlTimeLimit()
      const answer = printing.print(slip, destination())
      await expect.poll(() => printer.received().length).toBeGreaterThanOrEqual(IN_THE_SLIP)
      timeLimit.expire()
      expect(await answer).toEqual(notPrinted('timeout', true))
      expect(timeLimit.ms).toBe(50_000)
      expect(cuts()).toBe(0)
    })
  })

  describe('that reports nothing', () => {
    const silentDestination = (): ReceiptPrinter => networkPrinter(printer, { reportsState: false })
    const encoded = (): Promise<Buffer> => commandsFor(slip, silentDestination())

    test('gets the bytes of each slip and nothing else, over one connection at a time', async () => {
      printer.behave({ silent: true })
      const answers = await Promise.all([1, 2].map(() => printing.print(slip, silentDestination())))
      expect(answers).toEqual(
        [1, 2].map(() => ({ ok: true, value: { printer: `${printer.host}:${printer.port}`, job: null } }))
      )
      expect(printer.received()).toEqual(Buffer.concat([await encoded(), await encoded()]))
      expect(printer.connections()).toEqual({ made: 2, most: 1 })
    })

    test('off: nothing is sent', async () => {
      await printer.off()
      expect(await createReceiptPrinting(500).print(slip, silentDestination())).toEqual(
        notPrinted('printer-offline', false)
      )
    })

    test('the connection breaks in the middle: it may still print, and is not tried again or asked', async () => {
      printer.behave({ closeAfterBytes: IN_THE_SLIP })
      expect(await printing.print(slip, silentDestination())).toEqual(notPrinted('printer-offline', true))
      expect(printer.connections().made).toBe(1)
    })

    /** A print server that takes connections and does with them what `serve` does. */
    const startPrintServer = async (serve: (socket: Socket) => void): Promise<ReceiptPrinter> => {
      const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, serve)
      onTestFinished(() => void server.close())
      await once(server.listen(0, ownAddress()), 'listening')
      const address = server.address()
      if (address === null || typeof address === 'string') throw new Error('The print server has no port')
      return networkPrinter({ host: address.address, port: address.port }, { reportsState: false })
    }

    test('and breaks the connection at the end of the slip: it may still print', async () => {
      const server = await startPrintServer((socket) =>
        socket.on('end', () => socket.resetAndDestroy()).resume()
      )
      expect(await printing.print(slip, server)).toEqual(notPrinted('printer-offline', true))
    })

    test('and reads the slip after the till has sent it, without closing its side: it gets every byte', async () => {
      const sockets: Socket[] = []
      const server = await startPrintServer((socket) => sockets.push(socket))
      expect((await printing.print(slip, server)).ok).toBe(true)
      const [socket] = sockets
      if (socket === undefined) throw new Error('The till did not connect')
      const received: Uint8Array[] = []
      socket.on('data', (chunk: Buffer) => received.push(chunk)).resume()
      await once(socket, 'end')
      socket.destroy()
      expect(Buffer.concat(received)).toEqual(await encoded())
    })
  })
})
