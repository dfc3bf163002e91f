import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { PaperSize } from '../../../electron/contract/paper.ts'
import {
  DEFAULT_PRINTER_SETTINGS,
  DEFAULT_RECEIPT_OPTIONS,
  DEFAULT_SERIAL_OPTIONS,
  printDestinationSchema,
  RECEIPT_PRINTER_PORT,
  type PrintDestination,
  type Printer,
  type PrinterSettings,
  type ReceiptConnection,
  type ReceiptPrinter,
  type SerialConnection
} from '../../../electron/contract/printing.ts'
import * as v from 'valibot'
import { toAsciiDigits } from '../../../electron/contract/text.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'
import { TestPage } from './test-page.svelte.ts'
import type { Till } from './till.svelte.ts'

/** The ways to a receipt printer, in the order of their list. */
export const CONNECTION_KINDS = ['network', 'device', 'serial', 'raw-queue'] as const
export type ConnectionKind = (typeof CONNECTION_KINDS)[number]

/** Which part of a typed connection is invalid. */
export type AddressFault = 'host' | 'port' | 'path' | 'queue'

/** The options of a receipt printer, apart from how it is reached. */
export type ReceiptOptions = Omit<ReceiptPrinter, 'kind' | 'connection'>

/** The destination of a queue: one without a driver takes the commands of a receipt printer. */
const queueDestination = ({ name, isRaw }: Printer): PrintDestination =>
  isRaw
    ? { kind: 'receipt-printer', connection: { kind: 'raw-queue', name }, ...DEFAULT_RECEIPT_OPTIONS }
    : { kind: 'queue', name }

/**
 * Where slips are printed. A folder, a queue and the options of a receipt printer are saved when chosen, a typed address
 * with `saveTyped`. The test page goes to what is chosen, saved or not.
 */
export class PrinterForm {
  readonly #bridge: Bridge
  readonly #till: Till
  readonly reading: AsyncRequest
  readonly testPage: TestPage
  /** The print queues of this machine; null until they were read. */
  printers = $state.raw<readonly Printer[] | null>(null)
  /** Whether a receipt printer with a typed address or port is chosen, saved or not. */
  isTyped = $state(false)
  /** The invalid part of the typed connection; null if it is valid. */
  addressFault = $state<AddressFault | null>(null)
  connection = $state<ConnectionKind>('network')
  host = $state('')
  port = $state(String(RECEIPT_PRINTER_PORT))
  path = $state('')
  queue = $state('')

  constructor(bridge: Bridge, ipc: IpcClient, till: Till) {
    this.#bridge = bridge
    this.#till = till
    this.reading = new AsyncRequest(ipc)
    this.testPage = new TestPage(bridge, ipc)
    this.#showSaved()
  }

  /** The saved settings. */
  get saved(): PrinterSettings {
    return this.#till.state?.settings.printer ?? DEFAULT_PRINTER_SETTINGS
  }

  /** The saved receipt printer; null if slips go elsewhere. */
  get receiptPrinter(): ReceiptPrinter | null {
    const { destination } = this.saved
    return destination.kind === 'receipt-printer' ? destination : null
  }

  /** Whether the typed connection differs from the saved one. */
  get unsaved(): boolean {
    if (!this.isTyped) return false
    const saved = this.receiptPrinter?.connection
    if (saved?.kind !== this.connection) return true
    switch (saved.kind) {
      case 'network':
        return this.host.trim() !== saved.host || this.#portNumber() !== saved.port
      case 'raw-queue':
        return this.queue !== saved.name
      case 'device':
      case 'serial':
        return this.path.trim() !== saved.path
    }
  }

