/**
 * Everything the screen says, `m.findCustomer()`, and everything a slip says, `onSlip.headline()`: typed functions that
 * speak the language of the moment. Their texts are in `resources/messages/`; no text that a person reads stands
 * anywhere else.
 */
import type { ScreenWords, SlipWords } from './speech.svelte.ts'
import { speech } from './speech.svelte.ts'

/**
 * The words of `now`, whichever those are at each call: a function that was taken from here before another language
 * came speaks the new one. Whoever calls it in a component or `$derived` is drawn again when the language changes.
 */
function inAnyLanguage<Words extends object>(now: () => Words): Words {
  const faces = new Map<PropertyKey, unknown>()
  return new Proxy({} as Words, {
    get(_, key) {
      if (!faces.has(key)) {
        faces.set(key, (inputs: unknown): unknown => {
          const word: unknown = Reflect.get(now(), key)
          const said: unknown =
            typeof word === 'function' ? Reflect.apply(word, undefined, [inputs]) : undefined
          return said
        })
      }
      return faces.get(key)
    }
  })
}

export const m: ScreenWords = inAnyLanguage(() => speech().screen)
export const onSlip: SlipWords = inAnyLanguage(() => speech().slip)
