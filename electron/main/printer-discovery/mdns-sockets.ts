/**
 * Multicast DNS (RFC 6762) on every network interface: sends questions, receives responses. Packets are limited in number
 * and size before they are decoded, because any device in the network can send them.
 */
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { BlockList, isIPv6, SocketAddress } from 'node:net'
import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os'
import { decodeRecords, RECORD_TYPES, type DnsRecord } from './dns-records.ts'

export const MDNS_PORT = 5353
const GROUP = { udp4: '224.0.0.251', udp6: 'ff02::fb' } as const
type Family = keyof typeof GROUP

/** The largest packet (RFC 6762, 17). */
const MAX_PACKET_BYTES = 9000
/**
 * Bytes decoded in a second, from one sender and from all. The rest is repeated by its sender, or asked for again. A packet
 * of a printer has less than 1 kB; a smaller one counts as that.
 */
const MAX_BYTES_PER_SENDER = 64_000
const MAX_BYTES = 200_000
const MIN_COUNTED_BYTES = 1000

/** A name by its labels, of which the first may contain dots. */
export type DomainName = readonly string[]

export interface MdnsQuestion {
  readonly name: DomainName
  readonly type: keyof typeof RECORD_TYPES
}

/** A label has 1 to 63 bytes (RFC 1035, 3.1). */
const MAX_LABEL_BYTES = 63

/**
 * Returns a query (RFC 1035, 4.1) with the questions; one whose name has an invalid label is left out.
 */
export function encodeQuery(questions: readonly MdnsQuestion[]): Uint8Array {
  const encoded = questions.flatMap(({ name, type }) => {
    const labels = name.map((label) => Buffer.from(label))
    if (labels.some(({ length }) => length === 0 || length > MAX_LABEL_BYTES)) return []
    const bytes = labels.flatMap((label) => [Buffer.of(label.length), label])
    // The end of the name, the type, and the class IN.
    return [Buffer.concat([...bytes, Buffer.of(0, 0, RECORD_TYPES[type], 0, 1)])]
  })
  const header = Buffer.alloc(12)
  header.writeUInt16BE(encoded.length, 4)
  return Buffer.concat([header, ...encoded])
}

/** A response, and how to judge the addresses in it. */
export interface MdnsResponse {
  readonly records: readonly DnsRecord[]
  /** address of the sender, without its scope */
  readonly sender: string
  /** Returns an address for use in a connection, or null unless it is in the sender's own subnet. */
  readonly localAddress: (address: string) => string | null
}

export interface MdnsSocketsOptions {
  readonly onResponse: (response: MdnsResponse) => void
  /** called for each packet that is dropped */
  readonly onRefused: () => void
  /** default 5353; another one for tests beside the machine's own responder */
  readonly port?: number
  /** default: those of the machine */
  readonly interfaces?: typeof networkInterfaces
}

interface Interface {
  readonly name: string
  readonly info: NetworkInterfaceInfo
  readonly subnet: BlockList
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4')
const withoutScope = (address: string): string => address.replace(/%.*$/u, '')

function interfacesOf(list: ReturnType<typeof networkInterfaces>): readonly Interface[] {
  return Object.entries(list).flatMap(([name, infos = []]) =>
    infos.flatMap((info) => {
      const prefix = Number(info.cidr?.split('/')[1])
      if (!Number.isInteger(prefix)) return []
      const subnet = new BlockList()
      subnet.addSubnet(info.address, prefix, familyOf(info.address))
      return [{ name, info, subnet }]
    })
  )
}

/** The name of an interface in the calls of a socket: its address for IPv4, its index (Windows) or name for IPv6. */
const multicastInterface = ({ name, info }: Interface): string =>
  info.family === 'IPv4' ? info.address : `::%${process.platform === 'win32' ? info.scopeid : name}`

/** The sockets of one search. A family or interface that cannot be used is left out. */
export class MdnsSockets {
  readonly #options: MdnsSocketsOptions
  readonly #port: number
  readonly #interfaces: readonly Interface[]
  readonly #sockets = new Map<Family, Socket>()
  readonly #bytesOfSender = new Map<string, number>()
  #bytes = 0
  #second = 0
  #isClosed = false

  constructor(options: MdnsSocketsOptions) {
    this.#options = options
    this.#port = options.port ?? MDNS_PORT
    this.#interfaces = interfacesOf((options.interfaces ?? networkInterfaces)())
  }

