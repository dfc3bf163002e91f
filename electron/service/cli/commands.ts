/** The commands of a shop's own service. */
import { API_PREFIX, createServiceApp } from '../api/app.ts'
import { createPairingRoutes } from '../api/pairing.ts'
import { DEFAULT_CODE_VALIDITY_DAYS, type StoredBusiness } from '../domain/businesses.ts'
import { codeStatus, normalizeCode } from '../domain/codes.ts'
import { newIdentifier, systemRandomBytes } from '../domain/identifiers.ts'
import { formatPairingCode } from '../domain/pairing.ts'
import { Refusal } from '../domain/refusal.ts'
import { emitWarning } from '../index.ts'
import { listen } from '../server.ts'
import { BusinessStore } from '../store/businesses.ts'
import { CodeStore } from '../store/codes.ts'
import type { Database } from '../store/database.ts'
import { Identities, type CustomerExport } from '../store/identities.ts'
import { Ledger, type LedgerReceipt, type LedgerRequest } from '../store/ledger.ts'
import { PairingStore } from '../store/pairings.ts'
import { TillStore, type StoredTill } from '../store/tills.ts'
import { LEDGER_CHECKS, verifyLedger } from '../store/verify.ts'
import { InvalidArgumentsError, type ShopCommand, type CommandInput } from './command.ts'
import { closeOnSignal } from './process.ts'

const random = systemRandomBytes

/** Who makes the changes of the command line, in the ledger. */
const BY = 'command line'

const wholeNumber = (name: string, text: string, min: number, max: number): number => {
  const value = /^-?\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw new InvalidArgumentsError(`${name} must be a whole number from ${min} to ${max}, not "${text}"`)
}

const timeZone = (text: string): string => {
  if (Intl.supportedValuesOf('timeZone').includes(text) || text === 'UTC') return text
  throw new InvalidArgumentsError(`--time-zone must be a name such as Europe/Athens, not "${text}"`)
}

const businessOption = { business: { value: 'ID', text: 'the business; not needed if there is one only' } }

/** The business that `--business` names, or the only one. */
const businessOf = async ({ database, option }: CommandInput): Promise<StoredBusiness> => {
  const id = option('business')
  const businesses = await new BusinessStore(database).list()
  const [only] = businesses
  if (id !== undefined) {
    const named = businesses.find((business) => business.id === id)
    if (named === undefined)
      throw new Refusal('business-unknown', `There is no business ${id} (see business list).`)
    return named
  }
  if (only === undefined)
    throw new Refusal('business-unknown', 'There is no business yet (see business add --help).')
  if (businesses.length > 1) {
    throw new InvalidArgumentsError(
      'There are several businesses: name one with --business ID (see business list)'
    )
  }
  return only
}

const businessLine = ({ id, name, timeZone, customers, codeValidityDays }: StoredBusiness): string =>
  `${id}  ${name}  ${timeZone}  ${customers} customers  codes valid for ${codeValidityDays} days`

const publicBusiness = (business: StoredBusiness) => ({ ...business, key: undefined })

const profileOptions = {
  name: { value: 'NAME', text: 'name of the business' },
  'time-zone': { value: 'ZONE', text: 'time zone, such as Europe/Athens' },
  street: { value: 'TEXT', text: 'address' },
  city: { value: 'TEXT', text: 'address' },
  state: { value: 'TEXT', text: 'address' },
  country: { value: 'TEXT', text: 'address' },
  'zip-code': { value: 'TEXT', text: 'address' },
  'code-days': {
    value: 'DAYS',
    text: `days that a new code can be collected (at first ${DEFAULT_CODE_VALIDITY_DAYS})`
  }
}

/** The profile of a business with the options that are given. */
const withOptions = <Profile extends Omit<StoredBusiness, 'id' | 'key' | 'customers' | 'createdAt'>>(
  profile: Profile,
  { option }: CommandInput
): Profile => {
  const { address } = profile
  const days = option('code-days')
  const zone = option('time-zone')
  return {
    ...profile,
    name: option('name')?.trim() ?? profile.name,
    timeZone: zone === undefined ? profile.timeZone : timeZone(zone),
    codeValidityDays:
      days === undefined ? profile.codeValidityDays : wholeNumber('--code-days', days, 1, 3650),
    address: {
      street: option('street') ?? address.street,
      city: option('city') ?? address.city,
      state: option('state') ?? address.state,
      country: option('country') ?? address.country,
      zipCode: option('zip-code') ?? address.zipCode
    }
  }
}

