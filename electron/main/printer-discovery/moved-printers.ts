/** Looks for a network printer that did not respond to a slip: it may have another address now (DHCP). */
import { connectionName, type MovedPrinter, type NetworkConnection } from '../../contract/printing.ts'
import type { Slip } from '../../contract/slips.ts'
import type { Lazy } from '../lazy.ts'
import type { Logger } from '../log/log.ts'
import type { PrinterDiscovery } from './printer-discovery.ts'

export interface MovedPrintersDependencies {
  readonly discovery: Pick<Lazy<Pick<PrinterDiscovery, 'findMoved'>>, 'get'>
  /** sends the page the question whether to print there */
  readonly send: (moved: MovedPrinter) => void
  readonly log: Logger
}

/** The connection to which a slip could not be sent at all, if its printer has announced a name. */
function unreached({ state, failure, destination }: Slip): NetworkConnection | null {
  const isUnsent =
    state === 'print-failed' &&
    failure?.kind === 'not-printed' &&
    // At its old address there may be another device, which refuses the connection.
    (failure.fault === 'printer-offline' || failure.fault === 'printer-busy') &&
    !failure.mayStillPrint
  if (!isUnsent || destination?.kind !== 'receipt-printer') return null
  const { connection } = destination
  return connection.kind === 'network' && connection.announcedName !== null ? connection : null
}

export class MovedPrinters {
  readonly #dependencies: MovedPrintersDependencies
  /** the slips that wait for a printer, by the name of its connection */
  readonly #waiting = new Map<string, Set<string>>()

  constructor(dependencies: MovedPrintersDependencies) {
    this.#dependencies = dependencies
  }

  /** Call with each change of a slip. Resolves when the search that it caused ended. Never rejects. */
  async handleSlip(slip: Slip): Promise<void> {
    for (const slips of this.#waiting.values()) slips.delete(slip.intentId)
    const from = unreached(slip)
    if (from === null) return
    const { discovery, send, log } = this.#dependencies
    const name = connectionName(from)
    const slips = this.#waiting.get(name) ?? new Set()
    this.#waiting.set(name, slips)
    // A batch prints its rest by itself.
    if (slip.batch === null) slips.add(slip.intentId)
    try {
      const to = await (await discovery.get()).findMoved(from)
      if (to === null) return
      log.info('printer-moved', { from: name, to: connectionName(to) })
      send({ from, to, intentIds: [...slips] })
    } catch (error) {
      log.error('moved-printer-not-searched', { error })
    }
  }
}
