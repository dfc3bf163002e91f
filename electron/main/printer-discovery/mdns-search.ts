/** Searches printers in the local network by multicast DNS until it is stopped. */
import { Announcements, PRINTER_SERVICES, type Announcement } from './announcements.ts'
import { MdnsSockets, type MdnsQuestion, type MdnsSocketsOptions } from './mdns-sockets.ts'

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