const EMPTY_PROFILE = {
  name: '',
  timeZone: 'UTC',
  currentPlan: 'Own service',
  currentPlanInterval: '',
  address: { street: '', city: '', state: '', country: '', zipCode: '' },
  codeValidityDays: DEFAULT_CODE_VALIDITY_DAYS
}

const businessCommands: readonly ShopCommand[] = [
  {
    name: 'business add',
    summary: 'Adds a business.',
    options: { ...profileOptions, name: { ...profileOptions.name, isRequired: true } },
    run: async (input) => {
      const businesses = new BusinessStore(input.database)
      const id = newIdentifier('usr', random)
      const profile = withOptions(EMPTY_PROFILE, input)
      if (profile.name === '') throw new InvalidArgumentsError('--name must not be empty')
      await businesses.add({ ...profile, id, createdAt: input.now().toISOString() })
      return { text: `Added ${profile.name}: ${id}. Next: till pair --name "Till 1"`, json: { id } }
    }
  },
  {
    name: 'business list',
    summary: 'Lists the businesses.',
    run: async ({ database }) => {
      const businesses = await new BusinessStore(database).list()
      return {
        text: businesses.map(businessLine).join('\n') || 'No businesses yet.',
        json: businesses.map(publicBusiness)
      }
    }
  },
  {
    name: 'business set',
    summary: 'Changes what is given of a business.',
    options: { ...businessOption, ...profileOptions },
    run: async (input) => {
      const changed = withOptions(await businessOf(input), input)
      if (changed.name === '') throw new InvalidArgumentsError('--name must not be empty')
      await new BusinessStore(input.database).update(changed)
      return { text: businessLine(changed), json: publicBusiness(changed) }
    }
  }
]

const tillLine = ({ id, name, createdAt, lastUsedAt, revokedAt }: StoredTill): string =>
  `${id}  ${name}  paired ${createdAt}  ` +
  (revokedAt === null ? `last used ${lastUsedAt ?? 'never'}` : `revoked ${revokedAt}`)

const tillCommands: readonly ShopCommand[] = [
  {
    name: 'till pair',
    summary: 'Shows a code that gives one till access, once within ten minutes.',
    options: { ...businessOption, name: { value: 'NAME', text: 'name of the till', isRequired: true } },
    run: async (input) => {
      const { key } = await businessOf(input)
      const name = input.required('name').trim()
      if (name === '') throw new InvalidArgumentsError('--name must not be empty')
      const { database, now } = input
      const { code, expiresAt } = await new PairingStore({ database, now, random }).add(key, name)
      const shown = formatPairingCode(code)
      return { text: `${shown}  valid until ${expiresAt}`, json: { code: shown, expiresAt } }
    }
  },
  {
    name: 'till list',
    summary: 'Lists the tills with their last use.',
    options: businessOption,
    run: async (input) => {
      const tills = await new TillStore(input.database).list((await businessOf(input)).key)
      const json = tills.map((till) => ({ ...till, business: undefined }))
      return { text: tills.map(tillLine).join('\n') || 'No tills yet.', json }
    }
  },
  {
    name: 'till revoke',
    summary: 'Ends the access of a till for good.',
    args: ['TILL'],
    options: businessOption,
    run: async (input) => {
      const id = input.required('TILL')
      const tills = new TillStore(input.database)
      const till = (await tills.list((await businessOf(input)).key)).find((listed) => listed.id === id)
      if (till === undefined) throw new Refusal('till-unknown', `There is no till ${id} (see till list).`)
      await tills.revoke(id, input.now().toISOString())
      return { text: `${till.name} has no access any more.`, json: { id } }
    }
  }
]

/** The customer of a command: the business's, and who changes the points. */
const ledgerRequest = async (input: CommandInput): Promise<LedgerRequest> => ({
  business: (await businessOf(input)).key,
  customer: input.required('CUSTOMER'),
  by: BY
})

