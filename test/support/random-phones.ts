/** Random mobiles of a country, and how people write them. */
import * as fc from 'fast-check'
import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/max'
import metadata from 'libphonenumber-js/metadata.max.json' with { type: 'json' }
import * as v from 'valibot'

/** Countries of all sizes and regions; those of which a number may begin with the country's own code among them. */
export const COUNTRIES = [
  ...['AE', 'AR', 'AT', 'AU', 'BE', 'BG', 'BJ', 'BR', 'CA', 'CH', 'CI', 'CL', 'CN', 'CO', 'CU'],
  ...['CV', 'CY', 'CZ', 'DE', 'DK', 'EE', 'EG', 'ES', 'FI', 'FR', 'GA', 'GB', 'GR', 'HR', 'HU'],
  ...['ID', 'IE', 'IL', 'IN', 'IT', 'JP', 'KE', 'KR', 'LU', 'MA', 'MM', 'MX', 'MY', 'NG', 'NL'],
  ...['NO', 'NZ', 'PL', 'PT', 'RO', 'RU', 'SA', 'SE', 'SG', 'TR', 'UA', 'US', 'VN', 'XK', 'ZA']
] as const satisfies readonly CountryCode[]

/** The parts of a country's metadata: 2 is the pattern of its numbers, 11 those of kinds, of which the second is mobiles. */
const patterns = v.looseTuple([v.unknown(), v.unknown(), v.string()])
const kinds = v.looseTuple([v.unknown(), v.looseTuple([v.string()])])

const patternOf = (country: CountryCode): string => {
  const parts: readonly unknown[] = metadata.countries[country] ?? []
  const kept = v.safeParse(kinds, parts[11])
  const mobile = kept.success ? kept.output[1][0] : ''
  // Where mobiles are like other phones, they have no pattern.
  return mobile === '' ? v.parse(patterns, parts)[2] : mobile
}

/** A phone in six spellings. */
export interface SpelledPhone {
  readonly e164: string
  readonly spellings: readonly string[]
}

/** Returns `count` phones at most, all of them different. */
export const randomPhones = (country: CountryCode, count: number, seed: number): readonly SpelledPhone[] => {
  const drawn = fc.sample(fc.stringMatching(new RegExp(`^(?:${patternOf(country)})$`)), {
    numRuns: count,
    seed
  })
  return [...new Set(drawn)].flatMap((national) => {
    const number = parsePhoneNumberFromString(national, country)
    // Some patterns have numbers that are another's: they begin with the prefix that is written before one.
    if (number?.nationalNumber !== national || !number.isValid()) return []
    const international = number.formatInternational()
    const spellings = [
      number.number,
      international.replaceAll(' ', '.'),
      number.formatNational(),
      number.formatNational().replaceAll(/\D/g, ''),
      number.number.slice(1),
      `00 ${international.slice(1)}`
    ]
    return [{ e164: number.number, spellings }]
  })
}
