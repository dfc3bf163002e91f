/** Words by which the parts of a name are told apart, as `plainWord` spells them. */

/** For comparing: lower case, without accents and dots. */
export const plainWord = (word: string): string =>
  word
    .normalize('NFD')
    .replaceAll(/[\p{M}.]/gu, '')
    .replaceAll(/đ/giu, 'd')
    .toLowerCase()

const wordSet = (...lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.split(' ').map(plainWord)))

/** What a family name begins with, or stands behind: "Mrs Smith" and "van Dyke" have no first name in them. */
export const NO_FIRST_NAMES = wordSet(
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
export const FAMILY_NAMES = wordSet(
  'nguyễn trần lê phạm huỳnh hoàng phan vũ võ đặng bùi đỗ hồ ngô dương lý trương trịnh đinh mai đào lương',
  'wang li zhang liu chen yang huang zhao wu zhou xu sun ma zhu hu guo he gao lin luo cheung wong chan lam',
  'kim lee park choi jung jeong kang cho yoon jang lim han shin seo kwon hwang song',
  'sato suzuki takahashi tanaka watanabe ito yamamoto nakamura kobayashi kato yoshida yamada sasaki yamaguchi',
  'nagy kovács tóth szabó horváth varga kiss molnár németh farkas balogh papp takács juhász lakatos mészáros'
)

/** First names that are two words: "Abu Bakr", "Abd Allah". */
export const JOINED_TO_THE_NEXT = wordSet('abd abdul abdel abu umm عبد أبو أم')
