/** Countries and time zones to choose from. */
import { getCountries } from 'libphonenumber-js/min'
import { isTimeZoneName } from '../domain/businesses.ts'
import type { Html } from '../html/document.ts'
import type { SentForm } from '../html/sent-form.ts'
import { selectField } from './fields.ts'
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

/** What the IANA database calls zones now that the runtime lists by earlier names. */
const CURRENT_NAMES: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk'
}

const currentName = (zone: string): string => CURRENT_NAMES[zone] ?? zone

/**
 * The field of a time zone, which offers them by their names in the IANA database; also the chosen one, which the command
 * line may have set, such as Etc/UTC.
 */
export const timeZoneField = ({ m }: ManageLocale, chosen: string): Html => {
  const value = isTimeZoneName(chosen) ? currentName(chosen) : 'UTC'
  const listed = [...Intl.supportedValuesOf('timeZone').map(currentName), value].filter(
    (zone) => zone !== 'UTC'
  )
  const zones = ['UTC', ...new Set(listed.toSorted())]
  return selectField(
    { name: 'timeZone', label: m.timeZone(), value },
    zones.map((zone) => [zone, zone.replaceAll('_', ' ')])
  )
}

/** Returns what a form chose; no country and UTC for what is none. */
export const parsePlaceOf = (form: SentForm): { readonly country: string; readonly timeZone: string } => {
  const [country, timeZone] = [form.text('country'), form.text('timeZone')]
  return {
    country: getCountries().some((code) => code === country) ? country : '',
    timeZone: isTimeZoneName(timeZone) ? timeZone : 'UTC'
  }
}
