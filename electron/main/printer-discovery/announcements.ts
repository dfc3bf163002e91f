/**
 * The printers that devices announce by DNS-SD (RFC 6763), with the keys of Apple's Bonjour Printing Specification 1.2.
 * Everything in them is unverified: texts are cut to one short line, numbers are limited, and addresses must be local.
 */
import type { DnsRecord } from './dns-records.ts'
import type { DomainName, MdnsResponse } from './mdns-sockets.ts'

/** The services of printers, the best way to reach one first: a socket, LPR, and IPP without and with TLS. */
export const PRINTER_SERVICES = [
  '_pdl-datastream._tcp.local',
  '_printer._tcp.local',
  '_ipp._tcp.local',
  '_ipps._tcp.local'
] as const
type PrinterService = (typeof PRINTER_SERVICES)[number]

/** A printer has at most four services; a print server has them for each of its queues. Counted over a whole search. */
const MAX_SERVICES_PER_SENDER = 40
const MAX_SERVICES = 400
/** Including those that are refused, which is decided once for each. */
const MAX_ADDRESSES_PER_HOST = 16
const MAX_LINE_LENGTH = 60
/** A label has 63 bytes (RFC 1035, 3.1), a string of a TXT record 255. */
const MAX_TEXT_LENGTH = 256

/** Returns a text as one line of at most 60 characters, without control and invisible ones, such as changes of direction. */
export function toLine(text: string): string {
  const visible = text
    .slice(0, MAX_TEXT_LENGTH)
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
  const characters = Array.from(visible)
  return characters.length <= MAX_LINE_LENGTH
    ? visible
    : `${characters.slice(0, MAX_LINE_LENGTH - 1).join('')}…`
}

/** Make and model, UUID, location and languages of a printer (Bonjour Printing Specification 1.2, 9.2). */
const TXT_KEYS = ['ty', 'product', 'usb_mfg', 'usb_mdl', 'usb_cmd', 'pdl', 'note', 'uuid']
const MAX_TXT_KEY_BYTES = Math.max(...TXT_KEYS.map(({ length }) => length))

/** The values of a TXT record that are used, by their keys in lower case (RFC 6763, 6). */
type TxtValues = ReadonlyMap<string, string>

/** One service that a printer announces, with everything that is needed to reach it. */
export interface Announcement {
  readonly service: PrinterService
  /** the name that all services of a printer share; one line */
  readonly label: string
  /** in lower case */
  readonly host: string
  readonly port: number
  /** in the subnet of this machine; IPv4 first */
  readonly addresses: readonly string[]
  readonly txt: TxtValues
}

interface ServiceRecord {
  readonly service: PrinterService
  readonly label: string
  /** its name as announced, to ask for its records */
  readonly name: DomainName
  readonly sender: string
  target: { readonly host: string; readonly port: number } | null
  txt: TxtValues | null
}

function txtValuesOf(entries: readonly Buffer[]): TxtValues {
  const values = new Map<string, string>()
  for (const entry of entries) {
    const separator = entry.indexOf('=')
    const name = separator > MAX_TXT_KEY_BYTES ? '' : entry.toString('latin1', 0, separator).toLowerCase()
    // The first of equal keys counts.
    if (TXT_KEYS.includes(name) && !values.has(name)) values.set(name, entry.toString('utf8', separator + 1))
  }
  return values
}

const isUsableHost = (host: string): boolean => /^[\p{L}\p{N}._-]{1,253}$/u.test(host)

/** The announcements that were received in one search. */
export class Announcements {
  /** by full name in lower case */
  readonly #services = new Map<string, ServiceRecord>()
  /** the address for use of each announced one, or null if it is refused; by host in lower case */
  readonly #hosts = new Map<string, Map<string, string | null>>()
  readonly #servicesOfSender = new Map<string, number>()
  #accepted = 0
  #refused = 0

  /** Number of records that were refused. */
  get refused(): number {
    return this.#refused
  }

