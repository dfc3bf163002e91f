/** Keeps what is asked for again. */

/**
 * Returns `make`, which is called once for each key: creating an `Intl` formatter takes a hundred times as long as using it, and a list that scrolls, or
 * follows a batch, needs dozens per frame.
 */
export const memoized = <Key extends readonly string[], Value>(make: (...key: Key) => Value): typeof make => {
  const known = new Map<string, Value>()
  return (...key) => {
    const name = key.join(' ')
    const before = known.get(name)
    if (before !== undefined) return before
    const value = make(...key)
    known.set(name, value)
    return value
  }
}
