/**
 * Lets the steps to a picture, which are written in English, find their way in a till that speaks another language:
 * every name that is looked for is replaced by what that language calls the same thing.
 */
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import * as v from 'valibot'
import type { Language } from '../../../electron/contract/language.ts'

const messagesSchema = v.record(
  v.string(),
  v.union([v.string(), v.array(v.looseObject({ match: v.record(v.string(), v.string()) }))])
)

/** Every text of a language by its key; a message with several texts has one key for each. */
function textsOf(language: Language): ReadonlyMap<string, string> {
  const file = new URL(`../../../resources/messages/screen/${language}.json`, import.meta.url)
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
 * What a language says for each English text; what it does not say is looked for in English. Where English says the same
 * of two things that the language tells apart, either is looked for.
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
    return others.length === 0 ? first : new RegExp([first, ...others].map(RegExp.escape).join('|'), 'u')
  }
}

/** Names of Playwright's methods that look for something by what it is called. */
const BY_NAME = new Set(['getByRole', 'getByLabel', 'getByText'])

/** The same page, or locator, for steps in English. */
function speaking<Finder extends object>(finder: Finder, said: (text: string) => string | RegExp): Finder {
  const inOther = (argument: unknown): unknown => {
    if (typeof argument !== 'object' || argument === null || !('name' in argument)) return argument
    return typeof argument.name === 'string' ? { ...argument, name: said(argument.name) } : argument
  }
  return new Proxy(finder, {
    get(target, property) {
      const member: unknown = Reflect.get(target, property)
      if (typeof member !== 'function') return member
      return (...given: unknown[]): unknown => {
        const [first, ...rest] = given
        const isText = property !== 'getByRole' && BY_NAME.has(String(property)) && typeof first === 'string'
        const wanted = BY_NAME.has(String(property))
          ? [isText ? said(first) : first, ...rest.map(inOther)]
          : given
        const result: unknown = Reflect.apply(member, target, wanted)
        const isFinder = typeof result === 'object' && result !== null && 'getByRole' in result
        return isFinder ? speaking(result, said) : result
      }
    }
  })
}

/** The page of a till that speaks `language`, for steps in English. */
export const inEnglish = (page: Page, language: Language): Page =>
  language === 'en' ? page : speaking(page, dictionary(language))
