import type { Bridge } from '../../../electron/contract/bridge.ts'
import {
  DEFAULT_PRINTER_SETTINGS,
  DEFAULT_RECEIPT_OPTIONS,
  RECEIPT_PRINTER_PORT,
  type CodeStyle,
  type PaperSize,
  type PrintDestination,
  type Printer,
  type PrinterSettings
} from '../../../electron/contract/printing.ts'
import { toAsciiDigits } from '../format/numbers.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'
import type { Till } from './till.svelte.ts'

/** Which part of the network printer's address is invalid. */
export type AddressFault = 'host' | 'port'

/**
 * Where slips are printed. A folder or a queue is saved when chosen, a network printer with `saveNetwork`. The test
 * page goes to what is chosen, saved or not.
 */
export class PrinterForm {
  readonly #bridge: Bridge
  readonly #till: Till
  readonly #reading: AsyncRequest
  readonly #testing: AsyncRequest
  #printers = $state.raw<readonly Printer[] | null>(null)
  #isNetwork = $state(false)
  #addressFault = $state<AddressFault | null>(null)
  #tested = $state(false)
  host = $state('')
  port = $state(String(RECEIPT_PRINTER_PORT))
  code = $state<CodeStyle>('raster')

  constructor(bridge: Bridge, ipc: IpcClient, till: Till) {
    this.#bridge = bridge
    this.#till = till
    this.#reading = new AsyncRequest(ipc)
    this.#testing = new AsyncRequest(ipc)
    const { destination } = this.saved
    if (destination.kind === 'receipt-printer' && destination.connection.kind === 'network') {
      this.#isNetwork = true
      this.host = destination.connection.host
      this.port = String(destination.connection.port)
      this.code = destination.code
    }
  }

  /** The saved settings. */
  get saved(): PrinterSettings {
    return this.#till.state?.settings.printer ?? DEFAULT_PRINTER_SETTINGS
  }

  /** The print queues of this machine; null until they were read. */
  get printers(): readonly Printer[] | null {
    return this.#printers
  }

  get reading(): AsyncRequest {
    return this.#reading
  }

  get testing(): AsyncRequest {
    return this.#testing
  }

  /** Whether the last test page was printed. */
  get tested(): boolean {
    return this.#tested
  }

  /** Whether a network printer is chosen, saved or not. */
  get isNetwork(): boolean {
    return this.#isNetwork
  }

  /** The invalid part of the network printer's address; null if it is valid. */
  get addressFault(): AddressFault | null {
    return this.#addressFault
  }

  /** Whether the network printer differs from the saved one. */
  get unsaved(): boolean {
    if (!this.#isNetwork) return false
    const { destination } = this.saved
    const { host, port, code } = this.#address()
    return (
      destination.kind !== 'receipt-printer' ||
      destination.connection.kind !== 'network' ||
      host !== destination.connection.host ||
      port !== destination.connection.port ||
      code !== destination.code
    )
  }

  /** Reads the print queues of this machine. */
  async readPrinters(): Promise<void> {
    const printers = await this.#reading.run(() => this.#bridge.printers.list())
    if (printers) this.#printers = printers
  }

  /** Chooses and saves a folder or a queue. */
  async choose(destination: Exclude<PrintDestination, { kind: 'receipt-printer' }>): Promise<void> {
    this.#isNetwork = false
    this.#clearTest()
    await this.#save({ ...this.saved, destination })
  }

  /** Chooses a network printer, whose address is typed next. */
  chooseNetwork(): void {
    this.#isNetwork = true
    this.#clearTest()
  }

  /** Saves the network printer. */
  async saveNetwork(): Promise<void> {
    const destination = this.#validNetworkPrinter()
    if (destination) await this.#save({ ...this.saved, destination })
  }

  async choosePaper(paperSize: PaperSize): Promise<void> {
    this.#clearTest()
    await this.#save({ ...this.saved, paperSize })
  }

  /** Prints a test page. */
  async test(): Promise<void> {
    if (this.#testing.running) return
    const destination = this.#isNetwork ? this.#validNetworkPrinter() : this.saved.destination
    if (!destination) return
    const settings = { ...this.saved, destination }
    this.#tested = false
    this.#tested =
      (await this.#testing.run(() => this.#bridge.printers.printTestPage(settings))) !== undefined
  }

  async #save(printer: PrinterSettings): Promise<void> {
    await this.#till.set({ printer })
  }

  #clearTest(): void {
    this.#testing.reset()
    this.#tested = false
    this.#addressFault = null
  }

  /** Returns the typed network printer; null if its address is invalid, with the reason in `addressFault`. */
  #validNetworkPrinter(): PrintDestination | null {
    const { host, port, code } = this.#address()
    this.#addressFault = !/^[\p{L}\p{N}._:%-]{1,253}$/u.test(host)
      ? 'host'
      : Number.isInteger(port) && port >= 1 && port <= 65_535
        ? null
        : 'port'
    if (this.#addressFault) return null
    const { destination } = this.saved
    return {
      ...(destination.kind === 'receipt-printer' ? destination : DEFAULT_RECEIPT_OPTIONS),
      kind: 'receipt-printer',
      connection: { kind: 'network', host, port, announcedName: null },
      code
    }
  }

  #address() {
    const typed = toAsciiDigits(this.port)
    const port = /^\d{1,5}$/u.test(typed) ? Number(typed) : NaN
    return { host: this.host.trim(), port, code: this.code }
  }
}
