/** The current locale: the messages of the screen and of the slip, loaded by language, and the tags for `Intl`. */
import { localeOf, type Language } from '../../../electron/contract/language.ts'
import { loadMessages as loadScreenMessages } from '../../../generated/messages/screen/load.js'
import type * as englishScreen from '../../../generated/messages/screen/en.js'
import { loadMessages as loadSlipMessages } from '../../../generated/messages/slip/load.js'
import type * as englishSlip from '../../../generated/messages/slip/en.js'

export type ScreenMessages = typeof englishScreen
export type SlipMessages = typeof englishSlip

/** The languages of the screen and of slips, and the country that decides how numbers and dates are written. */
export interface Locale {
  readonly language: Language
  readonly slipLanguage: Language
  /** ISO 3166-1 alpha-2 */
  readonly country: string
}

/** A locale with its messages. */
interface LoadedLocale {
  readonly language: Language
  /** BCP 47 tag for numbers and dates on the screen */
  readonly tag: string
  readonly screen: ScreenMessages
  readonly slipLanguage: Language
  /** BCP 47 tag for numbers and dates on slips */
  readonly slipTag: string
  readonly slip: SlipMessages
}

let current = $state.raw<LoadedLocale | null>(null)
let latestLoad: Promise<void> = Promise.resolve()
let loads = 0

/** Whether a locale is loaded. Until then no message can be shown. */
export const isLocaleLoaded = (): boolean => current !== null

/** Returns the loaded locale. Throws if none is loaded yet. */
export function currentLocale(): LoadedLocale {
  if (!current) throw new Error('No locale is loaded yet')
  return current
}

/**
 * Loads the messages of a locale and switches to it. Resolves when the switch is done; if aborted by a later call,
 * resolves with that one. Rejects if a message file cannot be loaded.
 */
export function setLocale(locale: Locale): Promise<void> {
  latestLoad = load(locale, ++loads)
  return latestLoad
}

async function load({ language, slipLanguage, country }: Locale, turn: number): Promise<void> {
  const [screen, slip] = await Promise.all([loadScreenMessages(language), loadSlipMessages(slipLanguage)])
  if (turn !== loads) return latestLoad
  current = {
    language,
    tag: localeOf(language, country),
    screen,
    slipLanguage,
    slipTag: localeOf(slipLanguage, country),
    slip
  }
}

/** Returns the BCP 47 tag of the screen's locale, such as `de-GR`. */
export const screenLocale = (): string => currentLocale().tag

/**
 * Returns a getter of the value that `create` makes for the screen's locale, created once per locale: creating an `Intl`
 * formatter takes a hundred times as long as using it, and a scrolling list needs dozens per frame.
 */
export function memoizeByLocale<Value>(create: (locale: string) => Value): () => Value {
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- a cache, not rendered
  const values = new Map<string, Value>()
  return () => {
    const locale = screenLocale()
    const known = values.get(locale)
    if (known !== undefined) return known
    const value = create(locale)
    values.set(locale, value)
    return value
  }
}