  /** Adds the records of a response. Returns whether there was one of a printer. */
  add({ records, sender, localAddress }: MdnsResponse): boolean {
    // Names first: records of a name that was not announced as a printer's are not kept.
    const changes = [
      ...records.map((record) => this.#addName(record, sender)),
      ...records.map((record) => this.#addDetails(record)),
      ...records.map((record) => this.#addAddress(record, localAddress))
    ]
    return changes.includes(true)
  }

  /** The announcements that can be reached. */
  complete(): readonly Announcement[] {
    return [...this.#services.values()].flatMap(({ service, label, target, txt }) => {
      const addresses = target === null ? [] : this.#addressesOf(target.host)
      if (target === null || addresses.length === 0) return []
      addresses.sort((one, other) => Number(one.includes(':')) - Number(other.includes(':')))
      return [{ service, label, ...target, addresses, txt: txt ?? new Map<string, string>() }]
    })
  }

  /** The names of services and hosts whose records are missing, at most `limit` of each. */
  missing(limit: number): {
    readonly services: readonly DomainName[]
    readonly hosts: readonly DomainName[]
  } {
    const all = [...this.#services.values()]
    const services = all.filter(({ target, txt }) => target === null || txt === null)
    const hosts = all.flatMap(({ target }) =>
      target && this.#addressesOf(target.host).length === 0 ? [target.host] : []
    )
    return {
      services: services.slice(0, limit).map(({ name }) => name),
      hosts: [...new Set(hosts)].slice(0, limit).map((host) => host.split('.'))
    }
  }

  #addressesOf(host: string): string[] {
    return [...(this.#hosts.get(host)?.values() ?? [])].filter((address) => address !== null)
  }

  #addName(record: DnsRecord, sender: string): boolean {
    if (record.type !== 'PTR') return false
    const service = PRINTER_SERVICES.find((each) => each === record.name.toLowerCase())
    const key = record.data.toLowerCase()
    if (service === undefined || !key.endsWith(`.${service}`)) return false
    const known = this.#services.get(key)
    // The printer is switched off (RFC 6762, 10.1).
    if (record.ttl === 0) return known?.sender === sender && this.#services.delete(key)
    if (known !== undefined) return false
    const ofSender = this.#servicesOfSender.get(sender) ?? 0
    if (ofSender >= MAX_SERVICES_PER_SENDER || this.#accepted >= MAX_SERVICES) {
      this.#refused++
      return false
    }
    this.#accepted++
    this.#servicesOfSender.set(sender, ofSender + 1)
    // One label of the name, which may contain any character, dots as well (RFC 6763, 4.1.1).
    const instance = record.data.slice(0, -service.length - 1)
    const label = toLine(instance)
    if (label === '') return false
    const name = [instance, ...service.split('.')]
    this.#services.set(key, { service, label, name, sender, target: null, txt: null })
    return true
  }

  #addDetails(record: DnsRecord): boolean {
    if (record.type !== 'SRV' && record.type !== 'TXT') return false
    const service = this.#services.get(record.name.toLowerCase())
    if (service === undefined) return false
    if (record.type === 'TXT') {
      service.txt = txtValuesOf(record.data)
      return true
    }
    const { target, port } = record.data
    // Port 0: the printer reserves its name for a service that it does not have.
    if (port === 0) return false
    const host = target.toLowerCase()
    // A second host would leave the first one in memory.
    if (!isUsableHost(host) || (service.target?.host ?? host) !== host) {
      this.#refused++
      return false
    }
    service.target = { host, port }
    if (!this.#hosts.has(host)) this.#hosts.set(host, new Map())
    return true
  }

  #addAddress(record: DnsRecord, localAddress: (address: string) => string | null): boolean {
    if (record.type !== 'A' && record.type !== 'AAAA') return false
    const addresses = this.#hosts.get(record.name.toLowerCase())
    if (addresses === undefined || addresses.has(record.data)) return false
    const isFull = addresses.size >= MAX_ADDRESSES_PER_HOST
    const address = isFull ? null : localAddress(record.data)
    if (!isFull) addresses.set(record.data, address)
    if (address === null) this.#refused++
    return address !== null
  }
}