  /** Reads the print queues of this machine. */
  async readPrinters(): Promise<void> {
    const printers = await this.reading.run(() => this.#bridge.printers.list())
    if (printers) this.printers = printers
  }

  /** Chooses and saves a destination. What was typed or chosen meanwhile stays. */
  async choose(destination: PrintDestination): Promise<void> {
    const typed = this.#typedText
    this.#clearTest()
    await this.#save(destination)
    if (this.#typedText === typed) this.#showSaved()
  }

  chooseQueue(queue: Printer): Promise<void> {
    return this.choose(queueDestination(queue))
  }

  /** Chooses a receipt printer whose address or port is typed next. */
  chooseTyped(): void {
    this.isTyped = true
    this.#clearTest()
  }

  /** Saves the receipt printer with the typed connection. What was typed meanwhile stays. */
  async saveTyped(): Promise<void> {
    const destination = this.#typedPrinter()
    if (!destination) return
    this.#clearTest()
    const typed = this.#typedText
    await this.#save(destination)
    if (this.#typedText === typed) this.#showSaved()
  }

  /** Changes options of the saved receipt printer. */
  async setOptions(change: Partial<ReceiptOptions>): Promise<void> {
    await this.#changeSaved((printer) => ({ ...printer, ...change }))
  }

  /** Changes the settings of the saved serial line. */
  async setSerial(change: Partial<Omit<SerialConnection, 'kind' | 'path'>>): Promise<void> {
    await this.#changeSaved((printer) =>
      printer.connection.kind === 'serial'
        ? { ...printer, connection: { ...printer.connection, ...change } }
        : printer
    )
  }

  async choosePaper(paperSize: PaperSize): Promise<void> {
    this.#clearTest()
    await this.#till.set(({ printer }) => ({ printer: { ...printer, paperSize } }))
  }

  /** Prints a test page. */
  async test(): Promise<void> {
    if (this.testPage.running) return
    const destination = this.unsaved ? this.#typedPrinter() : this.saved.destination
    if (!destination) return
    await this.testPage.print({ ...this.saved, destination })
  }

  async #changeSaved(change: (printer: ReceiptPrinter) => ReceiptPrinter): Promise<void> {
    await this.#till.set(({ printer }) =>
      printer.destination.kind === 'receipt-printer'
        ? { printer: { ...printer, destination: change(printer.destination) } }
        : {}
    )
  }

  async #save(destination: PrintDestination): Promise<void> {
    await this.#till.set(({ printer }) => ({ printer: { ...printer, destination } }))
  }

  /** Fills the fields with the saved connection. */
  #showSaved(): void {
    const saved = this.receiptPrinter?.connection
    this.isTyped = saved !== undefined
    if (saved === undefined) return
    this.connection = saved.kind
    if (saved.kind === 'network') {
      this.host = saved.host
      this.port = String(saved.port)
    } else if (saved.kind === 'raw-queue') {
      this.queue = saved.name
    } else {
      this.path = saved.path
    }
  }

  #clearTest(): void {
    this.testPage.reset()
    this.addressFault = null
  }

  /** Returns the receipt printer as typed; null if a field is invalid, which `addressFault` then names. */
  #typedPrinter(): PrintDestination | null {
    const options = this.receiptPrinter ?? DEFAULT_RECEIPT_OPTIONS
    const destination = { ...options, kind: 'receipt-printer', connection: this.#typedConnection() }
    const parsed = v.safeParse(printDestinationSchema, destination)
    this.addressFault = parsed.success ? null : this.#faultOf()
    return parsed.success ? parsed.output : null
  }

  #faultOf(): AddressFault {
    if (this.connection === 'raw-queue') return 'queue'
    if (this.connection !== 'network') return 'path'
    const port = this.#portNumber()
    return port >= 1 && port <= 65_535 ? 'host' : 'port'
  }

  /** What is not typed stays as it is saved: the settings of a line, and the name of the printer at the same address. */
  #typedConnection(): ReceiptConnection {
    const saved = this.receiptPrinter?.connection
    switch (this.connection) {
      case 'network': {
        this.#splitPort()
        const host = this.host.trim()
        const announcedName = saved?.kind === 'network' && saved.host === host ? saved.announcedName : null
        return { kind: 'network', host, port: this.#portNumber(), announcedName }
      }
      case 'device':
        return { kind: 'device', path: this.path.trim() }
      case 'serial': {
        const options = saved?.kind === 'serial' ? saved : DEFAULT_SERIAL_OPTIONS
        return { ...options, kind: 'serial', path: this.path.trim() }
      }
      case 'raw-queue':
        return { kind: 'raw-queue', name: this.queue }
    }
  }

  /** An address with its port, such as `192.168.1.50:9100`, is both fields. */
  #splitPort(): void {
    const [, host, port] = /^(\[[^\]]+\]|[^:[\]]+):(\d{1,5})$/u.exec(toAsciiDigits(this.host.trim())) ?? []
    if (host === undefined || port === undefined) return
    this.host = host.replaceAll(/[[\]]/gu, '')
    this.port = port
  }

  get #typedText(): string {
    return JSON.stringify([this.isTyped, this.connection, this.host, this.port, this.path, this.queue])
  }

  #portNumber(): number {
    const typed = toAsciiDigits(this.port)
    return /^\d{1,5}$/u.test(typed) ? Number(typed) : NaN
  }
}
