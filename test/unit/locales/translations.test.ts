import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LANGUAGES, type Language } from '../../../electron/contract/language.ts'
import {
  choicesOf,
  conditionsOf,
  parametersOf,
  placeholdersOf,
  pluralsOf,
  readMessages,
  textsOf,
  type Message,
  type Messages
} from '../../../resources/scripts/message-source.ts'
import { PROJECT } from '../../../resources/scripts/tools.ts'

const SOURCES = join(PROJECT, 'resources/locales')
const GROUPS = readdirSync(SOURCES, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : []
)
const read = (group: string, language: Language): Messages =>
  readMessages(join(SOURCES, group, `${language}.json`))

const OTHERS = LANGUAGES.filter((language) => language !== 'en')
const CASES = GROUPS.flatMap((group) => OTHERS.map((language) => [group, language] as const))
const EVERY = GROUPS.flatMap((group) => LANGUAGES.map((language) => [group, language] as const))

/** The plural categories that a language has. */
const categoriesOf = (language: Language): string[] =>
  new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted()

/** The categories that a message has a text for, by the name of its selector. */
function pluralTextsOf(message: Message): Record<string, string[]> {
  if (typeof message === 'string') return {}
  const variants = Object.keys(message.match).map(conditionsOf)
  return Object.fromEntries(
    [...pluralsOf(message).keys()].map((selector) => [
      selector,
      [...new Set(variants.map((variant) => variant.get(selector) ?? '*'))].toSorted()
    ])
  )
}

/** What each text of a message fills in, apart from the number that a plural may spell as a word. */
const filledIn = (message: Message): string[] => {
  const mayBeAWord = pluralsOf(message).size > 0 ? 'number' : ''
  return [...new Set(textsOf(message).flatMap(placeholdersOf))]
    .filter((name) => name !== mayBeAWord)
    .toSorted()
}

describe.each(CASES)('%s in %s', (group, language) => {
  const english = read(group, 'en')
  const messages = read(group, language)

  test('has every message, and no other', () => {
    expect(Object.keys(messages).toSorted()).toEqual(Object.keys(english).toSorted())
  })

  test('takes the same parameters', () => {
    for (const [key, message] of Object.entries(messages)) {
      const source = english[key]
      if (source === undefined) continue
      expect({ key, parameters: parametersOf(message) }).toEqual({ key, parameters: parametersOf(source) })
    }
  })

  test('fills all of them in, in every text that is not a plural’s', () => {
    for (const [key, message] of Object.entries(messages)) {
      const source = english[key]
      if (source === undefined) continue
      expect({ key, filledIn: filledIn(message) }).toEqual({ key, filledIn: filledIn(source) })
    }
  })

  test('chooses between the same words', () => {
    for (const [key, message] of Object.entries(messages)) {
      const source = english[key]
      if (source !== undefined)
        expect({ key, choices: choicesOf(message) }).toEqual({ key, choices: choicesOf(source) })
    }
  })
})

