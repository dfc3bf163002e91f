/**
 * Everything the screen says, `m.findCustomer()`: typed functions that speak the language of the moment. Their texts are
 * in `resources/locales/`; no text that a person reads stands anywhere else. What is drawn first cannot wait for all
 * of them, and takes `m` from `first.ts`.
 */
import { inAnyLanguage } from './in-any-language.ts'
import { allWords, type ScreenWords } from './speech.svelte.ts'

export const m: ScreenWords = inAnyLanguage(allWords)
