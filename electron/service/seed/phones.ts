/**
 * Phones of the seeded customers: valid in form, in E.164. Where a country keeps numbers for films and books, they
 * are used; elsewhere a number may belong to somebody, and nothing here ever dials one.
 */

/** Numbers that start with `prefix` and end in `digits` more digits, from `first` to `last`. */
export interface PhoneRange {
  readonly prefix: string
  readonly digits: number
  readonly first: number
  readonly last: number
}

const range = (prefix: string, digits: number, first = 0, last = 10 ** digits - 1): PhoneRange => ({
  prefix,
  digits,
  first,
  last
})

/** Numbers of a country, mobile ones where there is a choice, by ISO 3166-1 alpha-2 code. */
export const phoneRanges = {
  GR: range('+3069412', 5),
  CY: range('+357991', 5),
  BG: range('+359878', 6),
  EG: range('+2010012', 5),
  AE: range('+971501', 6),
  IL: range('+972502', 6),
  TH: range('+66811', 6),
  IN: range('+9198765', 5),
  JP: range('+819012', 6),
  CN: range('+8613812', 6),
  KR: range('+821012', 6),
  VN: range('+84912', 6),
  // ARCEP decision 2012-0856: 06 39 98 xx xx
  FR: range('+3363998', 4),
  // Bundesnetzagentur, numbers for the media: 0176 040690xx
  DE: range('+49176040690', 2),
  ES: range('+346121', 5),
  PL: range('+485121', 5),
  CZ: range('+420601', 6),
  TR: range('+905012', 6),
  // Ofcom, numbers for drama in London: 020 7946 0000 to 0999 (its mobile ones are not valid in form)
  GB: range('+442079460', 3),
  // Post- och telestyrelsen, numbers for fiction: 070-174 06 05 to 99
  SE: range('+467017406', 2, 5, 99),
  // North American Numbering Plan: 555-0100 to 555-0199
  US: range('+1212555', 4, 100, 199),
  // ACMA, numbers for creative works: 0491 570 xxx holds several
  AU: range('+6149157', 4, 110, 159),
  BR: range('+5511961', 6)
} as const satisfies Record<string, PhoneRange>

export type PhoneCountry = keyof typeof phoneRanges

/** Where numbers come from once a country's range is used up: Greek mobiles, ten million of them. */
const overflow = range('+30695', 7)

/** Numbers are handed out with gaps, as in a real list; a step without a common factor with 10 meets each once. */
const step = 7919

/** Hands out phones, each once. */
export const phoneBook = () => {
  const taken = new Map<string, number>()
  const next = ({ prefix, digits, first, last }: PhoneRange): string | null => {
    const size = last - first + 1
    const count = taken.get(prefix) ?? 0
    if (count >= size) return null
    taken.set(prefix, count + 1)
    // Sizes that are no power of ten may share a factor with the step; those are counted through.
    const offset = size % 10 === 0 && Number.isInteger(Math.log10(size)) ? (count * step) % size : count
    return prefix + String(first + offset).padStart(digits, '0')
  }
  return (country: PhoneCountry): string => {
    const phone = next(phoneRanges[country]) ?? next(overflow)
    if (phone === null) throw new RangeError('no phone is left to hand out')
    return phone
  }
}
