/** How customers are written: initials, masked phones, and what matches a search. */
import type { Customer } from '../../../electron/contract/loyalty.ts'
import { initialsOf, normalizeForSearch } from '../../../electron/contract/text.ts'
import { screenLocale } from '../i18n/locale.svelte.ts'
import { toAsciiDigits } from '../../../electron/contract/text.ts'

/** Returns one or two letters that are shown instead of a missing picture: `Maria Papadaki` → `MP`. */
export const initials = (name: string): string => initialsOf(name, screenLocale())

/** Returns a customer's name for comparison. */
export const nameKey = ({ name }: Customer): string => name.trim().toLocaleLowerCase()

/** Returns the names (as `nameKey` returns them) that several of these customers have. */
export function duplicateNames(customers: readonly Customer[]): ReadonlySet<string> {
  const seen = new Set<string>()
  const twice = new Set<string>()
  for (const customer of customers) {
    const name = nameKey(customer)
    if (seen.has(name)) twice.add(name)
    seen.add(name)
  }
  return twice
}

/** Maximum number of visible digits of a masked phone: enough to tell two customers apart. */
const SHOWN = 4

/**
 * Masks a phone for the screen: `+30 690 123 4567` → `+30 ••• ••• 4567`. The country code stays visible if it is
 * separated, and the last four digits, or half of them if there are fewer than eight.
 */
export function maskPhone(phone: string): string {
  const [, country = '', rest = ''] = /^(\+\p{Nd}+\s)?(.*)$/u.exec(phone.trim()) ?? []
  const digits = rest.match(/\p{Nd}/gu)?.length ?? 0
  const hidden = digits - Math.min(SHOWN, Math.floor(digits / 2))
  let place = 0
  return country + rest.replace(/\p{Nd}/gu, (digit) => (place++ < hidden ? '•' : digit))
}

/** A part of a text, and whether it matches. */
export interface TextPart {
  readonly text: string
  readonly matched: boolean
}

/** Start and end in a text, in UTF-16 units, the end excluded. */
type Span = readonly [start: number, end: number]

/** A normalized text, and for each of its units the index in the original. */
interface NormalizedText {
  readonly text: string
  readonly indices: readonly number[]
}

function fold(text: string, letterOf: (letter: string) => string): NormalizedText {
  let folded = ''
  const indices: number[] = []
  let place = 0
  for (const letter of text) {
    const plain = letterOf(letter)
    folded += plain
    const at = place
    indices.push(...Array.from({ length: plain.length }, () => at))
    place += letter.length
  }
  return { text: folded, indices }
}

const isInWord = (letter: string | undefined): boolean => letter !== undefined && /[\p{L}\p{N}]/u.test(letter)

/** Returns where words of the text begin with `word`; otherwise its first occurrence. */
function spansOfWord({ text, indices }: NormalizedText, word: string, end: number): readonly Span[] {
  const spanAt = (at: number): Span => [indices[at] ?? end, indices[at + word.length] ?? end]
  const starts: number[] = []
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) starts.push(at)
  const beginnings = starts.filter((at) => !isInWord(text[at - 1]))
  return (beginnings.length > 0 ? beginnings : starts.slice(0, 1)).map(spanAt)
}

/** Splits a text at the spans, which may touch and overlap. Combining marks stay with their letter. */
function cut(text: string, spans: readonly Span[]): readonly TextPart[] {
  const pieces: TextPart[] = []
  let from = 0
  const upTo = (to: number, matched: boolean): void => {
    if (to > from) pieces.push({ text: text.slice(from, to), matched })
    from = Math.max(from, to)
  }
  for (const [start, end] of [...spans].sort(([one], [other]) => one - other)) {
    upTo(start, false)
    const marks = /^\p{M}*/u.exec(text.slice(end))?.[0].length ?? 0
    upTo(end + marks, true)
  }
  upTo(text.length, false)
  return pieces
}

/**
 * Returns the parts of a name or an e-mail that match: each word of the query at the beginning of a word, ignoring
 * accents and case.
 */
export function highlightText(text: string, query: string): readonly TextPart[] {
  const words = fold(query, normalizeForSearch).text.split(/\s+/u).filter(Boolean)
  if (words.length === 0) return cut(text, [])
  const folded = fold(text, normalizeForSearch)
  return cut(
    text,
    words.flatMap((word) => spansOfWord(folded, word, text.length))
  )
}

/** Returns the digits that a phone may begin with: as typed, and without an international or national prefix. */
const dialledDigits = (query: string): readonly string[] => {
  if (!/^[+\p{Nd}\s().\-/]+$/u.test(query)) return []
  const digits = toAsciiDigits(query).replace(/\D/gu, '')
  return [digits, digits.replace(/^00/u, ''), digits.replace(/^0+/u, '')].filter((one) => one.length >= 2)
}

/** Returns the parts of a phone whose digits match, ignoring spaces: `6901` in `+30 690 123 4567`. */
export function highlightPhone(phone: string, query: string): readonly TextPart[] {
  const spellings = dialledDigits(query.trim())
  if (spellings.length === 0) return cut(phone, [])
  const { text, indices } = fold(phone, (letter) => (/\p{Nd}/u.test(letter) ? toAsciiDigits(letter) : ''))
  for (const digits of spellings) {
    const at = text.indexOf(digits)
    if (at >= 0) {
      const start = indices[at] ?? 0
      const last = indices[at + digits.length - 1] ?? start
      return cut(phone, [[start, last + 1]])
    }
  }
  return cut(phone, [])
}
