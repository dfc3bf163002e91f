/** The words of a slip, and the numbers and dates among them in the spelling of the business's country. */
import type { SlipDocument } from './document.ts'

export const WORDS = {
  headline: 'Your points',
  instruction: 'Scan this code with your phone to collect them',
  codeLabel: 'or type in the code',
  customer: 'For',
  date: 'Issued',
  till: 'Till',
  join: 'Join us',
  joinInstruction: 'Scan this code to start collecting points',
  practice: 'PRACTICE – NO VALUE',
  copy: (number: number) => `COPY ${String(number)}`
} as const

/** English as most of the world spells dates: what is fallen back to. */
const FALLBACK_LOCALE = 'en-GB'

const usableLocale = (locale: string): string => {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? FALLBACK_LOCALE
  } catch {
    return FALLBACK_LOCALE
  }
}

/** Remembers what `make` came to for each key: the system's formatters take longer to make than a slip may. */
const remembering = <Key extends readonly string[], Value>(make: (...key: Key) => Value): typeof make => {
  const known = new Map<string, Value>()
  return (...key) => {
    const name = key.join(' ')
    const value = known.get(name) ?? make(...key)
    known.set(name, value)
    return value
  }
}

/** True when the system knows this time zone. */
export const isTimeZone = remembering((timeZone: string) => {
  try {
    new Intl.DateTimeFormat(FALLBACK_LOCALE, { timeZone })
    return timeZone !== ''
  } catch {
    return false
  }
})

const numbers = remembering(
  (locale: string) => new Intl.NumberFormat(locale, { numberingSystem: 'latn', useGrouping: 'always' })
)

const moments = remembering(
  (locale: string, timeZone: string) =>
    new Intl.DateTimeFormat(locale, {
      dateStyle: 'medium',
      timeStyle: 'short',
      calendar: 'gregory',
      numberingSystem: 'latn',
      timeZone
    })
)

/** Points with the locale's grouping, in Latin digits: they are what the cashier typed. */
export const pointsText = ({ points, locale }: Pick<SlipDocument, 'points' | 'locale'>): string =>
  numbers(usableLocale(locale)).format(points)

/**
 * Day and time in the business's zone and spelling: Gregorian calendar, Latin digits. `readable` tells whether the
 * slip's fonts can show a text; a spelling that they cannot show gives way to English.
 */
export function momentText(
  { issuedAt, timeZone, locale }: Pick<SlipDocument, 'issuedAt' | 'timeZone' | 'locale'>,
  readable: (text: string) => boolean
): string {
  const spell = (tag: string): string =>
    moments(tag, isTimeZone(timeZone) ? timeZone : 'UTC').format(new Date(issuedAt))
  const local = spell(usableLocale(locale))
  return readable(local) ? local : spell(FALLBACK_LOCALE)
}

/** The address in at most two lines: the street, then postcode, city, state and country. Blank parts are left out. */
export function addressLines({
  street,
  city,
  state,
  country,
  zipCode
}: SlipDocument['business']['address']): string[] {
  const filled = (parts: readonly string[], separator: string): string =>
    parts
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .join(separator)
  return [street.trim(), filled([filled([zipCode, city], ' '), state, country], ', ')].filter(
    (line) => line !== ''
  )
}
