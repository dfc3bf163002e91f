/** How far the host of a link is, read from the link alone: the names of hosts are not resolved. */
import { BlockList, isIP, isIPv4 } from 'node:net'

/** From near to far. */
export const REACH = { machine: 0, network: 1, internet: 2 } as const
export type Reach = (typeof REACH)[keyof typeof REACH]

type Subnet = readonly [network: string, prefix: number]

/** An IPv4 rule of a `BlockList` matches the address as IPv4-mapped IPv6, too. */
const listOf = (subnets: readonly Subnet[]): BlockList => {
  const list = new BlockList()
  for (const [network, prefix] of subnets) {
    list.addSubnet(network, prefix, isIPv4(network) ? 'ipv4' : 'ipv6')
  }
  return list
}

/** Loopback and unspecified addresses, and the prefixes of IPv6 that hold any IPv4 address (RFC 4291, 6052, 8215, 3056). */
const MACHINE = listOf([
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2002::', 16]
])

/** What else of IPv4 is not globally reachable (IANA's special-purpose address registry). */
const NETWORK_IPV4 = listOf([
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3]
])

/** All of IPv6 but 2000::/3, and what is not globally reachable of that. */
const NETWORK_IPV6 = listOf([
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['3fff::', 20]
])

/** Returns how far the host of a URL is. */
export function reachOf({ hostname }: URL): Reach {
  if (/^(.*\.)?localhost\.?$/.test(hostname)) return REACH.machine
  const address = hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(address) === 0) return REACH.internet
  const [family, network] = isIPv4(address)
    ? (['ipv4', NETWORK_IPV4] as const)
    : (['ipv6', NETWORK_IPV6] as const)
  if (MACHINE.check(address, family)) return REACH.machine
  return network.check(address, family) ? REACH.network : REACH.internet
}
