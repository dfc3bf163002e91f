/**
 * Countries: parses the name or code of a country, and determines the country of the shop, of which phones without a
 * country code are.
 *
 * No ISO 3166 package is used. The country in an account's address is free text, so it may be a code of two or
 * three letters, a name in a widely spoken language or in the country's own language, or a common alias such as
 * "Holland". ICU, part of the runtime, has the names in the widely spoken languages, in a long and a short style.
 * This file has the rest: the alpha-3 codes, the aliases, and the names in other languages, of which Electron's ICU
 * has only those that Chromium's own texts are translated into.
 */
import { zonesOfCountry } from '../../contract/country-zones.ts'
import type { Account } from '../../contract/loyalty.ts'
import { memoized } from '../../contract/memoized.ts'
import { normalizeForSearch } from '../../contract/text.ts'
import type { Settings } from '../settings/index.ts'
import { getCountries, isSupportedCountry, type CountryCode } from 'libphonenumber-js/min'

/** The codes of ISO 3166-1, alpha-3 followed by alpha-2: GRC is GR. ICU does not provide alpha-3 codes. */
const CODE_PAIRS = `
  ABWAW AFGAF AGOAO AIAAI ALAAX ALBAL ANDAD AREAE ARGAR ARMAM ASMAS ATAAQ ATFTF ATGAG AUSAU AUTAT
  AZEAZ BDIBI BELBE BENBJ BESBQ BFABF BGDBD BGRBG BHRBH BHSBS BIHBA BLMBL BLRBY BLZBZ BMUBM BOLBO
  BRABR BRBBB BRNBN BTNBT BVTBV BWABW CAFCF CANCA CCKCC CHECH CHLCL CHNCN CIVCI CMRCM CODCD COGCG
  COKCK COLCO COMKM CPVCV CRICR CUBCU CUWCW CXRCX CYMKY CYPCY CZECZ DEUDE DJIDJ DMADM DNKDK DOMDO
  DZADZ ECUEC EGYEG ERIER ESHEH ESPES ESTEE ETHET FINFI FJIFJ FLKFK FRAFR FROFO FSMFM GABGA GBRGB
  GEOGE GGYGG GHAGH GIBGI GINGN GLPGP GMBGM GNBGW GNQGQ GRCGR GRDGD GRLGL GTMGT GUFGF GUMGU GUYGY
  HKGHK HMDHM HNDHN HRVHR HTIHT HUNHU IDNID IMNIM INDIN IOTIO IRLIE IRNIR IRQIQ ISLIS ISRIL ITAIT
  JAMJM JEYJE JORJO JPNJP KAZKZ KENKE KGZKG KHMKH KIRKI KNAKN KORKR KWTKW LAOLA LBNLB LBRLR LBYLY
  LCALC LIELI LKALK LSOLS LTULT LUXLU LVALV MACMO MAFMF MARMA MCOMC MDAMD MDGMG MDVMV MEXMX MHLMH
  MKDMK MLIML MLTMT MMRMM MNEME MNGMN MNPMP MOZMZ MRTMR MSRMS MTQMQ MUSMU MWIMW MYSMY MYTYT NAMNA
  NCLNC NERNE NFKNF NGANG NICNI NIUNU NLDNL NORNO NPLNP NRUNR NZLNZ OMNOM PAKPK PANPA PCNPN PERPE
  PHLPH PLWPW PNGPG POLPL PRIPR PRKKP PRTPT PRYPY PSEPS PYFPF QATQA REURE ROURO RUSRU RWARW SAUSA
  SDNSD SENSN SGPSG SGSGS SHNSH SJMSJ SLBSB SLESL SLVSV SMRSM SOMSO SPMPM SRBRS SSDSS STPST SURSR
  SVKSK SVNSI SWESE SWZSZ SXMSX SYCSC SYRSY TCATC TCDTD TGOTG THATH TJKTJ TKLTK TKMTM TLSTL TONTO
  TTOTT TUNTN TURTR TUVTV TWNTW TZATZ UGAUG UKRUA UMIUM URYUY USAUS UZBUZ VATVA VCTVC VENVE VGBVG
  VIRVI VNMVN VUTVU WLFWF WSMWS XKKXK YEMYE ZAFZA ZMBZM ZWEZW
`

/** Maps alpha-3 to alpha-2, both in upper case. */
const ALPHA_2_OF: ReadonlyMap<string, string> = new Map(
  CODE_PAIRS.trim()
    .split(/\s+/)
    .map((pair) => [pair.slice(0, 3), pair.slice(3)])
)