describe.each(EVERY)('%s in %s', (group, language) => {
  const messages = Object.entries(read(group, language))

  test('has a text for every plural of the language', () => {
    for (const [key, message] of messages) {
      for (const [selector, categories] of Object.entries(pluralTextsOf(message))) {
        expect({ key, selector, categories }).toEqual({ key, selector, categories: categoriesOf(language) })
      }
    }
  })

  test('spells the number out, or fills it in, in every plural for several numbers', () => {
    for (const [key, message] of messages) {
      if (typeof message === 'string' || pluralsOf(message).size === 0) continue
      const texts = Object.entries(message.match)
      if (!texts.some(([, text]) => placeholdersOf(text).includes('number'))) continue
      for (const [variant, text] of texts) {
        if (/=(few|many|other)\b/u.test(variant)) expect(`${key} ${variant}: ${text}`).toContain('{number}')
      }
    }
  })

  test('says something everywhere, without spaces around it', () => {
    for (const [key, message] of messages) {
      for (const text of textsOf(message)) expect(`${key}: ${text}`).toMatch(/^\w+: \S(.*\S)?$/u)
    }
  })

  test('has no exclamation marks, no straight quotes, no three dots', () => {
    for (const [key, message] of messages) {
      for (const text of textsOf(message)) expect(`${key}: ${text}`).not.toMatch(/[!¡"'`]|\.\.\.|…/u)
    }
  })

  test('quotes as the language does', () => {
    const foreign: Partial<Record<Language, RegExp>> = {
      en: /[„«»‚]/u,
      de: /[”«»]|“[\p{L}{]/u,
      fr: /[“”„]|«[^\u00a0]|[^\u00a0]»/u,
      es: /[“”„]/u,
      el: /[“”„]/u,
      ar: /[“”„]/u
    }
    for (const [key, message] of messages) {
      for (const text of textsOf(message)) expect(`${key}: ${text}`).not.toMatch(foreign[language] ?? /$^/u)
    }
  })

  test('ends a sentence where English does', () => {
    const english = read(group, 'en')
    const ends = (message: Message | undefined) =>
      /[.?؟;:]$/u.test(message === undefined ? '' : (textsOf(message)[0] ?? ''))
    for (const [key, message] of messages) {
      expect({ key, ends: ends(message) }).toEqual({ key, ends: ends(english[key]) })
    }
  })
})

test('a label and what follows are one message: French has a space before a colon', () => {
  const joined = globSync('renderer/src/**/*.{ts,svelte}', { cwd: PROJECT }).flatMap((file) =>
    [
      ...readFileSync(join(PROJECT, file), 'utf8').matchAll(
        /\$\{[^}]+\}: .*|\{(?:m|messages)\.\w+\([^}]*\)\}:.*/gu
      )
    ].map(([text]) => `${file}: ${text}`)
  )
  expect(joined).toEqual([])
})

test.each(LANGUAGES)('the two fields of a serial printer have two names in %s', (language) => {
  const { connectionLabel, serialPortLabel } = read('screen', language)
  expect(serialPortLabel).not.toBe(connectionLabel)
})

test('French sets its narrow spaces, so that no mark begins a line', () => {
  for (const group of GROUPS) {
    for (const [key, message] of Object.entries(read(group, 'fr'))) {
      for (const text of textsOf(message)) {
        expect(`${key}${text}`).not.toMatch(/(^|[^\u202f])[;?](?!\w)|[^\u00a0]:(?!\/\/)/u)
      }
    }
  }
})

/** How each language says *print*; a printer and what is printed already may be named. */
const PRINTING: Readonly<Record<Language, RegExp>> = {
  en: /\bprint(?:ing|s)?\b|not (?:yet )?printed|reprint/iu,
  de: /\bdruck(?!er)|drucken\b|nicht gedruckt|wird gedruckt/iu,
  fr: /\b(?:ré)?impr(?:im(?!ante|é\. )|ession)/iu,
  es: /\b(?:re)?impr(?:im|esi)/iu,
  el: /τυπών|εκτύπωση|δεν τυπώθηκ/iu,
  ar: /طباع(?!ة إيصالات)|تُطبع|تطبع|اطبع/u
}

test.each(LANGUAGES)('in %s, no text for a till that saves its slips speaks of printing them', (language) => {
  const saving = Object.entries(read('screen', language)).flatMap(([key, message]) =>
    typeof message === 'string'
      ? []
      : Object.entries(message.match)
          .filter(([variant]) => conditionsOf(variant).get('to') === 'folder')
          .map(([variant, text]) => `${key} ${variant}: ${text}`)
  )
  expect(saving.length).toBeGreaterThan(40)
  expect(saving.filter((text) => PRINTING[language].test(text.replace(/^[^:]*: /u, '')))).toEqual([])
})
