/** `business add|list|set`: what a business says of itself. */
import { readFileSync } from 'node:fs'
import { isSupportedCountry } from 'libphonenumber-js/min'
import {
  CODE_VALIDITY_DAYS,
  COLLECT_PAUSE_MINUTES,
  CREDIT_LIMIT,
  REVERSAL_MINUTES,
  DEFAULT_CODE_VALIDITY_DAYS,
  EMPTY_PROFILE,
  isTimeZoneName,
  type NewBusiness,
  type StoredBusiness
} from '../domain/businesses.ts'
import { MAX_LOGO_BYTES, parseLogo, type Logo } from '../domain/logos.ts'
import { currentZoneName, zonesOf } from '../domain/country-zones.ts'
import { newIdentifier, systemRandomBytes } from '../domain/identifiers.ts'
import { BusinessStore } from '../store/businesses.ts'
import { LogoStore } from '../store/logos.ts'
import { InvalidArgumentsError, type CommandInput, type ShopCommand } from './command.ts'
import { businessOf, businessOption, wholeNumber } from './options.ts'

const namedZone = (text: string): string => {
  if (isTimeZoneName(text)) return text
  throw new InvalidArgumentsError(`--time-zone must be a name such as Europe/Athens, not "${text}"`)
}

/** The zone of a shop in a country: the one that is given, or kept where it is the country's, or the only one there is. */
const zoneIn = (country: string, given: string | undefined, kept: string): string => {
  if (given !== undefined) return namedZone(given)
  const zones = zonesOf(country)
  if (zones.includes(currentZoneName(kept))) return kept
  const [only] = zones
  if (only !== undefined && zones.length === 1) return only
  throw new InvalidArgumentsError(
    `${country} has several time zones: name one with --time-zone, such as ${zones.join(', ')}`
  )
}

const country = (text: string): string => {
  const code = text.trim().toUpperCase()
  if (isSupportedCountry(code)) return code
  throw new InvalidArgumentsError(
    `--country must be the two letters of a country (ISO 3166), such as GR, not "${text}"`
  )
}

const businessLine = ({ id, name, timeZone, customers, codeValidityDays }: StoredBusiness): string =>
  `${id}  ${name}  ${timeZone}  ${customers} customers  codes valid for ${codeValidityDays} days`

const publicBusiness = (business: StoredBusiness) => ({ ...business, key: undefined })

const profileOptions = {
  name: { value: 'NAME', text: 'name of the business' },
  'time-zone': { value: 'ZONE', text: 'such as Europe/Athens; not needed where the country has one' },
  street: { value: 'TEXT', text: 'address' },
  city: { value: 'TEXT', text: 'address' },
  state: { value: 'TEXT', text: 'address' },
  country: { value: 'CODE', text: 'two letters (ISO 3166), such as GR: address, and how phones are read' },
  'zip-code': { value: 'TEXT', text: 'address' },
  'code-days': {
    value: 'DAYS',
    text: `days that a new code can be collected (at first ${DEFAULT_CODE_VALIDITY_DAYS})`
  },
  'collect-minutes': {
    value: 'MINUTES',
    text: 'shortest time between two collects of a customer; 0, as at first, for none'
  },
  'reversal-minutes': {
    value: 'MINUTES',
    text: 'how long a till may undo a redemption or a credit (at first 60)'
  },
  'credit-limit': {
    value: 'POINTS',
    text: 'points that a till may credit on a day; 0, as at first, for any number'
  },
  'credit-approval-limit': {
    value: 'POINTS',
    text: 'those above which a manager approves each credit at the till; 0, as at first, for none'
  }
}

/** The profile of a business with the options that are given. */
const withOptions = <Profile extends Omit<NewBusiness, 'id' | 'createdAt'>>(
  profile: Profile,
  { option }: CommandInput
): Profile => {
  const { address } = profile
  const days = option('code-days')
  const pause = option('collect-minutes')
  const reversal = option('reversal-minutes')
  const creditLimit = (
    name: 'credit-limit' | 'credit-approval-limit',
    kept: number | null
  ): number | null => {
    const limit = option(name)
    return limit === undefined ? kept : wholeNumber(`--${name}`, limit, ...CREDIT_LIMIT) || null
  }
  const zone = option('time-zone')
  const countryText = option('country')
  const place = countryText === undefined ? address.country : country(countryText)
  return {
    ...profile,
    name: option('name')?.trim() ?? profile.name,
    timeZone:
      countryText === undefined && zone === undefined
        ? profile.timeZone
        : zoneIn(place, zone, profile.timeZone),
    codeValidityDays:
      days === undefined ? profile.codeValidityDays : wholeNumber('--code-days', days, ...CODE_VALIDITY_DAYS),
    collectPauseMinutes:
      pause === undefined
        ? profile.collectPauseMinutes
        : wholeNumber('--collect-minutes', pause, ...COLLECT_PAUSE_MINUTES),
    reversalMinutes:
      reversal === undefined
        ? profile.reversalMinutes
        : wholeNumber('--reversal-minutes', reversal, ...REVERSAL_MINUTES),
    creditLimit: creditLimit('credit-limit', profile.creditLimit),
    creditApprovalLimit: creditLimit('credit-approval-limit', profile.creditApprovalLimit),
    address: {
      street: option('street') ?? address.street,
      city: option('city') ?? address.city,
      state: option('state') ?? address.state,
      country: place,
      zipCode: option('zip-code') ?? address.zipCode
    }
  }
}

const LOGO_OPTION = {
  value: 'FILE',
  text: `PNG or JPEG of at most ${MAX_LOGO_BYTES / 1024} kB for slips, tills and pages; none removes it`
}

/** The logo in a file; null for the word none, undefined without the option. Throws for a file that is no logo. */
const logoOf = async (file: string | undefined): Promise<Logo | null | undefined> => {
  if (file === undefined) return undefined
  if (file === 'none') return null
  let bytes: Uint8Array
  try {
    bytes = readFileSync(file)
  } catch {
    throw new InvalidArgumentsError(`--logo: ${file} cannot be read`)
  }
  return parseLogo(bytes)
}

export const businessCommands: readonly ShopCommand[] = [
  {
    name: 'business add',
    summary: 'Adds a business.',
    options: {
      ...profileOptions,
      name: { ...profileOptions.name, isRequired: true },
      country: { ...profileOptions.country, isRequired: true }
    },
    run: async (input) => {
      const businesses = new BusinessStore(input.database)
      const id = newIdentifier('usr', systemRandomBytes)
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
    options: { ...businessOption, ...profileOptions, logo: LOGO_OPTION },
    run: async (input) => {
      const changed = withOptions(await businessOf(input), input)
      if (changed.name === '') throw new InvalidArgumentsError('--name must not be empty')
      const logo = await logoOf(input.option('logo'))
      await input.database.transaction(async (queries) => {
        await new BusinessStore(queries).update(changed)
        if (logo !== undefined) await new LogoStore(queries).set(changed.key, logo)
      })
      return { text: businessLine(changed), json: publicBusiness(changed) }
    }
  }
]
