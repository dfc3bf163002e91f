/** `doctor`: what keeps customers from collecting, in words. Reads only, and asks no other machine. */
import { statfs } from 'node:fs/promises'
import { BlockList, isIP } from 'node:net'
import * as v from 'valibot'
import { BusinessStore } from '../store/businesses.ts'
import type { Database } from '../store/database.ts'
import type { CommandInput, ShopCommand } from './command.ts'
import { backupsFolder, BACKUPS_OPTION, newestBackup } from './place.ts'

/** Below this the next backup or a busy day may fill the disk. */
const MIN_FREE_BYTES = 500 * 1024 * 1024
const MAX_BACKUP_AGE_HOURS = 48
/** What the clock may be behind the newest entry. */
const CLOCK_TOLERANCE_MS = 60_000

const HOUR_MS = 3_600_000

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

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host.endsWith('.localhost') || /^127\.\d+\.\d+\.\d+$/.test(host)

/** Names that are resolved in a local network only (RFC 6762, 8375), and names without a dot. */
const isLocalName = (host: string): boolean =>
  !host.includes('.') || /\.(?:local|lan|internal|home\.arpa)$/.test(host)

const isPrivate = (host: string): boolean => {
  const version = isIP(host)
  return version === 0 ? isLocalName(host) : PRIVATE_NETWORKS.check(host, version === 4 ? 'ipv4' : 'ipv6')
}

/** What is wrong with the address that the codes of slips begin with. */
export const addressFindings = (publicUrl: string | undefined): readonly string[] => {
  if (publicUrl === undefined) {
    return ['No --public-url: name the one that serve is given, or slips lead to this machine only.']
  }
  if (!URL.canParse(publicUrl)) return [`The public address ${publicUrl} cannot be read.`]
  const { protocol, hostname } = new URL(publicUrl)
  const host = hostname.replace(/^\[|\]$/g, '')
  const findings: string[] = []
  if (isLoopback(host)) findings.push(`The public address ${publicUrl} is this machine: no phone reaches it.`)
  else if (isPrivate(host)) {
    findings.push(
      `The public address ${publicUrl} is inside a network: only phones in the shop's Wi-Fi reach it.`
    )
  }
  if (protocol !== 'https:') {
    findings.push(`The public address ${publicUrl} has no TLS: phones warn, and their cookies are not kept.`)
  }
  return findings
}

const newestRow = v.object({ at: v.nullable(v.string()) })

const clockFindings = async (database: Database, now: Date): Promise<readonly string[]> => {
  const [row] = await database.read(
    'SELECT max(at) AS at FROM (SELECT max(at) AS at FROM entries UNION ALL SELECT max(created_at) FROM codes) AS newest'
  )
  const { at } = v.parse(newestRow, row)
  if (at === null) return []
  const behind = new Date(at).getTime() - now.getTime()
  if (behind <= CLOCK_TOLERANCE_MS) return []
  const minutes = Math.round(behind / 60_000)
  return [`The clock is ${minutes} minutes behind the newest entry: codes expire too late, or too early.`]
}

const diskFindings = async (folder: string): Promise<readonly string[]> => {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  if (free >= MIN_FREE_BYTES) return []
  return [`The disk of ${folder} has ${Math.round(free / 1024 / 1024)} MB left.`]
}

const backupFindings = (folder: string, now: Date): readonly string[] => {
  const newest = newestBackup(folder)
  if (newest === null) return [`There is no backup in ${folder} (see backup --help).`]
  const hours = Math.floor((now.getTime() - newest) / HOUR_MS)
  return hours < MAX_BACKUP_AGE_HOURS ? [] : [`The newest backup in ${folder} is ${hours} hours old.`]
}

const businessFindings = async (database: Database): Promise<readonly string[]> => {
  const businesses = await new BusinessStore(database).list()
  if (businesses.length === 0) return ['There is no business yet (see business add --help).']
  return businesses
    .filter(({ address }) => !/^[A-Z]{2}$/.test(address.country))
    .map(
      ({ id, name }) =>
        `${name} has no country, so customers have to type their country code: business set --business ${id} --country GR`
    )
}

const findingsOf = async ({ database, option, now }: CommandInput): Promise<readonly string[]> => {
  const folder = option('data')
  return [
    ...(await businessFindings(database)),
    ...addressFindings(option('public-url')),
    ...(await clockFindings(database, now())),
    // A database server has its own disks and its own backups.
    ...(folder === undefined
      ? []
      : [
          ...(await diskFindings(folder)),
          ...backupFindings(option('backups') ?? backupsFolder(folder), now())
        ])
  ]
}

export const doctorCommand: ShopCommand = {
  name: 'doctor',
  summary: 'Says what keeps customers from collecting; exits with 1 if there is something.',
  options: {
    'public-url': { value: 'URL', text: 'the one that serve is given' },
    backups: BACKUPS_OPTION
  },
  run: async (input) => {
    const findings = await findingsOf(input)
    return {
      text: findings.length === 0 ? 'Nothing found.' : findings.map((finding) => `- ${finding}`).join('\n'),
      json: { findings },
      exitCode: findings.length === 0 ? 0 : 1
    }
  }
}
