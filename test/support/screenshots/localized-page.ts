/** Runs steps written for the English screen on any language: accessible names are translated before they are located. */
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import * as v from 'valibot'
import type { Language } from '../../../electron/contract/language.ts'

const messagesSchema = v.record(
  v.string(),
  v.union([v.string(), v.array(v.looseObject({ match: v.record(v.string(), v.string()) }))])
)

/** Returns the messages of a language by key; a message with variants has one key for each. */
function textsOf(language: Language): ReadonlyMap<string, string> {
  const file = new URL(`../../../resources/locales/screen/${language}.json`, import.meta.url)
  const texts = new Map<string, string>()
  for (const [key, message] of Object.entries(
    v.parse(messagesSchema, JSON.parse(readFileSync(file, 'utf8')))
  )) {
    if (typeof message === 'string') texts.set(key, message)
    else for (const [when, text] of Object.entries(message[0]?.match ?? {})) texts.set(`${key} ${when}`, text)
  }
  return texts
}

/**
 * Returns a function from an English text to its translation, or to the same text if there is none. An English text with
 * several translations becomes a pattern that matches each.
 */
function dictionary(language: Language): (text: string) => string | RegExp {
  const other = textsOf(language)
  const meanings = new Map<string, Set<string>>()
  for (const [key, text] of textsOf('en')) {
    const said = other.get(key) ?? text
    meanings.set(text, (meanings.get(text) ?? new Set()).add(said))
  }
  return (text) => {
    const [first = text, ...others] = meanings.get(text) ?? []
    return others.length === 0
      ? first
      : new RegExp([first, ...others].map((one) => RegExp.escape(one)).join('|'), 'u')
  }
}

/** Playwright methods that locate by accessible name or text. */
const BY_NAME = new Set(['getByRole', 'getByLabel', 'getByText'])

/** Wraps a page or locator so that names are translated. */
function localized<Finder extends object>(
  finder: Finder,
  translate: (text: string) => string | RegExp
): Finder {
  const inOther = (argument: unknown): unknown => {
    if (typeof argument !== 'object' || argument === null || !('name' in argument)) return argument
    return typeof argument.name === 'string' ? { ...argument, name: translate(argument.name) } : argument
  }
  return new Proxy(finder, {
    get(target, property) {
      const member: unknown = Reflect.get(target, property)
      if (typeof member !== 'function') return member
      return (...given: unknown[]): unknown => {
        const [first, ...rest] = given
        const isText = property !== 'getByRole' && BY_NAME.has(String(property)) && typeof first === 'string'
        const wanted = BY_NAME.has(String(property))
          ? [isText ? translate(first) : first, ...rest.map(inOther)]
          : given
        const result: unknown = Reflect.apply(member, target, wanted)
        const isFinder = typeof result === 'object' && result !== null && 'getByRole' in result
        return isFinder ? localized(result, translate) : result
      }
    }
  })
}

/** Wraps the page of a till in `language` for steps in English. */
export const localizedPage = (page: Page, language: Language): Page =>
  language === 'en' ? page : localized(page, dictionary(language))
