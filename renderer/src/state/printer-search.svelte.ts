import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { FoundPrinter, FoundPrinters } from '../../../electron/contract/printer-discovery.ts'
import {
  connectionName,
  deliveryLabel,
  type DeliveryLabel,
  type PrintDestination
} from '../../../electron/contract/printing.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'
import type { PrinterForm } from './printer-form.svelte.ts'

/** The name of what a destination prints on, to recognise the same printer with other options. */
const targetOf = (destination: PrintDestination | null): string | null => {
  if (destination?.kind === 'receipt-printer') {
    return `${destination.connection.kind} ${connectionName(destination.connection)}`
  }
  return destination?.kind === 'queue' ? `queue ${destination.name}` : null
}

/** The search for printers: what it found, a test page on each, and choosing one. */
export class PrinterSearch {
  readonly #bridge: Bridge
  readonly #ipc: IpcClient
  readonly #form: PrinterForm
  /** the request that starts the search */
  readonly starting: AsyncRequest
  /** the last test page */
  readonly testing: AsyncRequest
  #found = $state.raw<FoundPrinters | null>(null)
  #isOpen = $state(false)
  #testedId = $state<string | null>(null)
  #tested = $state<DeliveryLabel | null>(null)

  constructor(bridge: Bridge, ipc: IpcClient, form: PrinterForm) {
    this.#bridge = bridge
    this.#ipc = ipc
    this.#form = form
    this.starting = new AsyncRequest(ipc)
    this.testing = new AsyncRequest(ipc)
  }

  /** Whether printers are being looked for. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /** What was found; kept after the search has stopped, and null before the first one. */
  get found(): FoundPrinters | null {
    return this.#found
  }

  /** Whether the last test page was for this printer. */
  isTested({ id }: FoundPrinter): boolean {
    return this.#testedId === id
  }

  /** What became of that test page; null until it was printed. */
  get tested(): DeliveryLabel | null {
    return this.#tested
  }

  /** Whether slips are printed on this printer. */
  isUsed({ destination }: FoundPrinter): boolean {
    return destination !== null && targetOf(destination) === targetOf(this.#form.saved.destination)
  }

  /** Follows what is found. Returns a function that stops the search. */
  follow(): () => void {
    const unfollow = this.#bridge.onFoundPrinters((found) => {
      if (this.#isOpen) this.#found = found
    })
    return () => {
      unfollow()
      if (this.#isOpen) void this.stop()
    }
  }

  async start(): Promise<void> {
    this.testing.reset()
    this.#testedId = null
    this.#found = { printers: [], refused: 0 }
    this.#isOpen = true
    const started = await this.starting.run(() => this.#bridge.printers.startFinding())
    if (started === undefined) this.#isOpen = false
  }

  async stop(): Promise<void> {
    this.#isOpen = false
    await this.#ipc.invoke(() => this.#bridge.printers.stopFinding())
  }

  /** Prints a test page on a found printer, without choosing it. */
  async test(printer: FoundPrinter): Promise<void> {
    const { destination, id } = printer
    if (destination === null || this.testing.running) return
    this.#testedId = id
    this.#tested = null
    const settings = { ...this.#form.saved, destination }
    const printed = await this.testing.run(() => this.#bridge.printers.printTestPage(settings))
    this.#tested = printed === undefined ? null : deliveryLabel(destination)
  }

  /** Saves a found printer as the printer of slips. */
  async use({ destination }: FoundPrinter): Promise<void> {
    if (destination !== null) await this.#form.choose(destination)
  }
}
