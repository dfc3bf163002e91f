/** The field for where a shop is. */
import { getCountries } from 'libphonenumber-js/min'
import {
  currentZoneName,
  parseCountryAndZone,
  zonesOf,
  type CountryAndZone
} from '../domain/country-zones.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Html } from '../html/document.ts'
import type { SentForm } from '../html/sent-form.ts'
import { selectField } from '../html/fields.ts'
import type { TypedForm } from '../html/typed-form.ts'
import type { ManageLocale } from './manage-locale.ts'

const FIELD = 'place'

/** The part of a zone's name that tells it from the others of its country. */
const cityOf = (zone: string): string => zone.replace(/^[^/]*\//, '').replaceAll('_', ' ')

/** The value of an option, which `parseCountryAndZone` reads. */
const valueOf = ({ country, timeZone }: CountryAndZone): string => `${country} ${currentZoneName(timeZone)}`

/**
 * The field for the country of a shop, with the zone where a country has several. It also offers the chosen place, whose zone
 * the command line may have set, such as Etc/UTC. @param chosen null for none
 */
export const placeField = (
  { language, m }: ManageLocale,
  chosen: CountryAndZone | null,
  typed: TypedForm
): Html => {
  const names = new Intl.DisplayNames(language, { type: 'region' })
  const { compare } = new Intl.Collator(language)
  const value = chosen === null ? '' : valueOf(chosen)
  const options = getCountries().flatMap((country) => {
    const name = names.of(country) ?? country
    const zones = zonesOf(country)
    const other = chosen?.country === country ? currentZoneName(chosen.timeZone) : undefined
    const all = other === undefined || zones.includes(other) ? zones : [...zones, other]
    return all.map((timeZone): readonly [string, string] => [
      valueOf({ country, timeZone }),
      all.length === 1 ? name : `${name}: ${cityOf(timeZone)}`
    ])
  })
  return selectField(
    { name: FIELD, label: m.country(), value, hint: m.countryHint(), isRequired: true },
    [['', m.chooseCountry()], ...options.toSorted(([, one], [, other]) => compare(one, other))],
    typed
  )
}

/** Returns the place that a form chose. Throws a `Refusal` for none. */
export const parsePlaceOf = (form: SentForm): CountryAndZone => {
  const place = parseCountryAndZone(form.text(FIELD))
  if (place === null) throw new Refusal('country-missing', 'The country of the shop is missing.')
  return place
}
