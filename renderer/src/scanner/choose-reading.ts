import type { Scan } from './parse-scan.ts'

/** The most readings that are searched one after the other: a cashier types no more within such a short time. */
const MAX_SEARCHED = 6

/** A reading of a scan, and its place among those to choose from. */
interface ChosenReading {
  readonly scan: Scan
  readonly place: number
}

/** A reading with what it means: the same for two spellings of a phone, null if it makes no sense. */
interface MeaningfulReading extends ChosenReading {
  readonly meaning: string | null
}

/** Whether a reading begins with what a cashier would not type just before a scan: `https://` or `+`. */
const begins = ({ scan, meaning }: MeaningfulReading): boolean =>
  meaning !== null && /^(?:https?:\/\/|\+)/iu.test(scan.text)

/** Whether a text is an article number: a GTIN of 8, 12, 13 or 14 digits with its check digit (GS1 General Specifications, 7.9). */
const isArticleNumber = (text: string): boolean => {
  if (!/^(?:\d{8}|\d{12,14})$/u.test(text)) return false
  const sum = Array.from(text)
    .reverse()
    .reduce((total, digit, place) => total + Number(digit) * (place % 2 ? 3 : 1), 0)
  return sum % 10 === 0
}

/**
 * Chooses what was scanned, where a cashier may have typed the first keys. Returns null if that is not clear.
 * @param readings what may be the scan, from each key that may start it, the longest first; null is one without text
 * @param country of phones without a country code, ISO 3166-1 alpha-2
 * @param hasText whether the first keys may be text of a field: then no two readings are possible
 */
export async function chooseReading(
  readings: readonly (Scan | null)[],
  country: string,
  hasText: boolean
): Promise<ChosenReading | null> {
  // Rules for phones are large, and few scans need them.
  const { parsePhone } = await import('../../../electron/contract/phone.ts')
  const meaningOf = ({ kind, text }: Scan): string | null => {
    if (kind === 'phone') return parsePhone(text, country)?.e164 ?? null
    return kind === 'text' ? null : text
  }
  const all = readings.flatMap((scan, place): readonly MeaningfulReading[] =>
    scan === null ? [] : [{ scan, place, meaning: meaningOf(scan) }]
  )
  const known = all.find(begins)
  if (known !== undefined) return known
  const meaningful = all.filter(({ meaning }) => meaning !== null)
  const [only] = meaningful
  // A part of an article number may be a phone by chance.
  const isPart = all.some(({ scan, place }) => only && place < only.place && isArticleNumber(scan.text))
  if (isPart) return null
  if (only !== undefined && meaningful.length === 1) return only
  if (hasText) return null
  if (only !== undefined && meaningful.every(({ meaning }) => meaning === only.meaning)) return only
  const searched = meaningful.length > 0 ? meaningful : all
  const [first, ...others] = searched
  // Of two phones, the wrong one may be another customer's.
  const isPhone = meaningful.some(({ scan }) => scan.kind === 'phone')
  if (first === undefined || isPhone || searched.length > MAX_SEARCHED) return null
  const texts = [...first.scan.others, ...others.flatMap(({ scan }) => [scan.text, ...scan.others])]
  return { ...first, scan: { ...first.scan, others: texts, isUnclear: true } }
}
