import { toAsciiDigits } from './numbers.ts'

/** A piece of a text, and whether it is what was looked for. */
export interface TextPart {
  readonly text: string
  readonly matched: boolean
}

/** From where to where in a text, in UTF-16 units, the end excluded. */
type Span = readonly [start: number, end: number]

/** A text reduced to what is compared, and for each unit of it the place in the text that it came from. */
interface Folded {
  readonly text: string
  readonly places: readonly number[]
}

/** Letters without accents, in one case; the two small sigmas are one. */
const foldLetter = (letter: string): string =>
  letter.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/ς/gu, 'σ')

function fold(text: string, letterOf: (letter: string) => string): Folded {
  let folded = ''
  const places: number[] = []
  let place = 0
  for (const letter of text) {
    const plain = letterOf(letter)
    folded += plain
    const at = place
    places.push(...Array.from({ length: plain.length }, () => at))
    place += letter.length
  }
  return { text: folded, places }
}

const isInWord = (letter: string | undefined): boolean => letter !== undefined && /[\p{L}\p{N}]/u.test(letter)

/** Where a word begins one of the words of a text; else where it first stands inside one. */
function spansOfWord({ text, places }: Folded, word: string, end: number): readonly Span[] {
  const spanAt = (at: number): Span => [places[at] ?? end, places[at + word.length] ?? end]
  const starts: number[] = []
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) starts.push(at)
  const beginnings = starts.filter((at) => !isInWord(text[at - 1]))
  return (beginnings.length > 0 ? beginnings : starts.slice(0, 1)).map(spanAt)
}

/** Cuts a text at the spans. Spans may touch and overlap; marks that follow a letter stay with it. */
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
 * Which parts of a name or an e-mail were looked for: each word of the query where a word of the text begins with it,
 * whatever the accents and the case.
 */
export function highlightText(text: string, query: string): readonly TextPart[] {
  const words = fold(query, foldLetter).text.split(/\s+/u).filter(Boolean)
  if (words.length === 0) return cut(text, [])
  const folded = fold(text, foldLetter)
  return cut(
    text,
    words.flatMap((word) => spansOfWord(folded, word, text.length))
  )
}

/** Spellings of the beginning of a phone, by its digits: as typed, and without what is only dialled. */
const dialled = (query: string): readonly string[] => {
  if (!/^[+\p{Nd}\s().\-/]+$/u.test(query)) return []
  const digits = toAsciiDigits(query).replace(/\D/gu, '')
  return [digits, digits.replace(/^00/u, ''), digits.replace(/^0+/u, '')].filter((one) => one.length >= 2)
}

/** Which digits of a phone were looked for, across its spaces: `6901` in `+30 690 123 4567`. */
export function highlightPhone(phone: string, query: string): readonly TextPart[] {
  const spellings = dialled(query.trim())
  if (spellings.length === 0) return cut(phone, [])
  const { text, places } = fold(phone, (letter) => (/\p{Nd}/u.test(letter) ? toAsciiDigits(letter) : ''))
  for (const digits of spellings) {
    const at = text.indexOf(digits)
    if (at >= 0) {
      const start = places[at] ?? 0
      const last = places[at + digits.length - 1] ?? start
      return cut(phone, [[start, last + 1]])
    }
  }
  return cut(phone, [])
}
