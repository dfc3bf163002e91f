/** What the page speaks: the words of one language for the screen, of one for the slip, loaded when they are needed. */
import type { Language } from '../../../electron/contract/language.ts'
import { localeOf } from '../../../electron/contract/language.ts'
import type * as englishScreen from '../../../generated/messages/screen/en.js'
import type * as englishSlip from '../../../generated/messages/slip/en.js'

export type ScreenWords = typeof englishScreen
export type SlipWords = typeof englishSlip

const SCREEN: Readonly<Record<Language, () => Promise<ScreenWords>>> = {
  en: () => import('../../../generated/messages/screen/en.js'),
  de: () => import('../../../generated/messages/screen/de.js'),
  fr: () => import('../../../generated/messages/screen/fr.js'),
  es: () => import('../../../generated/messages/screen/es.js'),
  el: () => import('../../../generated/messages/screen/el.js'),
  ar: () => import('../../../generated/messages/screen/ar.js')
}

const SLIP: Readonly<Record<Language, () => Promise<SlipWords>>> = {
  en: () => import('../../../generated/messages/slip/en.js'),
  de: () => import('../../../generated/messages/slip/de.js'),
  fr: () => import('../../../generated/messages/slip/fr.js'),
  es: () => import('../../../generated/messages/slip/es.js'),
  el: () => import('../../../generated/messages/slip/el.js'),
  ar: () => import('../../../generated/messages/slip/ar.js')
}

/** In which languages, and in which country's way of writing. */
export interface Tongue {
  readonly language: Language
  readonly slipLanguage: Language
  /** ISO 3166-1 alpha-2 */
  readonly country: string
}

/** A tongue with its words at hand. Numbers and dates are spelled by the locales, BCP 47 tags. */
export interface Speech {
  readonly language: Language
  readonly locale: string
  readonly screen: ScreenWords
  readonly slipLanguage: Language
  readonly slipLocale: string
  readonly slip: SlipWords
}

let current = $state.raw<Speech | null>(null)
let asked = 0

/** Whether any words are there yet: before that nothing can be said. */
export const canSpeak = (): boolean => current !== null

/** What is spoken now. Throws before the first words are there. */
export function speech(): Speech {
  if (!current) throw new Error('No words are loaded yet')
  return current
}

/** Loads a tongue's words, and speaks it from then on, all at once. The tongue that was asked for last wins. */
export async function speak({ language, slipLanguage, country }: Tongue): Promise<void> {
  const turn = ++asked
  const [screen, slip] = await Promise.all([SCREEN[language](), SLIP[slipLanguage]()])
  if (turn !== asked) return
  current = {
    language,
    locale: localeOf(language, country),
    screen,
    slipLanguage,
    slipLocale: localeOf(slipLanguage, country),
    slip
  }
}
