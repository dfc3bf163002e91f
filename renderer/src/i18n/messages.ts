/**
 * Every text of the screen, as `m.findCustomer()`, and of the slip, as `slipMessages.headline()`. The texts are in
 * `resources/locales/`; the code contains none.
 */
import { currentLocale, type ScreenMessages, type SlipMessages } from './locale.svelte.ts'

/** Texts of the screen, in its current language. */
export const m: ScreenMessages = followLocale(() => currentLocale().screen)

/** Texts of the slip, in the current language of slips. */
export const slipMessages: SlipMessages = followLocale(() => currentLocale().slip)

/**
 * Returns an object whose functions look up their message in `current()` at each call. A component or `$derived` that
 * calls one updates when the language changes, also if it took the function before.
 */
function followLocale<Messages extends object>(current: () => Messages): Messages {
  const functions = new Map<PropertyKey, unknown>()
  return new Proxy({} as Messages, {
    get(_, key) {
      if (!functions.has(key)) {
        functions.set(key, (inputs: unknown): unknown => {
          const message: unknown = Reflect.get(current(), key)
          return typeof message === 'function'
            ? (Reflect.apply(message, undefined, [inputs]) as unknown)
            : undefined
        })
      }
      return functions.get(key)
    }
  })
}
