/** A device on loopback that announces printers by multicast DNS, as a printer in the network does. */
import dnsPacket, { type Answer, type DecodedPacket } from 'dns-packet'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { networkInterfaces } from 'node:os'
import { freePort, LOOPBACK } from './loopback.ts'

/** The group of multicast DNS over IPv4 (RFC 6762, 3). */
export const MDNS_GROUP = '224.0.0.251'

export interface AnnouncedPrinter {
  readonly label: string
  /** `.local` is added */
  readonly host: string
  readonly addresses: readonly string[]
  /** type without `.local`: `_ipp._tcp` */
  readonly services: readonly {
    readonly type: string
    readonly port: number
    readonly txt?: readonly string[]
  }[]
}

export interface MdnsResponder {
  readonly port: number
  /** Every query that was sent on loopback, in order. */
  readonly queries: readonly DecodedPacket[]
  announce(printers: readonly AnnouncedPrinter[]): void
  /** Sends a packet as a response, whether or not it is one. */
  send(packet: Uint8Array): Promise<void>
  stop(): Promise<void>
}

/** The network of tests: loopback alone, and a port beside the machine's own responder. */
export const loopbackNetwork = (port: number) => ({
  port,
  interfaces: () =>
    Object.fromEntries(
      Object.entries(networkInterfaces()).map(([name, infos = []]) => [
        name,
        infos.filter(({ internal }) => internal)
      ])
    )
})

/** The records of a printer: names, and in the additional section everything else. */
export function responseOf({ label, host, addresses, services }: AnnouncedPrinter): {
  readonly answers: Answer[]
  readonly additionals: Answer[]
} {
  const target = `${host}.local`
  const named = services.map((service) => ({
    ...service,
    type: `${service.type}.local`,
    name: `${label}.${service.type}.local`
  }))
  return {
    answers: named.map(({ type, name }) => ({ name: type, type: 'PTR', ttl: 4500, data: name })),
    additionals: [
      ...named.flatMap(({ name, port, txt = [] }): Answer[] => [
        { name, type: 'SRV', ttl: 120, data: { target, port } },
        { name, type: 'TXT', ttl: 4500, data: txt.map((entry) => Buffer.from(entry)) }
      ]),
      ...addresses.map((data): Answer => ({
        name: target,
        type: data.includes(':') ? 'AAAA' : 'A',
        ttl: 120,
        data
      }))
    ]
  }
}

/** Null for responses, and for the damaged packets of tests. */
function decodeQuery(bytes: Buffer): DecodedPacket | null {
  try {
    const packet = dnsPacket.decode(bytes)
    return packet.type === 'query' ? packet : null
  } catch {
    return null
  }
}

/**
 * Starts a responder without printers.
 * @param port that of the network; a free one by default
 * @param address a loopback address, from which its packets come
 */
export async function startMdnsResponder(port?: number, address = LOOPBACK): Promise<MdnsResponder> {
  const groupPort = port ?? (await freePort())
  const queries: DecodedPacket[] = []
  let printers: readonly AnnouncedPrinter[] = []
  // One socket hears the group, another one has the address as its sender.
  const listener = createSocket({ type: 'udp4', reuseAddr: true })
  const sender = createSocket({ type: 'udp4', reuseAddr: true })
  listener.bind(groupPort, MDNS_GROUP)
  sender.bind(groupPort, address)
  await Promise.all([once(listener, 'listening'), once(sender, 'listening')])
  listener.addMembership(MDNS_GROUP, LOOPBACK)
  sender.setMulticastInterface(LOOPBACK)

  const send = (packet: Uint8Array): Promise<void> =>
    new Promise((resolve, reject) => {
      sender.send(packet, groupPort, MDNS_GROUP, (error) => (error ? reject(error) : resolve()))
    })
  listener.on('message', (bytes) => {
    const packet = decodeQuery(bytes)
    if (packet === null) return
    queries.push(packet)
    const asked = new Set(packet.questions?.map(({ name }) => name))
    for (const printer of printers) {
      const { answers, additionals } = responseOf(printer)
      const wanted = answers.filter(({ name }) => asked.has(name))
      if (wanted.length > 0)
        void send(dnsPacket.encode({ type: 'response', id: 0, answers: wanted, additionals }))
    }
  })
  return {
    port: groupPort,
    queries,
    announce(next) {
      printers = next
    },
    send,
    async stop() {
      for (const socket of [listener, sender]) {
        socket.close()
        await once(socket, 'close')
      }
    }
  }
}
