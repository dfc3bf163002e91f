import * as v from 'valibot'
import { firstNameSchema, type FirstName } from '../../contract/customer-display.ts'

/** Words by which the parts of a name are told apart, as `normalizeWord` spells them. */

/** For comparing: lower case, without accents and dots. */
const normalizeWord = (word: string): string =>
  word
    .normalize('NFD')
    .replaceAll(/[\p{M}.]/gu, '')
    .replaceAll(/đ/giu, 'd')
    .toLowerCase()

const wordSet = (...lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.split(' ').map(normalizeWord)))

/** What a family name begins with, or stands behind: "Mrs Smith" and "van Dyke" have no first name in them. */
const NO_FIRST_NAMES = wordSet(
  'mr mrs ms miss mx sir madam dame lord lady dr prof professor doctor rev fr family company',
  'herr frau fräulein familie firma',
  'm mme mlle monsieur madame mademoiselle',
  'sr sra srta señor señora señorita don doña signor signora dott pan pani',
  'κ κα κος κυρία κύριος δρ καθ οικογένεια',
  'السيد السيدة سيد سيدة الدكتور الدكتورة دكتور دكتورة د الأستاذ الأستاذة الآنسة',
  'van von der den de del della di da dos du la el al ter ten'
)

/**
 * The most frequent family names of those who write them first in the Latin alphabet: Vietnamese, Chinese, Korean,
 * Japanese, Hungarian. Whoever has one of them as a first name is greeted without a name, which hurts nobody.
 */
const FAMILY_NAMES = wordSet(
  'nguyễn trần lê phạm huỳnh hoàng phan vũ võ đặng bùi đỗ hồ ngô dương lý trương trịnh đinh mai đào lương',
  'wang li zhang liu chen yang huang zhao wu zhou xu sun ma zhu hu guo he gao lin luo cheung wong chan lam',
  'kim lee park choi jung jeong kang cho yoon jang lim han shin seo kwon hwang song',
  'sato suzuki takahashi tanaka watanabe ito yamamoto nakamura kobayashi kato yoshida yamada sasaki yamaguchi',
  'nagy kovács tóth szabó horváth varga kiss molnár németh farkas balogh papp takács juhász lakatos mészáros'
)

/** First names that are two words: "Abu Bakr", "Abd Allah". */
const JOINED_TO_THE_NEXT = wordSet('abd abdul abdel abu umm عبد أبو أم')

/* from first-name.ts: The one part of a customer's name that strangers may read: the first name, and none at all when in doubt. */

/** Marks that steer the direction of text, and others that cannot be seen. */
const INVISIBLE = /[\p{Cf}\p{Cc}]/gu

/** Written family name first, and mostly without a space between the two. */
const FAMILY_FIRST = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
const ALL_FAMILY_FIRST = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]+$/u

/** Letters that only Vietnamese writes: there the family name comes first, and the last word is what one is called. */
const VIETNAMESE = /[ăđơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/iu

const isCapitals = (word: string): boolean =>
  word.length > 1 && word === word.toUpperCase() && word !== word.toLowerCase()

const isInitial = (word: string): boolean => /^\p{L}\p{M}*\.?$/u.test(word)

/** The words to choose from, the first name foremost; empty when the order of the parts cannot be told. */
function givenNames(name: string): readonly string[] {
  // "Papadopoulou, Maria"
  const [beforeComma = '', afterComma] = name.split(/[,،、，]/u)
  const words = (afterComma ?? beforeComma).split(' ').filter((word) => word !== '')
  const [first, ...others] = words
  if (first === undefined) return []
  if (FAMILY_FIRST.test(name)) {
    // Without a space nobody can tell where the family name ends; with one it comes first.
    const [family, given, ...more] = words
    const told = family !== undefined && given !== undefined && more.length === 0
    return told && words.every((word) => ALL_FAMILY_FIRST.test(word)) ? [given] : []
  }
  if (NO_FIRST_NAMES.has(normalizeWord(first)) || isInitial(first)) return []
  if (afterComma === undefined && others.length > 0 && FAMILY_NAMES.has(normalizeWord(first))) {
    return VIETNAMESE.test(name) ? words.slice(-1) : []
  }
  // "PAPADOPOULOU Maria": capitals mark the family name.
  const small = words.filter((word) => !isCapitals(word))
  return small.length > 0 ? small : words
}

/**
 * The first name in what the service calls `name`: one field, in whatever spelling somebody typed it. Null for
 * anything that is, or may be, a phone number, an e-mail or a family name alone. One word is taken as it is: it is all
 * that the customer is called.
 */
export function firstNameOf(name: string): FirstName | null {
  const tidy = name.normalize('NFC').replaceAll(INVISIBLE, '').replaceAll(/\s+/gu, ' ').trim()
  // A name with digits or an address in it is not written as names are: none of it can be trusted.
  if (/[\p{N}@＠﹫_/\\:]/u.test(tidy)) return null
  const [first, second] = givenNames(tidy)
  if (first === undefined) return null
  const joined =
    second !== undefined && JOINED_TO_THE_NEXT.has(normalizeWord(first)) ? `${first} ${second}` : first
  const parsed = v.safeParse(firstNameSchema, joined)
  return parsed.success ? parsed.output : null
}
