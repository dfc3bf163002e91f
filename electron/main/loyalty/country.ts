import { normalizeForSearch } from '../../contract/text.ts'
import { getCountries, isSupportedCountry, type CountryCode } from 'libphonenumber-js/min'

/** The three-letter codes of ISO 3166-1, which the runtime's own data does not have. */

/** Each country as its three letters followed by its two: GRC is GR. */
const PAIRS = `
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

/** From alpha-3 to alpha-2, both in capitals. */
const ALPHA_2_OF: ReadonlyMap<string, string> = new Map(
  PAIRS.trim()
    .split(/\s+/)
    .map((pair) => [pair.slice(0, 3), pair.slice(3)])
)

/* from country-names.ts: Which country a text names: the address of an account holds whatever the business once typed. */

/** Read beside each country's own language. */
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

/** Names in use that no list of countries holds. */
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

/** Returns a name for comparison: letters and digits only, without case and accents. */
const key = (name: string): string =>
  normalizeForSearch(name)
    .replaceAll('&', 'and')
    .replace(/[^\p{L}\p{N}]/gu, '')

/** The language most spoken in a country: "und-GR" is likeliest to be Greek. */
const nativeLanguage = (country: CountryCode): string => new Intl.Locale(`und-${country}`).maximize().language

/** The languages in which a country is looked for, in the order in which they have a name to themselves. */
function* languages(): Generator<string, undefined> {
  yield* LANGUAGES
  const read = new Set<string>(LANGUAGES)
  for (const language of getCountries().map(nativeLanguage)) {
    if (!read.has(language)) yield language
    read.add(language)
  }
}

/** Names of every country, a style of a language at a time. */
function* lists(): Generator<readonly (readonly [string, CountryCode])[], undefined> {
  for (const language of languages()) {
    for (const style of ['long', 'short'] as const) {
      const names = new Intl.DisplayNames([language], { type: 'region', style, fallback: 'none' })
      yield getCountries().flatMap((country) => {
        const name = names.of(country)
        if (name === undefined) return []
        // "Myanmar (Burma)" is also Myanmar; "Saint-Martin (partie néerlandaise)" is not the other Saint-Martin.
        return [name, name.replace(/\([^)]*\)/g, '')].map((spelling) => [key(spelling), country] as const)
      })
    }
  }
}

/** What is known so far. The first language to use a name keeps it: English, the widely spoken, each country's own. */
const known = new Map<string, CountryCode>()
const unread = lists()

const add = (name: string, country: CountryCode): void => {
  if (name !== '' && !known.has(name)) known.set(name, country)
}

const addCodes = (): void => {
  for (const country of getCountries()) add(key(country), country)
  for (const [alpha3, alpha2] of ALPHA_2_OF) if (isSupportedCountry(alpha2)) add(key(alpha3), alpha2)
  for (const [name, country] of Object.entries(OTHER_NAMES)) add(key(name), country)
}

/**
 * The country that a text names, as ISO 3166-1 alpha-2: a code of two or three letters, or a name in English, in
 * the country's own language or in a widely spoken one, in any case and with or without accents and points. Null
 * when it names none that has phones. Languages are read as far as it takes: all of them take a quarter of a second.
 */
export const parseCountry = (text: string): CountryCode | null => {
  const asked = key(text)
  if (asked === '') return null
  if (known.size === 0) addCodes()
  for (;;) {
    const found = known.get(asked)
    if (found !== undefined) return found
    const list = unread.next().value
    if (list === undefined) return null
    for (const [name, country] of list) add(name, country)
  }
}

/* from country.ts: Which country a phone without a country code is from. */

/** When nothing tells: the likeliest region of the document's default language, English. */
const LAST_RESORT: CountryCode = 'US'

/** What may tell the country; whatever is null, empty or unreadable is passed over. */
interface CountryHints {
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
    return parseCountry(new Intl.Locale(locale.replaceAll('_', '-')).maximize().region ?? '')
  } catch {
    return null
  }
}

/**
 * The shop's country, ISO 3166-1 alpha-2, for phones typed without one: the setting, else what the account's address
 * says, else its time zone, else the system's country or locale. Always a country that phones can be read with.
 */
export const resolveCountry = (hints: CountryHints): CountryCode =>
  parseCountry(hints.setting ?? '') ??
  parseCountry(hints.accountCountry ?? '') ??
  countryOfZone(hints.accountTimeZone ?? '') ??
  parseCountry(hints.systemCountry ?? '') ??
  countryOfLocale(hints.systemLocale ?? '') ??
  LAST_RESORT