  /** Opens the sockets. Sends nothing yet. */
  async open(): Promise<void> {
    await Promise.all([this.#open('udp4'), this.#open('udp6')])
  }

  /** Asks the questions on every interface. Resolves when they were handed to the system. */
  async ask(questions: readonly MdnsQuestion[]): Promise<void> {
    const packet = encodeQuery(questions)
    for (const [family, socket] of this.#sockets) {
      for (const own of this.#interfacesFor(family)) {
        if (this.#isClosed) return
        await this.#send(socket, family, own, packet)
      }
    }
  }

  close(): void {
    this.#isClosed = true
    for (const socket of this.#sockets.values()) socket.close()
    this.#sockets.clear()
  }

  /** One entry for each interface: an IPv6 interface has several addresses, and only the link-local one a scope. */
  #interfacesFor(family: Family): readonly Interface[] {
    return this.#interfaces.filter(({ info }) =>
      family === 'udp4'
        ? info.family === 'IPv4'
        : info.family === 'IPv6' && (info.scopeid !== 0 || info.internal)
    )
  }

  async #open(family: Family): Promise<void> {
    if (this.#interfacesFor(family).length === 0) return
    // Shared with the machine's own responder. Where that one does not share, responders answer any other port directly
    // (RFC 6762, 6.7).
    const socket = (await this.#bind(family, this.#port)) ?? (await this.#bind(family, 0))
    if (socket === null) return
    if (this.#isClosed) {
      socket.close()
      return
    }
    for (const own of this.#interfacesFor(family)) {
      try {
        socket.addMembership(GROUP[family], multicastInterface(own))
      } catch {
        // The interface is down, or has no multicast.
      }
    }
    socket.on('message', (bytes, sender) => this.#receive(bytes, sender))
    this.#sockets.set(family, socket)
  }

  async #bind(family: Family, port: number): Promise<Socket | null> {
    const socket = createSocket({ type: family, reuseAddr: port !== 0, ipv6Only: family === 'udp6' })
    try {
      socket.bind(port)
      await once(socket, 'listening')
      // Without a listener an error would end the process.
      socket.on('error', () => undefined)
      // RFC 6762, 11. Programs of this machine announce printers, too.
      socket.setMulticastTTL(255)
      socket.setMulticastLoopback(true)
      return socket
    } catch {
      socket.close()
      return null
    }
  }

  #send(socket: Socket, family: Family, own: Interface, packet: Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      try {
        socket.setMulticastInterface(multicastInterface(own))
        // A packet that an interface does not take is asked for on the others.
        socket.send(packet, this.#port, GROUP[family], () => resolve())
      } catch {
        resolve()
      }
    })
  }

  #receive(bytes: Buffer, { address, port }: RemoteInfo): void {
    // A query; it may be the till's own.
    if (bytes.length >= 3 && ((bytes[2] ?? 0) & 0x80) === 0) return
    const sender = withoutScope(address)
    const own = this.#interfaces.find(({ subnet }) => subnet.check(sender, familyOf(sender)))
    const isAllowed =
      // Responses come from the port of multicast DNS (RFC 6762, 6).
      port === this.#port &&
      own !== undefined &&
      bytes.length <= MAX_PACKET_BYTES &&
      this.#isWithinLimits(sender, Math.max(bytes.length, MIN_COUNTED_BYTES))
    const records = isAllowed ? decodeRecords(bytes) : null
    if (own === undefined || records === null) {
      this.#options.onRefused()
      return
    }
    this.#options.onResponse({
      records,
      sender,
      localAddress: (announced) => this.#localAddress(announced, own)
    })
  }

  #isWithinLimits(sender: string, bytes: number): boolean {
    const second = Math.floor(performance.now() / 1000)
    if (second !== this.#second) {
      this.#second = second
      this.#bytes = 0
      this.#bytesOfSender.clear()
    }
    const all = this.#bytes + bytes
    const ofSender = (this.#bytesOfSender.get(sender) ?? 0) + bytes
    if (all > MAX_BYTES || ofSender > MAX_BYTES_PER_SENDER) return false
    this.#bytes = all
    this.#bytesOfSender.set(sender, ofSender)
    return true
  }

  /** `own` is the interface of the sender: an address of another subnet, or of this machine's loopback, is not its. */
  #localAddress(address: string, { name }: Interface): string | null {
    const family = familyOf(address)
    const own = this.#interfaces.find((each) => each.name === name && each.subnet.check(address, family))
    if (own === undefined) return null
    const needsScope = own.info.family === 'IPv6' && own.info.scopeid !== 0
    // The usual spelling of an IPv6 address (RFC 5952).
    const usual = new SocketAddress({ address, family }).address
    return needsScope ? `${usual}${multicastInterface(own).slice(2)}` : usual
  }
}
