/** The font families of resources/fonts, and which of them a text is looked for in first. */

export type Weight = 'regular' | 'bold'

/** Families with a bold file of their own. The others' bold is their regular, drawn with a thicker stroke. */
const WITH_BOLD = ['NotoSans', 'IBMPlexSansArabic', 'NotoSansHebrew', 'NotoSansThai'] as const

/**
 * Everything but Han, kana and hangul, in the order of preference. IBM Plex comes before Noto for Arabic: Noto draws
 * dots apart from their letters, so that one letter is several glyphs.
 */
const ALPHABETS = [
  'NotoSans',
  'IBMPlexSansArabic',
  'NotoSansArabic',
  'NotoSansHebrew',
  'NotoSansThai',
  'NotoSansArmenian',
  'NotoSansGeorgian',
  'NotoSansBengali',
  'NotoSansGujarati',
  'NotoSansGurmukhi',
  'NotoSansKannada',
  'NotoSansMalayalam',
  'NotoSansSinhala',
  'NotoSansTamil',
  'NotoSansTelugu',
  'NotoSansKhmer',
  'NotoSansLao',
  'NotoSansMyanmar',
  'NotoSansEthiopic'
] as const

/** Han characters are drawn differently in each of these. */
export const HAN_STYLES = ['ja', 'zh-Hans', 'zh-Hant', 'ko'] as const
export type HanStyle = (typeof HAN_STYLES)[number]

const HAN = {
  ja: ['NotoSansJP', 'NotoSansSC', 'NotoSansTC', 'NotoSansKR'],
  'zh-Hans': ['NotoSansSC', 'NotoSansTC', 'NotoSansJP', 'NotoSansKR'],
  'zh-Hant': ['NotoSansTC', 'NotoSansSC', 'NotoSansJP', 'NotoSansKR'],
  ko: ['NotoSansKR', 'NotoSansJP', 'NotoSansSC', 'NotoSansTC']
} as const satisfies Record<HanStyle, readonly string[]>

const EMOJI = 'NotoEmoji'

export type Family = (typeof ALPHABETS)[number] | (typeof HAN)['ja'][number] | typeof EMOJI

export const FAMILIES: readonly Family[] = [...ALPHABETS, ...HAN.ja, EMOJI]

/** The family that has the replacement mark, the ellipsis and the dotted circle. */
export const BASE_FAMILY = 'NotoSans' satisfies Family

/** Where text in a style of Han is looked for, best first; `emoji` for a character that asks for a picture. */
export const familyOrder = (han: HanStyle): { text: readonly Family[]; emoji: readonly Family[] } => {
  const text: readonly Family[] = [...ALPHABETS, ...HAN[han], EMOJI]
  return { text, emoji: [EMOJI, ...text] }
}

/** The file that draws a weight of a family, and whether it must be thickened to look bold. Pictures stay as they are. */
export function fileOf(family: Family, weight: Weight): { file: string; thicken: boolean } {
  const bold = weight === 'bold'
  const ownBold = bold && WITH_BOLD.some((name) => name === family)
  const thicken = bold && !ownBold && family !== EMOJI
  return { file: `${family}-${ownBold ? 'Bold' : 'Regular'}.ttf`, thicken }
}
