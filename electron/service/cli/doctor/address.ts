/** The public address as a text, and where its name leads. */
import { BlockList, isIP } from 'node:net'
import type { Resolver as DnsResolver } from 'node:dns/promises'
import { networkInterfaces } from 'node:os'
import { hostOf, isLoopback } from '../../domain/addresses.ts'
import { finding, joined, notSeen, reasonOf, right, type Diagnosis } from './diagnosis.ts'

/** What asks the DNS servers. */
export type Resolver = Pick<DnsResolver, 'resolve4' | 'resolve6'>

/** Addresses that only machines of one network reach (RFC 1918, 4193, 3927, 4291, 6598). */
const PRIVATE_NETWORKS = new BlockList()
for (const [network, prefix] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10]
] as const)
  PRIVATE_NETWORKS.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of [
  ['fc00::', 7],
  ['fe80::', 10]
] as const)
  PRIVATE_NETWORKS.addSubnet(network, prefix, 'ipv6')

/** Names that are resolved in a local network only (RFC 6762, 8375), and names without a dot. */
const isLocalName = (host: string): boolean =>
  !host.includes('.') || /\.(?:local|lan|internal|home\.arpa)$/.test(host)

const isPrivate = (host: string): boolean => {
  const version = isIP(host)
  return version === 0 ? isLocalName(host) : PRIVATE_NETWORKS.check(host, version === 4 ? 'ipv4' : 'ipv6')
}

/** Returns whether an IP address is one of this machine. */
export const isOwnAddress = (address: string): boolean =>
  isLoopback(address) ||
  Object.values(networkInterfaces()).some((network) => network?.some((own) => own.address === address))

const NEEDED = 'Give serve and doctor --public-url with the name of this machine'

/** What is wrong with the address that the codes of slips begin with, whatever it leads to. */
export const addressFindings = (publicUrl: string | undefined): readonly string[] => {
  if (publicUrl === undefined) {
    return ['No --public-url: name the one that serve is given, or slips lead to this machine only.']
  }
  if (!URL.canParse(publicUrl)) return [`The public address ${publicUrl} cannot be read. ${NEEDED}.`]
  const url = new URL(publicUrl)
  const host = hostOf(url)
  const findings: string[] = []
  if (isLoopback(host)) {
    findings.push(`The public address ${publicUrl} is this machine: no phone reaches it. ${NEEDED}.`)
  } else if (isPrivate(host)) {
    findings.push(
      `The public address ${publicUrl} is inside a network: only phones in the shop's Wi-Fi reach it. Use a public name.`
    )
  }
  if (url.protocol !== 'https:') {
    findings.push(
      `The public address ${publicUrl} has no TLS: phones warn, and their cookies are not kept. Put Caddy before it.`
    )
  }
  return findings
}

/** The DNS servers know no such name, or none of its addresses. */
const UNKNOWN = new Set(['ENOTFOUND', 'ENODATA'])

const leadsTo = (host: string, address: string): Diagnosis => {
  if (isLoopback(address) || isPrivate(address)) {
    return finding(
      `The name ${host} leads to ${address}, which phones do not reach. Enter the public address of this machine or its router at the provider of the name.`
    )
  }
  return right(
    `The name ${host} leads to ${address}, ${isOwnAddress(address) ? 'an address of this machine' : 'no address of this machine, such as a router’s'}.`
  )
}

/**
 * Asks the DNS servers, not this machine's own list of names, which phones do not have. Returns the addresses of a name, and
 * what is to be said of them.
 */
export const resolveName = async (
  host: string,
  resolver: Resolver
): Promise<{ readonly addresses: readonly string[]; readonly report: Diagnosis }> => {
  if (isIP(host) !== 0) return { addresses: [host], report: joined([]) }
  if (isLoopback(host)) return { addresses: ['127.0.0.1'], report: joined([]) }
  if (isLocalName(host)) {
    return { addresses: [], report: notSeen(`Where the name ${host} leads: no DNS server knows such names.`) }
  }
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (addresses.length > 0) {
    return { addresses, report: joined(addresses.map((address) => leadsTo(host, address))) }
  }
  const reasons = answers.flatMap((answer) => (answer.status === 'rejected' ? [reasonOf(answer.reason)] : []))
  const unanswered = reasons.find((reason) => !UNKNOWN.has(reason))
  return {
    addresses,
    report:
      unanswered === undefined
        ? finding(
            `The name ${host} leads nowhere: no phone finds this machine. Enter its public address (A, AAAA) at the provider of the name.`
          )
        : notSeen(
            `Where the name ${host} leads: the DNS server does not answer (${unanswered}). Look at /etc/resolv.conf.`
          )
  }
}
