/** Where a shop is: its country, and which of the country's time zones. */
import { isSupportedCountry } from 'libphonenumber-js/min'
import { zonesOfCountry } from '../../contract/country-zones.ts'
import { memoized } from '../../contract/memoized.ts'
import { isTimeZoneName } from './businesses.ts'

/** A country (ISO 3166-1, two letters) and a time zone (IANA). */
export interface CountryAndZone {
  readonly country: string
  readonly timeZone: string
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

/** Countries of libphonenumber of which ICU has no zones: the zone that the IANA database gives for them. */
const OTHER_ZONES: Readonly<Record<string, readonly string[]>> = {
  AC: ['Atlantic/St_Helena'],
  TA: ['Atlantic/St_Helena'],
  XK: ['Europe/Belgrade']
}

/** The name of a zone in the IANA database. */
export const currentZoneName = (zone: string): string => CURRENT_NAMES[zone] ?? zone

/** Returns the zones of a country by their names now; UTC where none are known. ICU takes up to 6 ms for a country. */
export const zonesOf = memoized((country: string): readonly string[] => {
  const listed = OTHER_ZONES[country] ?? zonesOfCountry(country).map(currentZoneName)
  return listed.length === 0 ? ['UTC'] : listed.toSorted()
})

/** Parses a country and a zone with a space between, such as `GR Europe/Athens`; null for another text. */
export const parseCountryAndZone = (text: string): CountryAndZone | null => {
  const [country = '', timeZone = ''] = text.split(' ', 2)
  return isSupportedCountry(country) && isTimeZoneName(timeZone) ? { country, timeZone } : null
}
