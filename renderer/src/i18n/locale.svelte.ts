/** The current locale: the messages of the screen and of the slip, loaded by language, and the tags for `Intl`. */
import { localeOf, type Language } from '../../../electron/contract/language.ts'
import { memoized } from '../../../electron/contract/memoized.ts'
import type * as englishScreen from '../../../generated/messages/screen/en.js'
import { loadMessages as loadScreenMessages } from '../../../generated/messages/screen/load.js'
import type * as englishSlip from '../../../generated/messages/slip/en.js'
import { loadMessages as loadSlipMessages } from '../../../generated/messages/slip/load.js'

export type ScreenMessages = typeof englishScreen
export type SlipMessages = typeof englishSlip

/** The languages of the screen and of slips, and the country that decides how numbers and dates are written. */
export interface Locale {
  readonly language: Language
  readonly slipLanguage: Language
  /** ISO 3166-1 alpha-2 */
  readonly country: string
}

/** A locale with its messages. */
interface LoadedLocale {
  readonly language: Language
  /** BCP 47 tag for numbers and dates on the screen */
  readonly tag: string
  readonly screen: ScreenMessages
  readonly slipLanguage: Language
  /** BCP 47 tag for numbers and dates on slips */
  readonly slipTag: string
  readonly slip: SlipMessages
}

let current = $state.raw<LoadedLocale | null>(null)
let latestLoad: Promise<void> = Promise.resolve()
let loads = 0

/** Whether a locale is loaded. Until then no message can be shown. */
export const isLocaleLoaded = (): boolean => current !== null

/** Returns the loaded locale. Throws if none is loaded yet. */
export function currentLocale(): LoadedLocale {
  if (!current) throw new Error('No locale is loaded yet')
  return current
}

/**
 * Loads the messages of a locale and switches to it. Resolves when the switch is done; if aborted by a later call,
 * resolves with that one. Rejects if a message file cannot be loaded.
 */
export function setLocale(locale: Locale): Promise<void> {
  latestLoad = load(locale, ++loads)
  return latestLoad
}

async function load({ language, slipLanguage, country }: Locale, turn: number): Promise<void> {
  const [screen, slip] = await Promise.all([loadScreenMessages(language), loadSlipMessages(slipLanguage)])
  if (turn !== loads) return latestLoad
  current = {
    language,
    tag: localeOf(language, country),
    screen,
    slipLanguage,
    slipTag: localeOf(slipLanguage, country),
    slip
  }
}

/** Returns the BCP 47 tag of the screen's locale, such as `de-GR`. */
export const screenLocale = (): string => currentLocale().tag

/** Returns a getter of the value that `create` makes for the screen's locale, created once per locale. */
export function memoizeByLocale<Value>(create: (locale: string) => Value): () => Value {
  const valueOf = memoized(create)
  return () => valueOf(screenLocale())
}

/**
 * Every country that the phone library supports, ISO 3166-1 alpha-2 and its user-assigned codes. A test compares
 * both lists.
 */
export const COUNTRIES: readonly string[] = `
  AC AD AE AF AG AI AL AM AO AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BW BY BZ CA CC
  CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB
  GD GE GF GG GH GI GL GM GN GP GQ GR GT GU GW GY HK HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH
  KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV
  MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PR PS PT PW PY QA RE RO RS RU RW SA SB
  SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TA TC TD TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG US
  UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW`
  .trim()
  .split(/\s+/u)

/** Returns the countries with their names, sorted by name. */
export function countriesByName(): { readonly code: string; readonly name: string }[] {
  const order = new Intl.Collator(screenLocale())
  return COUNTRIES.map((code) => ({ code, name: countryName(code) })).sort((one, other) =>
    order.compare(one.name, other.name)
  )
}

/** A country's name in the screen's language: `GR` → `Greece`. Returns the code itself for an unknown country. */
export function countryName(code: string): string {
  try {
    return new Intl.DisplayNames(screenLocale(), { type: 'region' }).of(code) ?? code
  } catch {
    return code
  }
}