const ledgerOf = ({ database, now }: CommandInput): Ledger => new Ledger({ database, now, random })

const receipt = (received: LedgerReceipt) => ({
  text: `${received.entry.kind} ${received.entry.points} points (${received.entry.id}); the balance is ${received.balance}.`,
  json: received
})

const exportText = ({ customer, merged, entries }: CustomerExport): string =>
  [
    `${customer.id}  ${customer.name}  ${customer.phone}  ${customer.email ?? ''}`,
    `balance ${customer.balance}, lifetime points ${customer.lifetimePoints}`,
    ...merged.map(({ id, name, phone }) => `merged: ${id}  ${name}  ${phone ?? ''}`),
    ...entries.map(({ id, at, kind, points, code, reward, reason, reverses }) =>
      [at, kind, points, code ?? reward ?? reverses ?? '', reason ?? '', id].join('  ')
    )
  ].join('\n')

const exported = async (input: CommandInput): Promise<CustomerExport> => {
  const identities = new Identities(input.database, input.now)
  const found = await identities.export((await businessOf(input)).key, input.required('CUSTOMER'))
  if (found === null) throw new Refusal('customer-unknown', 'There is no such customer.')
  return found
}

const CUSTOMER = ['CUSTOMER']

const customerCommands: readonly ShopCommand[] = [
  {
    name: 'customer show',
    summary: 'Shows a customer (by id) and every entry of the ledger.',
    args: CUSTOMER,
    options: businessOption,
    run: async (input) => {
      const json = await exported(input)
      return { text: exportText(json), json }
    }
  },
  {
    name: 'customer export',
    summary: 'Prints all that is kept of a customer, as JSON.',
    args: CUSTOMER,
    options: businessOption,
    run: async (input) => {
      const json = await exported(input)
      return { text: JSON.stringify(json, null, 2), json }
    }
  },
  {
    name: 'customer adjust',
    summary: 'Gives points to a customer, or takes them.',
    args: CUSTOMER,
    options: {
      ...businessOption,
      points: { value: 'N', text: 'points to give; --points=-N takes them', isRequired: true },
      reason: { value: 'TEXT', text: 'why, for the ledger; no names of people', isRequired: true }
    },
    run: async (input) => {
      const points = wholeNumber('--points', input.required('points'), -9_999_999, 9_999_999)
      const request = { ...(await ledgerRequest(input)), points, reason: input.required('reason') }
      return receipt(await ledgerOf(input).adjust(request))
    }
  },
  {
    name: 'customer reverse',
    summary: 'Takes back an entry of the ledger by an opposite one.',
    args: ['CUSTOMER', 'ENTRY'],
    options: {
      ...businessOption,
      reason: { value: 'TEXT', text: 'why, for the ledger; no names of people' }
    },
    run: async (input) => {
      const request = { ...(await ledgerRequest(input)), entry: input.required('ENTRY') }
      return receipt(await ledgerOf(input).reverse({ ...request, reason: input.option('reason') ?? null }))
    }
  },
  {
    name: 'customer redeem',
    summary: 'Takes the cost of a reward from a customer.',
    args: ['CUSTOMER', 'REWARD'],
    options: businessOption,
    run: async (input) => {
      const request = { ...(await ledgerRequest(input)), reward: input.required('REWARD') }
      return receipt(await ledgerOf(input).redeem(request))
    }
  },
  {
    name: 'customer merge',
    summary: 'Joins the second customer to the first: one person, one balance.',
    args: ['CUSTOMER', 'MERGED'],
    options: businessOption,
    run: async (input) => {
      const { key } = await businessOf(input)
      const identities = new Identities(input.database, input.now)
      await identities.merge(key, input.required('CUSTOMER'), input.required('MERGED'))
      const json = await exported(input)
      return { text: `Joined; the balance is ${json.customer.balance}.`, json }
    }
  },
  {
    name: 'customer erase',
    summary: 'Blanks name, phone and e-mail of a customer for good; the entries stay.',
    args: CUSTOMER,
    options: businessOption,
    run: async (input) => {
      const id = input.required('CUSTOMER')
      await new Identities(input.database, input.now).erase((await businessOf(input)).key, id)
      return { text: `Erased ${id}.`, json: { id } }
    }
  }
]

