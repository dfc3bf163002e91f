/** The messages as they are written in `resources/locales/`, and what they ask for. */
import { readFileSync } from 'node:fs'
import * as v from 'valibot'

const variants = v.strictObject({
  declarations: v.optional(v.array(v.string()), []),
  selectors: v.optional(v.array(v.string()), []),
  match: v.record(v.string(), v.string())
})
const messageSchema = v.union([
  v.string(),
  v.pipe(
    v.tuple([variants]),
    v.transform(([only]) => only)
  )
])
const messagesSchema = v.record(v.pipe(v.string(), v.regex(/^[a-z][a-zA-Z0-9]*$/u)), messageSchema)

/** A text, or texts to choose from. */
export type Message = v.InferOutput<typeof messageSchema>
export type Messages = Readonly<Record<string, Message>>

/** Reads one language of a group. Throws, naming the file, when it is not written as messages are. */
export function readMessages(file: string): Messages {
  const parsed = v.safeParse(messagesSchema, JSON.parse(readFileSync(file, 'utf8')))
  if (!parsed.success) throw new Error(`${file}: ${v.summarize(parsed.issues)}`)
  return parsed.output
}

/** Every text of a message. */
export const textsOf = (message: Message): string[] =>
  typeof message === 'string' ? [message] : Object.values(message.match)

/** The names in curly braces. */
export const placeholdersOf = (text: string): string[] =>
  [...text.matchAll(/(?<!\\)\{(\w+)\}/gu)].map(([, name = '']) => name)

/** What decides a variant, by name: `state=issued, countPlural=one`. */
export const conditionsOf = (variant: string): ReadonlyMap<string, string> =>
  new Map(
    variant.split(',').map((condition) => {
      const [name = '', value = ''] = condition.trim().split('=')
      return [name, value]
    })
  )

/** The counts of a message that choose a plural, by the name of the selector. */
export function pluralsOf(message: Message): ReadonlyMap<string, string> {
  if (typeof message === 'string') return new Map()
  const plurals = message.declarations.flatMap((declaration) => {
    const [, selector = '', count = ''] = /^local (\w+) = (\w+): plural$/u.exec(declaration) ?? []
    return selector === '' ? [] : [[selector, count] as const]
  })
  return new Map(plurals)
}

/** What a message chooses between by a word, such as `state`: the words, by parameter. */
export function choicesOf(message: Message): ReadonlyMap<string, ReadonlySet<string>> {
  const choices = new Map<string, Set<string>>()
  if (typeof message === 'string') return choices
  const plurals = pluralsOf(message)
  for (const variant of Object.keys(message.match)) {
    for (const [name, value] of conditionsOf(variant)) {
      if (!plurals.has(name)) choices.set(name, (choices.get(name) ?? new Set()).add(value))
    }
  }
  return choices
}

/** The parameters that are filled in as they come, in alphabetical order. */
export function filledInOf(message: Message): string[] {
  const chosen = new Set([...pluralsOf(message).values(), ...choicesOf(message).keys()])
  const names = new Set(textsOf(message).flatMap(placeholdersOf))
  return [...names].filter((name) => !chosen.has(name)).sort()
}

/** The parameters of a message with their TypeScript types, in alphabetical order. */
export function parametersOf(message: Message): Readonly<Record<string, string>> {
  const parameters = new Map<string, string>(filledInOf(message).map((name) => [name, 'string']))
  for (const count of pluralsOf(message).values()) parameters.set(count, 'number')
  for (const [name, words] of choicesOf(message)) {
    parameters.set(name, words.has('*') ? 'string' : [...words].map((word) => `'${word}'`).join(' | '))
  }
  return Object.fromEntries([...parameters].sort(([one], [other]) => (one < other ? -1 : 1)))
}
