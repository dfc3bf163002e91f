/** Finds printers while a search is open, by multicast DNS among others, and a printer that announces itself from another address. */
import {
  type FoundPrinters,
  MAX_FOUND_PRINTERS,
  type MovedPrinter,
  type NetworkConnection
} from '../../contract/printing.ts'
import type { Logger } from '../log/log.ts'
import type { Printing } from '../printing/index.ts'
import { type Announcement, Announcements, PRINTER_SERVICES } from './announcements.ts'
import { type MdnsQuestion, MdnsSockets, type MdnsSocketsOptions } from './mdns-sockets.ts'
import { type FoundWays, mergeWays } from './merge.ts'
import type { systemPorts } from './ports.ts'

/** Changes are sent at most this often: announcements come in bursts. */
const UPDATE_INTERVAL_MS = 200

/** How often ports and queues are read again: a printer may be plugged in during the search. */
const PORTS_INTERVAL_MS = 3000

/** How long a printer that does not respond is looked for. */
export const MOVED_SEARCH_MS = 6000

export interface PrinterDiscoveryOptions {
  readonly ports: typeof systemPorts
  readonly printing: Pick<Printing, 'list'>
  readonly log: Logger
  /** only in tests */
  readonly network?: MdnsNetwork
}

/** One search. */
class Search {
  readonly #options: PrinterDiscoveryOptions
  readonly #onChange: (found: FoundPrinters) => void
  readonly #mdns: MdnsSearch
  #ports: Omit<FoundWays, 'announcements'> = { usbPrinters: [], serialPorts: [], queues: [] }
  #sent = ''
  #update: NodeJS.Timeout | null = null
  #nextRead: NodeJS.Timeout | null = null
  #isStopped = false

  constructor(options: PrinterDiscoveryOptions, onChange: (found: FoundPrinters) => void) {
    this.#options = options
    this.#onChange = onChange
    this.#mdns = new MdnsSearch(() => this.#changed(), options.network)
  }

