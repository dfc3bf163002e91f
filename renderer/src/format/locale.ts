import { speech } from '../i18n/speech.svelte.ts'

/** The till's language as it is written in the shop's country, as a BCP 47 tag. */
export const screenLocale = (): string => speech().locale
