/** The time zones of countries, as ICU has them. */

/** TypeScript's library declares `getTimeZones` beside what the runtimes of the page lack. */
interface LocaleWithZones extends Intl.Locale {
  readonly getTimeZones?: () => readonly string[] | undefined
}

/**
 * Returns the time zones of a country (ISO 3166-1, two letters) by the names that ICU has for them; none for a country that it
 * does not know, and where the runtime has no `getTimeZones`.
 */
export const zonesOfCountry = (country: string): readonly string[] => {
  const locale: LocaleWithZones = new Intl.Locale(`und-${country}`)
  return locale.getTimeZones?.() ?? []
}
