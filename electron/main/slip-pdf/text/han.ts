/** How Han characters are drawn on a slip: the same character looks different in Tokyo, Beijing, Taipei and Seoul. */
import type { HanStyle } from './families.ts'

const ZONES: Readonly<Record<string, HanStyle>> = {
  'Asia/Tokyo': 'ja',
  'Asia/Seoul': 'ko',
  'Asia/Pyongyang': 'ko',
  'Asia/Taipei': 'zh-Hant',
  'Asia/Hong_Kong': 'zh-Hant',
  'Asia/Macau': 'zh-Hant'
}

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u
const HANGUL = /\p{Script=Hangul}/u

function styleOfLocale(locale: string): HanStyle | null {
  try {
    const { language, script } = new Intl.Locale(locale).maximize()
    if (language === 'ja' || language === 'ko') return language
    if (language !== 'zh') return null
    return script === 'Hant' ? 'zh-Hant' : 'zh-Hans'
  } catch {
    return null
  }
}

/** What a text itself tells: kana are Japanese, hangul is Korean, and bare Han says nothing. */
export function styleOfText(text: string): HanStyle | null {
  if (KANA.test(text)) return 'ja'
  return HANGUL.test(text) ? 'ko' : null
}

/** The style where a text does not tell: the business's language, else its time zone, else simplified Chinese. */
export const hanStyle = ({ locale, timeZone }: { locale: string; timeZone: string }): HanStyle =>
  styleOfLocale(locale) ?? ZONES[timeZone] ?? 'zh-Hans'
