/**
 * What the service says, in the languages it knows. The interface document does not list the values of `x-lang`
 * (part 4); this service reads the language part of a BCP 47 tag and falls back to English.
 */
import { ar } from './ar.ts'
import { de } from './de.ts'
import { el } from './el.ts'
import { en, type MessageKey, type Messages } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'

export type { MessageKey } from './en.ts'
export type MessageValues = Readonly<Record<string, string | number>>

const languages = { en, el, de, fr, es, ar } satisfies Record<string, Messages>

/** ISO 639-1 code of a language that the service speaks. */
export type Language = keyof typeof languages

const isLanguage = (text: string): text is Language => Object.hasOwn(languages, text)

/** True for the name of a message: schemas carry these names as their issues. */
export const isMessageKey = (text: string): text is MessageKey => Object.hasOwn(en, text)

/** The language of an `x-lang` header: `el`, `el-GR` and `EL_gr` are Greek; what is not known is English. */
export const languageOf = (header: string | undefined): Language => {
  const wanted = /^[a-z]+/.exec((header ?? '').trim().toLowerCase())?.[0] ?? ''
  return isLanguage(wanted) ? wanted : 'en'
}

/** A message with its `{placeholders}` filled in. */
export const messageIn = (language: Language, key: MessageKey, values: MessageValues): string =>
  languages[language][key].replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
