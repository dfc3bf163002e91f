/** `doctor`: what keeps customers from collecting, in words. Changes nothing. */
import { randomBytes } from 'node:crypto'
import { Resolver as DnsResolver } from 'node:dns/promises'
import { identityOf } from '../../api/identity.ts'
import { hostOf } from '../../domain/addresses.ts'
import type { StoredBusiness } from '../../domain/businesses.ts'
import { BusinessStore } from '../../store/businesses.ts'
import type { Database } from '../../store/database.ts'
import { PublicAddress } from '../../store/public-address.ts'
import { PLACE_OPTIONS, placeOf, type CommandArguments, type ShopCommand } from '../command.ts'
import { wholeNumber } from '../options.ts'
import { backupsFolder, BACKUPS_OPTION, openPlace } from '../place.ts'
import { DEFAULT_PORT, SERVE_OPTIONS } from '../serve.ts'
import { addressFindings, resolveName, type Resolver } from './address.ts'
import { Inquiry } from './answers.ts'
import { backupReport, clockReport, diskReport, entryClockReport } from './machine.ts'
import { portReport, publicReport } from './reach.ts'
import { finding, joined, notSeen, diagnosisText, right, type Diagnosis } from './diagnosis.ts'
import { zonesReport } from './zones.ts'

const businessesReport = (businesses: readonly StoredBusiness[]): Diagnosis => {
  if (businesses.length === 0) {
    return finding('There is no business yet. Open the link that serve prints, or see business add --help.')
  }
  return joined(
    businesses
      .filter(({ address }) => !/^[A-Z]{2}$/.test(address.country))
      .map(({ id, name }) =>
        finding(
          `${name} has no country, so customers have to type their country code: business set --business ${id} --country GR`
        )
      )
  )
}

/** What the data say, and what this shop's service answers to a challenge. */
const dataReport = async (
  database: Database,
  now: Date
): Promise<{
  readonly report: Diagnosis
  readonly businesses: readonly StoredBusiness[]
  /** the address that serve was given; null if there is none */
  readonly publicUrl: string | null
}> => {
  const businesses = await new BusinessStore(database).list()
  const reports = [
    right('The database answers.'),
    businessesReport(businesses),
    await entryClockReport(database, now)
  ]
  return { report: joined(reports), businesses, publicUrl: await new PublicAddress(database).read() }
}

const pathReport = async (
  inquiry: Inquiry,
  resolver: Resolver,
  publicUrl: string | undefined,
  now: Date
): Promise<Diagnosis> => {
  const findings = joined(addressFindings(publicUrl).map(finding))
  if (publicUrl === undefined || !URL.canParse(publicUrl)) return findings
  const url = new URL(publicUrl)
  const { addresses, report } = await resolveName(hostOf(url), resolver)
  if (addresses.length === 0) {
    return joined([findings, report, notSeen(`What answers at ${url.host}: its name leads nowhere.`)])
  }
  return joined([findings, report, await publicReport(inquiry, url, addresses, now)])
}

const ownPortReport = (inquiry: Inquiry, { option }: CommandArguments): Promise<Diagnosis> => {
  const port = wholeNumber('--port', option('port') ?? DEFAULT_PORT, 0, 65_535)
  if (port === 0) return Promise.resolve(notSeen('The port of the service: any free one was asked for.'))
  const isTls = option('tls-cert') !== undefined
  return portReport(inquiry, { address: option('listen') ?? '127.0.0.1', port, isTls })
}

const folderReport = async (folder: string, backups: string, now: Date): Promise<Diagnosis> =>
  joined([await diskReport(folder), backupReport(backups, now)])

const reportOf = async (input: CommandArguments, resolver: Resolver): Promise<Diagnosis> => {
  const { option, now } = input
  const place = placeOf('doctor', input)
  const challenge = randomBytes(16).toString('hex')
  const database = await openPlace(place).catch((error: unknown) =>
    error instanceof Error ? error.message : String(error)
  )
  try {
    const data = typeof database === 'string' ? null : await dataReport(database, now())
    const identity = typeof database === 'string' ? null : await identityOf(database, challenge)
    const inquiry = new Inquiry(challenge, identity)
    const reports = [
      ...(typeof database === 'string' ? [finding(database)] : []),
      ...(data === null ? [] : [data.report]),
      await pathReport(inquiry, resolver, option('public-url') ?? data?.publicUrl ?? undefined, now()),
      await ownPortReport(inquiry, input),
      await clockReport(option('clock'), now),
      ...(data === null
        ? []
        : [
            await zonesReport(
              data.businesses.map(({ timeZone }) => timeZone),
              now()
            )
          ])
    ]
    if (!('folder' in place)) reports.push(notSeen('The disks and the backups of the database server.'))
    else if (typeof database !== 'string') {
      reports.push(await folderReport(place.folder, option('backups') ?? backupsFolder(place.folder), now()))
    }
    return joined(reports)
  } finally {
    if (typeof database !== 'string') await database.close()
  }
}

/** A DNS server that is there answers within it. */
const DNS_LIMITS = { timeout: 3000, tries: 2 }

/** Creates the command. @param resolver asks the DNS servers of this machine unless given */
export const createDoctorCommand = (resolver: Resolver = new DnsResolver(DNS_LIMITS)): ShopCommand => ({
  name: 'doctor',
  summary: 'Says what keeps customers from collecting; exits with 1 if there is something.',
  opensItself: true,
  options: {
    ...PLACE_OPTIONS,
    ...SERVE_OPTIONS,
    backups: BACKUPS_OPTION,
    clock: { value: 'URL', text: 'of a web server whose clock is right' }
  },
  run: async (input) => {
    const report = await reportOf(input, resolver)
    return {
      text: diagnosisText(report),
      json: report,
      exitCode: report.findings.length === 0 ? 0 : 1
    }
  }
})
