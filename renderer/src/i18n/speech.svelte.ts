/**
 * What the page speaks: the words of one language for the screen, of one for the slip, loaded when they are needed. The
 * words of the first paint come first; all the others come before the first part of the page that says them.
 */
import { localeOf, type Language } from '../../../electron/contract/language.ts'
import type * as englishFirst from '../../../generated/messages/screen/first/en.js'
import type * as englishLater from '../../../generated/messages/screen/later/en.js'
import type * as englishSlip from '../../../generated/messages/slip/en.js'

/** What the window and the counter say when they are drawn first: `resources/locales/screen/first.json`. */
export type FirstWords = typeof englishFirst
/** Everything that the screen says. */
export type ScreenWords = FirstWords & typeof englishLater
export type SlipWords = typeof englishSlip

const FIRST: Readonly<Record<Language, () => Promise<FirstWords>>> = {
  en: () => import('../../../generated/messages/screen/first/en.js'),
  de: () => import('../../../generated/messages/screen/first/de.js'),
  fr: () => import('../../../generated/messages/screen/first/fr.js'),
  es: () => import('../../../generated/messages/screen/first/es.js'),
  el: () => import('../../../generated/messages/screen/first/el.js'),
  ar: () => import('../../../generated/messages/screen/first/ar.js')
}

const LATER: Readonly<Record<Language, () => Promise<typeof englishLater>>> = {
  en: () => import('../../../generated/messages/screen/later/en.js'),
  de: () => import('../../../generated/messages/screen/later/de.js'),
  fr: () => import('../../../generated/messages/screen/later/fr.js'),
  es: () => import('../../../generated/messages/screen/later/es.js'),
  el: () => import('../../../generated/messages/screen/later/el.js'),
  ar: () => import('../../../generated/messages/screen/later/ar.js')
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
  readonly first: FirstWords
  /** null while nobody wanted more than the first ones */
  readonly screen: ScreenWords | null
  readonly slipLanguage: Language
  readonly slipLocale: string
  readonly slip: SlipWords
}

let current = $state.raw<Speech | null>(null)
let tongue: Tongue | null = null
let wantsAll = false
/** the loading that was begun last */
let loading: Promise<void> = Promise.resolve()
let asked = 0

/** Whether any words are there yet: before that nothing can be said. */
export const canSpeak = (): boolean => current !== null

/** What is spoken now. Throws before the first words are there. */
export function speech(): Speech {
  if (!current) throw new Error('No words are loaded yet')
  return current
}

/** Everything that the screen says now. Throws unless `speakAll` was waited for. */
export function allWords(): ScreenWords {
  const { screen } = speech()
  if (!screen) throw new Error('Only the words of the first paint are loaded yet')
  return screen
}

/** Loads a tongue's words, and speaks it from then on, all at once. The tongue that was asked for last wins. */
export function speak(next: Tongue): Promise<void> {
  tongue = next
  return load(next)
}

/** Has all words of the screen at hand from then on, and not only the first ones. */
export function speakAll(): Promise<void> {
  const isNews = !wantsAll
  wantsAll = true
  return isNews && tongue ? load(tongue) : loading
}

function load(wanted: Tongue): Promise<void> {
  loading = take(wanted, ++asked)
  return loading
}

async function take({ language, slipLanguage, country }: Tongue, turn: number): Promise<void> {
  const [first, later, slip] = await Promise.all([
    FIRST[language](),
    wantsAll ? LATER[language]() : null,
    SLIP[slipLanguage]()
  ])
  // Whoever waited for this one goes on when what was asked for since is spoken.
  if (turn !== asked) return loading
  current = {
    language,
    locale: localeOf(language, country),
    first,
    screen: later && { ...first, ...later },
    slipLanguage,
    slipLocale: localeOf(slipLanguage, country),
    slip
  }
}
