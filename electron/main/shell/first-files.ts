/**
 * What the cashier's page asks for as soon as its scripts run, by the beginnings of the names that the build gives
 * (`electron.vite.config.ts`): named ahead, they come along with the scripts.
 */

/** The words that it waits for before it draws anything: of its screen, and of its slips. */
export const wordsAtFirst = (language: string, slipLanguage: string): readonly string[] => [
  `words-screen-first-${language}-`,
  `words-slip-${slipLanguage}-`,
  'word-rules-'
]

/** The font of digits and of most names. Were it late, all that stands would be laid out and drawn twice. */
export const FONT_AT_FIRST = 'inter-latin-wght-normal-'
