/** Countries and time zones to choose from. */
import { getCountries } from 'libphonenumber-js/min'
import type { SentForm } from '../html/sent-form.ts'
import type { ManageLocale } from './manage-locale.ts'

/** Values with the texts that are shown for them. */
type Options = readonly (readonly [value: string, text: string])[]

/** The countries by their names in the page's language; first none. */
export const countryOptions = ({ language, m }: ManageLocale): Options => {
  const names = new Intl.DisplayNames(language, { type: 'region' })
  const { compare } = new Intl.Collator(language)
  const countries = getCountries().map((code) => [code, names.of(code) ?? code] as const)
  return [['', m.chooseCountry()], ...countries.toSorted(([, one], [, other]) => compare(one, other))]
}

/** The time zones by their names in the IANA database. */
export const timeZoneOptions = (): Options =>
  ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')].map((zone) => [
    zone,
    zone.replaceAll('_', ' ')
  ])

/** Returns what a form chose; no country and UTC for what is not offered. */
export const parsePlaceOf = (form: SentForm): { readonly country: string; readonly timeZone: string } => {
  const [country, timeZone] = [form.text('country'), form.text('timeZone')]
  return {
    country: getCountries().some((code) => code === country) ? country : '',
    timeZone: timeZoneOptions().some(([zone]) => zone === timeZone) ? timeZone : 'UTC'
  }
}
