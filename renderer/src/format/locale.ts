import { TILL_LOCALE } from '../../../electron/contract/locale.ts'

/** The screen's language, as a BCP 47 tag: the same as the slip's, so that the paper on the screen tells no lie. */
export const screenLocale = (): string => TILL_LOCALE
