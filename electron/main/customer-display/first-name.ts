import * as v from 'valibot'
import { normalizeForSearch } from '../../contract/text.ts'
import { firstNameSchema, type FirstName } from '../../contract/customer-display.ts'

/** Returns a word for comparison: without case, accents and dots. */
const normalizeWord = (word: string): string => normalizeForSearch(word).replaceAll('.', '')

const wordSet = (...lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.split(' ').map(normalizeWord)))

/** Titles and particles before family names: "Mrs Smith" and "van Dyke" contain no first name. */
const TITLES_AND_PARTICLES = wordSet(
  'mr mrs ms miss mx sir madam dame lord lady dr prof professor doctor rev fr family company',
  'herr frau fräulein familie firma',
  'm mme mlle monsieur madame mademoiselle',
  'sr sra srta señor señora señorita don doña signor signora dott pan pani',
  'κ κα κος κυρία κύριος δρ καθ οικογένεια',
  'السيد السيدة سيد سيدة الدكتور الدكتورة دكتور دكتورة د الأستاذ الأستاذة الآنسة',
  'van von der den de del della di da dos du la el al ter ten'
)

/**
 * The most frequent Vietnamese, Chinese, Korean, Japanese and Hungarian family names, which are written first. A customer
 * with one of them as a first name is greeted without a name.
 */
const FAMILY_NAMES = wordSet(
  'nguyễn trần lê phạm huỳnh hoàng phan vũ võ đặng bùi đỗ hồ ngô dương lý trương trịnh đinh mai đào lương',
  'wang li zhang liu chen yang huang zhao wu zhou xu sun ma zhu hu guo he gao lin luo cheung wong chan lam',
  'kim lee park choi jung jeong kang cho yoon jang lim han shin seo kwon hwang song',
  'sato suzuki takahashi tanaka watanabe ito yamamoto nakamura kobayashi kato yoshida yamada sasaki yamaguchi',
  'nagy kovács tóth szabó horváth varga kiss molnár németh farkas balogh papp takács juhász lakatos mészáros'
)

/** First words of first names with two words: "Abu Bakr", "Abd Allah". */
const FIRST_OF_TWO = wordSet('abd abdul abdel abu umm عبد أبو أم')

/** Direction marks and other invisible characters. */
const INVISIBLE = /[\p{Cf}\p{Cc}]/gu

/** Scripts in which the family name comes first, mostly without a space. */
const FAMILY_FIRST = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
const ALL_FAMILY_FIRST = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]+$/u

/** Letters of Vietnamese only, where the family name comes first and the last word is the first name. */
const VIETNAMESE = /[ăđơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/iu

const isCapitals = (word: string): boolean =>
  word.length > 1 && word === word.toUpperCase() && word !== word.toLowerCase()

const isInitial = (word: string): boolean => /^\p{L}\p{M}*\.?$/u.test(word)

/** Returns the words that may be first names, best first; empty if the order of the names is uncertain. */
function givenNames(name: string): readonly string[] {
  // "Papadopoulou, Maria"
  const [beforeComma = '', afterComma] = name.split(/[,،、，]/u)
  const words = (afterComma ?? beforeComma).split(' ').filter((word) => word !== '')
  const [first, ...others] = words
  if (first === undefined) return []
  if (FAMILY_FIRST.test(name)) {
    // Without a space the end of the family name is uncertain; with one, the family name comes first.
    const [family, given, ...more] = words
    const isCertain = family !== undefined && given !== undefined && more.length === 0
    return isCertain && words.every((word) => ALL_FAMILY_FIRST.test(word)) ? [given] : []
  }
  if (TITLES_AND_PARTICLES.has(normalizeWord(first)) || isInitial(first)) return []
  if (afterComma === undefined && others.length > 0 && FAMILY_NAMES.has(normalizeWord(first))) {
    return VIETNAMESE.test(name) ? words.slice(-1) : []
  }
  // "PAPADOPOULOU Maria": capitals mark the family name.
  const small = words.filter((word) => !isCapitals(word))
  return small.length > 0 ? small : words
}

/**
 * Returns the first name in the service's `name` field, which contains free text. Null if the text is or may be a phone,
 * an e-mail or a family name alone. A single word is used as it is.
 */
export function firstNameOf(name: string): FirstName | null {
  const tidy = name.normalize('NFC').replaceAll(INVISIBLE, '').replaceAll(/\s+/gu, ' ').trim()
  // A text with digits or parts of an address is not a name.
  if (/[\p{N}@＠﹫_/\\:]/u.test(tidy)) return null
  const [first, second] = givenNames(tidy)
  if (first === undefined) return null
  const joined = second !== undefined && FIRST_OF_TWO.has(normalizeWord(first)) ? `${first} ${second}` : first
  const parsed = v.safeParse(firstNameSchema, joined)
  return parsed.success ? parsed.output : null
}
