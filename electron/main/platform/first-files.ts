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

/** The parts of the till's font, by the letters that are in them; digits and most names are in the first. */
const FONTS: readonly { readonly file: string; readonly letters: RegExp | null }[] = [
  { file: 'inter-latin-wght-normal-', letters: null },
  { file: 'inter-latin-ext-wght-normal-', letters: /[\u0100-\u0130\u0132-\u0151\u0154-\u024f]/u },
  { file: 'inter-greek-wght-normal-', letters: /[\u0370-\u03ff]/u },
  { file: 'inter-cyrillic-wght-normal-', letters: /[\u0400-\u045f]/u }
]

/** The parts of its font that these words need. Were they late, what stands would be laid out and drawn twice. */
export const fontsAtFirst = (words: readonly string[]): readonly string[] =>
  FONTS.filter(({ letters }) => letters === null || words.some((word) => letters.test(word))).map(
    ({ file }) => file
  )
