import type { Bridge } from '../../../electron/contract/bridge.ts'
import {
  DEFAULT_PRINTER_SETTINGS,
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
  readonly #looking: AsyncRequest
  readonly #testing: AsyncRequest
  #printers = $state.raw<readonly Printer[] | null>(null)
  #network = $state(false)
  #fault = $state<AddressFault | null>(null)
  #tested = $state(false)
  host = $state('')
  port = $state(String(RECEIPT_PRINTER_PORT))
  code = $state<CodeStyle>('raster')

  constructor(bridge: Bridge, ipc: IpcClient, till: Till) {
    this.#bridge = bridge
    this.#till = till
    this.#looking = new AsyncRequest(ipc)
    this.#testing = new AsyncRequest(ipc)
    const { destination } = this.saved
    if (destination.kind === 'network-printer') {
      this.#network = true
      this.host = destination.host
      this.port = String(destination.port)
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

  get looking(): AsyncRequest {
    return this.#looking
  }

  get testing(): AsyncRequest {
    return this.#testing
  }

  /** Whether the last test page was printed. */
  get tested(): boolean {
    return this.#tested
  }

  /** Whether a network printer is chosen, saved or not. */
  get network(): boolean {
    return this.#network
  }

  /** The invalid part of the network printer's address; null if it is valid. */
  get fault(): AddressFault | null {
    return this.#fault
  }

  /** Whether the network printer differs from the saved one. */
  get unsaved(): boolean {
    if (!this.#network) return false
    const { destination } = this.saved
    const { host, port, code } = this.#address()
    return (
      destination.kind !== 'network-printer' ||
      host !== destination.host ||
      port !== destination.port ||
      code !== destination.code
    )
  }

  /** Reads the print queues of this machine. */
  async look(): Promise<void> {
    const printers = await this.#looking.run(() => this.#bridge.printers.list())
    if (printers) this.#printers = printers
  }

  /** Chooses and saves a folder or a queue. */
  async choose(destination: Exclude<PrintDestination, { kind: 'network-printer' }>): Promise<void> {
    this.#network = false
    this.#forgetTest()
    await this.#keep({ ...this.saved, destination })
  }

  /** Chooses a network printer, whose address is typed next. */
  chooseNetwork(): void {
    this.#network = true
    this.#forgetTest()
  }

  /** Saves the network printer. */
  async saveNetwork(): Promise<void> {
    const destination = this.#checked()
    if (destination) await this.#keep({ ...this.saved, destination })
  }

  async choosePaper(paperSize: PaperSize): Promise<void> {
    this.#forgetTest()
    await this.#keep({ ...this.saved, paperSize })
  }

  /** Prints a test page. */
  async test(): Promise<void> {
    if (this.#testing.running) return
    const destination = this.#network ? this.#checked() : this.saved.destination
    if (!destination) return
    const settings = { ...this.saved, destination }
    this.#tested = false
    this.#tested =
      (await this.#testing.run(() => this.#bridge.printers.printTestPage(settings))) !== undefined
  }

  async #keep(printer: PrinterSettings): Promise<void> {
    await this.#till.set({ printer })
  }

  #forgetTest(): void {
    this.#testing.reset()
    this.#tested = false
    this.#fault = null
  }

  #checked(): PrintDestination | null {
    const { host, port, ...rest } = this.#address()
    this.#fault = !/^[\p{L}\p{N}._:%-]{1,253}$/u.test(host)
      ? 'host'
      : Number.isInteger(port) && port >= 1 && port <= 65_535
        ? null
        : 'port'
    return this.#fault ? null : { ...rest, host, port }
  }

  #address() {
    const typed = toAsciiDigits(this.port)
    const port = /^\d{1,5}$/u.test(typed) ? Number(typed) : NaN
    return { kind: 'network-printer', host: this.host.trim(), port, code: this.code } as const
  }
}