  async start(): Promise<void> {
    await Promise.all([this.#mdns.start(), this.#readPorts()])
  }

  stop(): void {
    this.#isStopped = true
    this.#mdns.stop()
    for (const timer of [this.#update, this.#nextRead]) if (timer) clearTimeout(timer)
    this.#options.log.info('printer-search-stopped', { refused: this.#mdns.refused })
  }

  found(): FoundPrinters {
    const printers = mergeWays({ announcements: this.#mdns.announcements, ...this.#ports })
    return { printers: printers.slice(0, MAX_FOUND_PRINTERS), refused: this.#mdns.refused }
  }

  async #readPorts(): Promise<void> {
    const { ports, printing } = this.#options
    const [usbPrinters, serialPorts, queues] = await Promise.all([
      this.#listOrNone(ports.usbPrinters()),
      this.#listOrNone(ports.serialPorts()),
      printing.list()
    ])
    this.#ports = { usbPrinters, serialPorts, queues: queues.ok ? queues.value : [] }
    if (this.#isStopped) return
    this.#changed()
    this.#nextRead = setTimeout(() => void this.#readPorts(), PORTS_INTERVAL_MS)
  }

  /** One list that fails does not hide the others. */
  async #listOrNone<Found>(list: Promise<readonly Found[]>): Promise<readonly Found[]> {
    try {
      return await list
    } catch (error) {
      this.#options.log.error('ports-not-listed', { error })
      return []
    }
  }

  #changed(): void {
    if (this.#isStopped) return
    this.#update ??= setTimeout(() => {
      this.#update = null
      const found = this.found()
      const text = JSON.stringify(found)
      if (text === this.#sent) return
      this.#sent = text
      this.#onChange(found)
    }, UPDATE_INTERVAL_MS)
  }
}

/** Sends nothing into the network before the first call. */
export class PrinterDiscovery {
  readonly #options: PrinterDiscoveryOptions
  #search: Search | null = null
  /** the search for each printer that does not respond */
  readonly #moves = new Map<string, MdnsSearch>()

  constructor(options: PrinterDiscoveryOptions) {
    this.#options = options
  }

  /** Starts a search, and ends an earlier one. `onChange` receives everything that was found, until `stop`. */
  async start(onChange: (found: FoundPrinters) => void): Promise<void> {
    this.stop()
    this.#search = new Search(this.#options, onChange)
    await this.#search.start()
  }

  /** Ends the search and closes its sockets. */
  stop(): void {
    this.#search?.stop()
    this.#search = null
  }

  /**
   * Looks some seconds for a printer that does not respond. Resolves with its new connection; null if it announces no
   * other one, or is being looked for already.
   */
  async findMoved(connection: NetworkConnection): Promise<MovedPrinter['to'] | null> {
    const { announcedName } = connection
    if (announcedName === null || this.#moves.has(announcedName)) return null
    const { promise, resolve } = Promise.withResolvers<NetworkConnection | null>()
    const moved = (): void => {
      const [found] = search.announcements.filter(
        ({ service, label }) => service === '_pdl-datastream._tcp.local' && label === announcedName
      )
      const [host] = found?.addresses ?? []
      if (found === undefined || host === undefined) return
      // The printer is where it was: it is off, or another device has its name.
      if (found.addresses.includes(connection.host) && found.port === connection.port) return
      resolve({ kind: 'network', host, port: found.port, announcedName })
    }
    const search = new MdnsSearch(moved, this.#options.network)
    this.#moves.set(announcedName, search)
    const timeout = setTimeout(() => resolve(null), MOVED_SEARCH_MS)
    try {
      await search.start()
      return await promise
    } finally {
      clearTimeout(timeout)
      search.stop()
      this.#moves.delete(announcedName)
    }
  }

  /** Ends every search. */
  close(): void {
    this.stop()
    for (const search of this.#moves.values()) search.stop()
  }
}

/** The pauses between questions at least double (RFC 6762, 5.2). */
const FIRST_PAUSE_MS = 1000
const MAX_PAUSE_MS = 60_000

/** Further records asked for at a time, so that questions fit one packet. */
const MAX_MISSING = 10

/** What is unusual about the network, in tests. */
export type MdnsNetwork = Pick<MdnsSocketsOptions, 'port' | 'interfaces'>

export class MdnsSearch {
  readonly #onChange: () => void
  readonly #announcements = new Announcements()
  readonly #sockets: MdnsSockets
  #refusedPackets = 0
  #timer: NodeJS.Timeout | null = null
  #isStopped = false

  /** Sends nothing before `start`. @param onChange called when there may be another announcement */
  constructor(onChange: () => void, network: MdnsNetwork = {}) {
    this.#onChange = onChange
    this.#sockets = new MdnsSockets({
      ...network,
      onResponse: (response) => {
        if (this.#announcements.add(response)) this.#onChange()
      },
      onRefused: () => {
        this.#refusedPackets++
        this.#onChange()
      }
    })
  }

  /** Asks now, and again after pauses that grow. Resolves when the first questions are sent. */
  async start(): Promise<void> {
    await this.#sockets.open()
    await this.#askAgainAfter(FIRST_PAUSE_MS)
  }

  /** Closes the sockets. */
  stop(): void {
    this.#isStopped = true
    if (this.#timer) clearTimeout(this.#timer)
    this.#sockets.close()
  }

  /** The services that can be reached. */
  get announcements(): readonly Announcement[] {
    return this.#announcements.complete()
  }

  /** Number of packets and records that were refused. */
  get refused(): number {
    return this.#refusedPackets + this.#announcements.refused
  }

  async #askAgainAfter(pauseMs: number): Promise<void> {
    await this.#sockets.ask(this.#questions())
    if (this.#isStopped) return
    this.#timer = setTimeout(() => void this.#askAgainAfter(Math.min(pauseMs * 2, MAX_PAUSE_MS)), pauseMs)
  }

  #questions(): readonly MdnsQuestion[] {
    const { services, hosts } = this.#announcements.missing(MAX_MISSING)
    return [
      ...PRINTER_SERVICES.map((name): MdnsQuestion => ({ name: name.split('.'), type: 'PTR' })),
      ...services.flatMap((name): MdnsQuestion[] => [
        { name, type: 'SRV' },
        { name, type: 'TXT' }
      ]),
      ...hosts.flatMap((name): MdnsQuestion[] => [
        { name, type: 'A' },
        { name, type: 'AAAA' }
      ])
    ]
  }
}
