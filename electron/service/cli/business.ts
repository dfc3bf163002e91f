/** `business add|list|set`: what a business says of itself. */
import { DEFAULT_CODE_VALIDITY_DAYS, type StoredBusiness } from '../domain/businesses.ts'
import { newIdentifier, systemRandomBytes } from '../domain/identifiers.ts'
import { BusinessStore } from '../store/businesses.ts'
import { InvalidArgumentsError, type CommandInput, type ShopCommand } from './command.ts'
import { businessOf, businessOption, wholeNumber } from './options.ts'

const timeZone = (text: string): string => {
  if (Intl.supportedValuesOf('timeZone').includes(text) || text === 'UTC') return text
  throw new InvalidArgumentsError(`--time-zone must be a name such as Europe/Athens, not "${text}"`)
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

export const businessCommands: readonly ShopCommand[] = [
  {
    name: 'business add',
    summary: 'Adds a business.',
    options: { ...profileOptions, name: { ...profileOptions.name, isRequired: true } },
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
    options: { ...businessOption, ...profileOptions },
    run: async (input) => {
      const changed = withOptions(await businessOf(input), input)
      if (changed.name === '') throw new InvalidArgumentsError('--name must not be empty')
      await new BusinessStore(input.database).update(changed)
      return { text: businessLine(changed), json: publicBusiness(changed) }
    }
  }
]
