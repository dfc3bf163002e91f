/** What main, the PDF worker and the page all format, as samples that two runtimes can compare. */
import { getCountries } from 'libphonenumber-js/min'
import { LANGUAGES, localeOf } from '../../../electron/contract/language.ts'
import { currencyPlaces } from '../../../electron/contract/points-calculation.ts'
import {
  durationIn,
  numberFormat,
  slipBucketLabel,
  slipDays,
  slipDuration,
  slipMoment,
  slipPercent,
  slipPoints
} from '../../../electron/contract/slip-numbers-and-dates.ts'
import { csvSeparator } from '../../../electron/contract/text.ts'

const MINUTES = [5, 130, 14_400]
const MONTHS = Array.from(
  { length: 12 },
  (_, month) => new Date(Date.UTC(2026, month, month + 1, month * 2, 5))
)
const BUCKETS = ['hour', 'day', 'month', 'year'] as const
const WORDS = [
  'z',
  'Ä',
  'a',
  'é',
  'ß',
  'ss',
  'ñ',
  'll',
  'Ω',
  'ά',
  'ب',
  'أ',
  'ة',
  'ا',
  '10',
  '9',
  '_',
  '-',
  'Œ',
  'ø'
]

const samplesOf = (locale: string): readonly unknown[] => [
  locale,
  [0.5, 12.25, 999, 1250, 1_234_567, -1250].map((number) => numberFormat(locale).format(number)),
  [-1250, 0, 1250].map((number) => numberFormat(locale, 'exceptZero').format(number)),
  slipPoints(1_000_000, locale),
  slipPercent(0.056, locale),
  MONTHS.map((moment) => slipMoment(moment, 'UTC', locale)),
  MONTHS.map((moment) => slipBucketLabel(moment, 'day', 'UTC', locale)),
  BUCKETS.map((size) => slipBucketLabel(new Date('2026-11-05T17:05:00Z'), size, 'UTC', locale)),
  ['2026-11-05', '2026-11-09', '2026-12-01', '2027-01-31'].map((to) => slipDays('2026-11-05', to, locale)),
  MINUTES.map((minutes) => slipDuration(minutes * 60_000, locale)),
  MINUTES.map((minutes) => durationIn(locale, minutes * 60_000, { unitDisplay: 'short' })),
  csvSeparator(locale)
]

/** Returns samples of everything that is written, by locale and kind. */
export function formattedSamples(): Record<string, unknown> {
  const samples: Record<string, unknown> = {}
  for (const language of LANGUAGES) {
    for (const country of [null, ...getCountries()]) {
      samples[`${language} in ${country ?? 'no country'}`] = samplesOf(localeOf(language, country))
    }
    const plurals = new Intl.PluralRules(language)
    samples[`plurals of ${language}`] = [0, 1, 2, 3, 11, 99, 100, 102, 103, 1e6, 2e6, 1e6 + 1].map((number) =>
      plurals.select(number)
    )
    samples[`order of ${language}`] = WORDS.toSorted(new Intl.Collator(language).compare)
  }
  for (const currency of ['BIF', 'EUR', 'HUF', 'JPY', 'KWD', 'LBP', 'RSD', 'XCG', 'ZWG']) {
    samples[`places of ${currency}`] = currencyPlaces(currency)
  }
  return samples
}