/** Languages whose names of all countries are recognised, including the till's. Chromium's ICU has all of these names. */
const LANGUAGES = [
  'en',
  'fr',
  'es',
  'de',
  'it',
  'pt',
  'nl',
  'el',
  'ru',
  'ar',
  'tr',
  'pl',
  'zh',
  'ja'
] as const

/** Common aliases that ICU does not contain. */
const OTHER_NAMES: Readonly<Record<string, CountryCode>> = {
  'Great Britain': 'GB',
  England: 'GB',
  Scotland: 'GB',
  Wales: 'GB',
  'Northern Ireland': 'GB',
  'Czech Republic': 'CZ',
  Holland: 'NL',
  'The Netherlands': 'NL',
  Korea: 'KR',
  'Republic of Korea': 'KR',
  'Republic of Ireland': 'IE',
  'Russian Federation': 'RU',
  'United States of America': 'US',
  America: 'US',
  UAE: 'AE',
  Turkey: 'TR',
  'Viet Nam': 'VN',
  Macedonia: 'MK',
  'Hellenic Republic': 'GR',
  Hellas: 'GR'
}

/** The names of countries in their own language (CLDR 48), where no language of LANGUAGES has the same name. */
const OWN_NAMES: Readonly<Record<string, CountryCode>> = {
  Shqipëri: 'AL',
  Հայաստան: 'AM',
  Azərbaycan: 'AZ',
  'Bosna i Hercegovina': 'BA',
  বাংলাদেশ: 'BD',
  България: 'BG',
  Uburundi: 'BI',
  འབྲུག: 'BT',
  'Kepulauan Cocos (Keeling)': 'CC',
  'Ködörösêse tî Bêafrîka': 'CF',
  Česko: 'CZ',
  Danmark: 'DK',
  Eesti: 'EE',
  ኤርትራ: 'ER',
  ኢትዮጵያ: 'ET',
  Suomi: 'FI',
  Føroyar: 'FO',
  საქართველო: 'GE',
  Gaana: 'GH',
  'Kalaallit Nunaat': 'GL',
  Hrvatska: 'HR',
  Magyarország: 'HU',
  ישראל: 'IL',
  भारत: 'IN',
  ایران: 'IR',
  Кыргызстан: 'KG',
  កម្ពុជា: 'KH',
  북한: 'KP',
  대한민국: 'KR',
  한국: 'KR',
  ລາວ: 'LA',
  'ශ්‍රී ලංකාව': 'LK',
  Lietuva: 'LT',
  Latvija: 'LV',
  'Republica Moldova': 'MD',
  'Црна Гора': 'ME',
  Madagasikara: 'MG',
  'Северна Македонија': 'MK',
  မြန်မာ: 'MM',
  Монгол: 'MN',
  Nijar: 'NE',
  Norge: 'NO',
  नेपाल: 'NP',
  Pilipinas: 'PH',
  پاکستان: 'PK',
  Србија: 'RS',
  'U Rwanda': 'RW',
  Sverige: 'SE',
  Slovenija: 'SI',
  'Svalbard og Jan Mayen': 'SJ',
  Slovensko: 'SK',
  Senegaal: 'SN',
  Soomaaliya: 'SO',
  ไทย: 'TH',
  Тоҷикистон: 'TJ',
  Україна: 'UA',
  Oʻzbekiston: 'UZ',
  Kosovë: 'XK'
}

/** Returns a name for comparison: letters and digits only, without case and accents. */
const key = (name: string): string =>
  normalizeForSearch(name)
    .replaceAll('&', 'and')
    .replace(/[^\p{L}\p{N}]/gu, '')

/** Yields the names of all countries, one list for each language and style. */
function* nameLists(): Generator<readonly (readonly [string, CountryCode])[], undefined> {
  for (const language of LANGUAGES) {
    for (const style of ['long', 'short'] as const) {
      const names = new Intl.DisplayNames([language], { type: 'region', style, fallback: 'none' })
      yield getCountries().flatMap((country) => {
        const name = names.of(country)
        if (name === undefined) return []
        // "Myanmar (Burma)" also matches "Myanmar". A name that is already taken keeps its country: without its
        // parentheses "Saint-Martin (partie néerlandaise)" is the name of another country.
        return [name, name.replace(/\([^)]*\)/g, '')].map((spelling) => [key(spelling), country] as const)
      })
    }
  }
}

/**
 * The names that are loaded so far. If two countries share a name, the language that is earlier in
 * LANGUAGES wins.
 */
