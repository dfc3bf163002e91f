/** Which country a phone without a country code is from. */
import { getCountries, type CountryCode } from 'libphonenumber-js/min'
import { countryNamed } from './country-names.ts'

/** When nothing tells: the likeliest region of the document's default language, English. */
const LAST_RESORT: CountryCode = 'US'

/** What may tell the country; whatever is null, empty or unreadable is passed over. */
export interface CountryHints {
  /** the manager's choice, ISO 3166-1 alpha-2 */
  readonly setting: string | null
  /** the country in the account's address, in any words */
  readonly accountCountry?: string | null
  /** the account's time zone, an IANA name */
  readonly accountTimeZone?: string | null
  /** the country the operating system is set to, if it says */
  readonly systemCountry?: string | null
  /** the locale of the operating system, a BCP 47 tag */
  readonly systemLocale?: string | null
}

/** One time zone has several names (Asia/Kolkata, Asia/Calcutta); the runtime settles on one. Null for no zone. */
const canonicalZone = (timeZone: string): string | null => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

/** A country's time zones; the method is newer than the compiler's library. */
const zonesOf = (country: CountryCode): readonly string[] => {
  const locale: Intl.Locale & { getTimeZones?: () => readonly string[] | undefined } = new Intl.Locale(
    `und-${country}`
  )
  return locale.getTimeZones?.() ?? []
}

const countryOfZone = (timeZone: string): CountryCode | null => {
  const zone = timeZone === '' ? null : canonicalZone(timeZone)
  return zone === null ? null : (getCountries().find((country) => zonesOf(country).includes(zone)) ?? null)
}

/** "pt-BR" is Brazil; a language alone stands for the country that speaks it most. */
const countryOfLocale = (locale: string): CountryCode | null => {
  try {
    return countryNamed(new Intl.Locale(locale.replaceAll('_', '-')).maximize().region ?? '')
  } catch {
    return null
  }
}

/**
 * The shop's country, ISO 3166-1 alpha-2, for phones typed without one: the setting, else what the account's address
 * says, else its time zone, else the system's country or locale. Always a country that phones can be read with.
 */
export const countryFrom = (hints: CountryHints): CountryCode =>
  countryNamed(hints.setting ?? '') ??
  countryNamed(hints.accountCountry ?? '') ??
  countryOfZone(hints.accountTimeZone ?? '') ??
  countryNamed(hints.systemCountry ?? '') ??
  countryOfLocale(hints.systemLocale ?? '') ??
  LAST_RESORT
