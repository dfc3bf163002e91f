import type { Bridge } from '../../../electron/contract/bridge.ts'
import {
  connectionName,
  type FoundPrinter,
  type FoundPrinters,
  type MovedPrinter,
  type PrintDestination
} from '../../../electron/contract/printing.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'
import type { PrinterForm } from './printer-form.svelte.ts'
import { TestPage } from './test-page.svelte.ts'
import type { Till } from './till.svelte.ts'

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
  readonly testPage: TestPage
  /** What was found; kept after the search has stopped, and null before the first one. */
  found = $state.raw<FoundPrinters | null>(null)
  /** Whether printers are being looked for. */
  isOpen = $state(false)
  #testedId = $state<string | null>(null)

  constructor(bridge: Bridge, ipc: IpcClient, form: PrinterForm) {
    this.#bridge = bridge
    this.#ipc = ipc
    this.#form = form
    this.starting = new AsyncRequest(ipc)
    this.testPage = new TestPage(bridge, ipc)
  }

  /** Whether the last test page was for this printer. */
  isTested({ id }: FoundPrinter): boolean {
    return this.#testedId === id
  }

  /** Whether slips are printed on this printer. */
  isUsed({ destination }: FoundPrinter): boolean {
    return destination !== null && targetOf(destination) === targetOf(this.#form.saved.destination)
  }

  /** Follows what is found. Returns a function that stops the search. */
  follow(): () => void {
    const unfollow = this.#bridge.onFoundPrinters((found) => {
      if (this.isOpen) this.found = found
    })
    return () => {
      unfollow()
      if (this.isOpen) void this.stop()
    }
  }

  async start(): Promise<void> {
    this.testPage.reset()
    this.#testedId = null
    this.found = { printers: [], refused: 0 }
    this.isOpen = true
    const started = await this.starting.run(() => this.#bridge.printers.startFinding())
    if (started === undefined && this.starting.failure) this.isOpen = this.starting.running
  }

  async stop(): Promise<void> {
    this.isOpen = false
    this.starting.reset()
    await this.#ipc.invoke(() => this.#bridge.printers.stopFinding())
  }

  /** Prints a test page on a found printer, without choosing it. */
  async test(printer: FoundPrinter): Promise<void> {
    const { destination, id } = printer
    if (destination === null || this.testPage.running) return
    this.#testedId = id
    await this.testPage.print({ ...this.#form.saved, destination })
  }

  /** Saves a found printer as the printer of slips. */
  async use({ destination }: FoundPrinter): Promise<void> {
    if (destination !== null) await this.#form.choose(destination)
  }
}

/** The question whether to print at the new address of a printer. The slips wait until it is answered. */
export class MovedPrinterQuestion {
  readonly #bridge: Bridge
  readonly #ipc: IpcClient
  readonly #till: Till
  #asked = $state.raw<MovedPrinter | null>(null)
  /** Whether the answer is being carried out. */
  busy = $state(false)

  constructor(bridge: Bridge, ipc: IpcClient, till: Till) {
    this.#bridge = bridge
    this.#ipc = ipc
    this.#till = till
  }

  /** The open question; null if there is none, or if another printer was chosen meanwhile. */
  get open(): MovedPrinter | null {
    return this.#asked !== null && this.#isSavedAt(this.#asked.from) ? this.#asked : null
  }

  /** Takes questions. Returns a function that stops. */
  start(): () => void {
    return this.#bridge.onMovedPrinter((moved) => {
      this.#asked = moved
    })
  }

  /** Saves the new address, and prints the slips that wait, one after the other. */
  async accept(): Promise<void> {
    const question = this.open
    if (question === null || this.busy) return
    this.busy = true
    const { to } = question
    await this.#till.set(({ printer }) => {
      const { destination } = printer
      return destination.kind === 'receipt-printer' && this.#isSavedAt(question.from)
        ? { printer: { ...printer, destination: { ...destination, connection: to } } }
        : {}
    })
    if (this.#isSavedAt(to)) {
      // The question of another slip may have come meanwhile.
      const asked = this.#asked
      const isSame = asked !== null && connectionName(asked.from) === connectionName(question.from)
      if (isSame) this.#asked = null
      // A slip that fails again is shown with its reason, as any other.
      for (const intentId of (isSame ? asked : question).intentIds)
        await this.#ipc.invoke(() => this.#bridge.slips.print({ intentId }))
    }
    this.busy = false
  }

  /** Closes the question. The next slip that does not reach the printer opens it again. */
  dismiss(): void {
    this.#asked = null
  }

  #isSavedAt(connection: MovedPrinter['from']): boolean {
    const destination = this.#till.state?.settings.printer.destination
    return (
      destination?.kind === 'receipt-printer' &&
      destination.connection.kind === 'network' &&
      connectionName(destination.connection) === connectionName(connection)
    )
  }
}
