/** What the customer display says: a few words of one language, loaded when they are needed. */
import type { Language } from '../../../electron/contract/language.ts'
import type * as english from '../../../generated/messages/customer-display/en.js'

export type DisplayWords = typeof english

const WORDS: Readonly<Record<Language, () => Promise<DisplayWords>>> = {
  en: () => import('../../../generated/messages/customer-display/en.js'),
  de: () => import('../../../generated/messages/customer-display/de.js'),
  fr: () => import('../../../generated/messages/customer-display/fr.js'),
  es: () => import('../../../generated/messages/customer-display/es.js'),
  el: () => import('../../../generated/messages/customer-display/el.js'),
  ar: () => import('../../../generated/messages/customer-display/ar.js')
}

export const loadWords = (language: Language): Promise<DisplayWords> => WORDS[language]()

/** A name inside a sentence of another script: kept in one piece, whichever way either is read (Unicode, UAX 9). */
export const isolated = (name: string): string => `\u2068${name}\u2069`
