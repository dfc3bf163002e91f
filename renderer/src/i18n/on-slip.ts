/** Everything a slip says, `onSlip.headline()`, in the language of slips. */
import { inAnyLanguage } from './in-any-language.ts'
import { speech, type SlipWords } from './speech.svelte.ts'

export const onSlip: SlipWords = inAnyLanguage(() => speech().slip)