const countryByKey = new Map<string, CountryCode>()
const unloadedLists = nameLists()

const add = (name: string, country: CountryCode): void => {
  if (name !== '' && !countryByKey.has(name)) countryByKey.set(name, country)
}

const addCodes = (): void => {
  for (const country of getCountries()) add(key(country), country)
  for (const [alpha3, alpha2] of ALPHA_2_OF) if (isSupportedCountry(alpha2)) add(key(alpha3), alpha2)
  for (const [name, country] of Object.entries({ ...OTHER_NAMES, ...OWN_NAMES })) add(key(name), country)
}

/**
 * Parses a country and returns its ISO 3166-1 alpha-2 code. Accepts a code of two or three letters, an alias,
 * or a name in one of LANGUAGES or in the country's own language, regardless of case, accents and punctuation.
 * Returns null for unknown texts and for countries without phone numbers. Loads the languages one by one until
 * the text is found.
 */
export const parseCountry = (text: string): CountryCode | null => {
  const searchKey = key(text)
  if (searchKey === '') return null
  if (countryByKey.size === 0) addCodes()
  for (;;) {
    const found = countryByKey.get(searchKey)
    if (found !== undefined) return found
    const list = unloadedLists.next().value
    if (list === undefined) return null
    for (const [name, country] of list) add(name, country)
  }
}

/** The fallback: the most likely region of English, the service's default language. */
const FALLBACK_COUNTRY: CountryCode = 'US'

/** Sources of the country. Values that are null, empty or unknown are skipped. */
interface CountryHints {
  /** the setting, ISO 3166-1 alpha-2 */
  readonly setting: string | null
  /** the country in the account's address, as free text */
  readonly accountCountry?: string | null
  /** the account's time zone, an IANA name */
  readonly accountTimeZone?: string | null
  /** the region of the operating system, if available */
  readonly systemCountry?: string | null
  /** the locale of the operating system, a BCP 47 tag */
  readonly systemLocale?: string | null
}

/** Returns the canonical name of a time zone (Asia/Kolkata and Asia/Calcutta are the same); null if it is unknown. */
const canonicalZone = (timeZone: string): string | null => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

/** Returns the country of a time zone. ICU takes up to 110 ms for one, and every slip needs it. */
const countryOfZone = memoized((timeZone: string): CountryCode | null => {
  const zone = timeZone === '' ? null : canonicalZone(timeZone)
  return zone === null ? null : (getCountries().find((code) => zonesOfCountry(code).includes(zone)) ?? null)
})

/** Returns the region of a locale, Brazil for "pt-BR"; for a language alone its most likely region. */
const countryOfLocale = (locale: string): CountryCode | null => {
  try {
    return parseCountry(new Intl.Locale(locale.replaceAll('_', '-')).maximize().region ?? '')
  } catch {
    return null
  }
}

/**
 * Returns the country for phones without a country code, ISO 3166-1 alpha-2, from the first usable source: the
 * setting, the account's address, its time zone, the system's region, the system's locale. libphonenumber
 * supports the returned country.
 */
export const resolveCountry = (hints: CountryHints): CountryCode =>
  parseCountry(hints.setting ?? '') ??
  parseCountry(hints.accountCountry ?? '') ??
  countryOfZone(hints.accountTimeZone ?? '') ??
  parseCountry(hints.systemCountry ?? '') ??
  countryOfLocale(hints.systemLocale ?? '') ??
  FALLBACK_COUNTRY

/** What the operating system knows of the country. */
export interface SystemRegion {
  /** ISO 3166-1 alpha-2; empty if unknown */
  readonly country: string
  /** a BCP 47 tag */
  readonly locale: string
}

/** The country of the shop, for phones without a country code and for numbers on slips. */
export class ShopCountry {
  readonly #settings: Pick<Settings, 'values'>
  readonly #session: { readonly business: Account | null }
  readonly #system: SystemRegion

  /** @param session the `Session`, of which the connected business is needed */
  constructor(
    settings: Pick<Settings, 'values'>,
    session: { readonly business: Account | null },
    system: SystemRegion
  ) {
    this.#settings = settings
    this.#session = session
    this.#system = system
  }

  /** ISO 3166-1 alpha-2: the chosen country, that of the business, or that of the system. */
  get code(): string {
    const { business } = this.#session
    return resolveCountry({
      setting: this.#settings.values.country,
      accountCountry: business?.address.country ?? null,
      accountTimeZone: business?.timeZone ?? null,
      systemCountry: this.#system.country,
      systemLocale: this.#system.locale
    })
  }
}
