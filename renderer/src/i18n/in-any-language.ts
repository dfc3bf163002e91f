/**
 * The words of `now`, whichever those are at each call: a function that was taken from here before another language
 * came speaks the new one. Whoever calls it in a component or `$derived` is drawn again when the language changes.
 */
export function inAnyLanguage<Words extends object>(now: () => Words): Words {
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
