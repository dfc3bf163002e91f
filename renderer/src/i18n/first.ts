/**
 * What the screen says when it is drawn first, `m.findCustomer()`: the messages that `resources/locales/screen/first.json`
 * names, which are there before anything is drawn. Whatever is loaded before the first paint takes its words from here.
 */
import { inAnyLanguage } from './in-any-language.ts'
import { speech, type FirstWords } from './speech.svelte.ts'

export const m: FirstWords = inAnyLanguage(() => speech().first)