/** The code of a command, as stored. */
const codeOf = async (input: CommandInput) => {
  const { key } = await businessOf(input)
  const stored = await new CodeStore(input.database).find(key, normalizeCode(input.required('CODE')))
  if (stored === null) throw new Refusal('code-unknown', 'There is no such code.')
  return { key, stored, status: codeStatus(stored, input.now()) }
}

const codeCommands: readonly ShopCommand[] = [
  {
    name: 'code show',
    summary: 'Shows the points and the state of a code.',
    args: ['CODE'],
    options: businessOption,
    run: async (input) => {
      const { stored, status } = await codeOf(input)
      const since = {
        used: stored.usedAt,
        cancelled: stored.cancelledAt,
        expired: stored.expiresAt,
        active: null
      }
      const text = `${stored.code}  ${stored.points} points  ${status} ${since[status] ?? `until ${stored.expiresAt}`}`
      return { text, json: { ...stored, status } }
    }
  },
  {
    name: 'code cancel',
    summary: 'Makes an unused code worthless.',
    args: ['CODE'],
    options: businessOption,
    run: async (input) => {
      const { key, stored } = await codeOf(input)
      const isCancelled = await new CodeStore(input.database).cancel(
        key,
        stored.code,
        input.now().toISOString()
      )
      if (!isCancelled)
        throw new Refusal('code-used', 'This code has been collected; reverse its entry instead.')
      return { text: `Cancelled ${stored.code}.`, json: { code: stored.code } }
    }
  }
]

const serveDatabase = (database: Database, port: number, publicUrl: string | undefined) =>
  listen({
    port,
    ownsProcess: true,
    openService: (origin) => {
      const shared = { database, now: () => new Date(), random }
      const ownOrigin = publicUrl ?? origin
      const app = createServiceApp({
        ...shared,
        publicUrl: ownOrigin,
        isSample: false,
        shopRoutes: createPairingRoutes(shared, ownOrigin + API_PREFIX),
        isExpired: () => false,
        onInternalError: emitWarning
      })
      return Promise.resolve({ fetch: (request) => app.fetch(request), close: () => database.close() })
    }
  })

const parsePublicUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin
  throw new InvalidArgumentsError(`--public-url must read https://points.example.com, not "${text}"`)
}

const serviceCommands: readonly ShopCommand[] = [
  {
    name: 'init',
    summary: 'Makes the folder and the database of a new service.',
    createsDatabase: true,
    run: () => Promise.resolve({ text: 'The service is ready. Next: business add --name NAME', json: {} })
  },
  {
    name: 'serve',
    summary: 'Serves the businesses over HTTP on this machine (127.0.0.1).',
    options: {
      port: { value: 'PORT', text: 'port to listen on, 0 for any free port (default 4010)' },
      'public-url': {
        value: 'URL',
        text: 'origin by which customers reach the service, for the codes on slips'
      }
    },
    run: async ({ database, option }) => {
      const port = wholeNumber('--port', option('port') ?? '4010', 0, 65_535)
      const publicUrl = option('public-url')
      const server = await serveDatabase(
        database,
        port,
        publicUrl === undefined ? undefined : parsePublicUrl(publicUrl)
      )
      closeOnSignal(server)
      return { text: `listening on ${server.url}`, json: { url: server.url }, isServing: true }
    }
  },
  {
    name: 'verify',
    summary: 'Proves that every balance is the sum of its entries; exits with 1 otherwise.',
    run: async ({ database }) => {
      const faults = await verifyLedger(database)
      const lines = faults.map(
        ({ check, records, examples }) =>
          `wrong: ${check}: ${records} records, such as ${examples.join(', ')}`
      )
      const text = faults.length === 0 ? LEDGER_CHECKS.map((check) => `right: ${check}`) : lines
      return { text: text.join('\n'), json: { faults }, exitCode: faults.length === 0 ? 0 : 1 }
    }
  }
]

/** In the order of the help. */
export const SHOP_COMMANDS: readonly ShopCommand[] = [
  ...serviceCommands,
  ...businessCommands,
  ...tillCommands,
  ...customerCommands,
  ...codeCommands
]
