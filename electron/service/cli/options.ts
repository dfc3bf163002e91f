/** Options that several commands have. */
import type { StoredBusiness } from '../domain/businesses.ts'
import { Refusal } from '../domain/refusal.ts'
import { BusinessStore } from '../store/businesses.ts'
import { InvalidArgumentsError, type CommandInput } from './command.ts'

/** Who makes the changes of the command line, in the ledger. */
export const COMMAND_LINE = 'command line'

/** Parses a whole number from `min` to `max`. Throws an `InvalidArgumentsError` for anything else. */
export const wholeNumber = (name: string, text: string, min: number, max: number): number => {
  const value = /^-?\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw new InvalidArgumentsError(`${name} must be a whole number from ${min} to ${max}, not "${text}"`)
}

/** Returns how moments (ISO 8601) are shown to people: in the shop's time zone, in the form of the system's language. */
export const timeFormatOf = ({ timeZone }: StoredBusiness): ((at: string) => string) => {
  const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short', timeZone })
  // Some languages have a narrow space before AM, which terminals show badly.
  return (at) => format.format(new Date(at)).replaceAll('\u202f', ' ')
}

/** For commands that concern one business. */
export const businessOption = {
  business: { value: 'ID', text: 'the business; not needed if there is one only' }
}

/** The business that `--business` names, or the only one. Rejects if there is none, or none with this id. */
export const businessOf = async ({ database, option }: CommandInput): Promise<StoredBusiness> => {
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
