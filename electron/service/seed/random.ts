/** Chance that repeats: the same start gives the same training data on every machine. */

/** Gives the next number, from 0 up to but not 1. */
export type Chance = () => number

/** mulberry32 (public domain): small, quick, and even enough for sample data. Never for codes or tokens. */
export const chanceFrom = (start: number): Chance => {
  let state = start | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** One of `items`, which must not be empty. */
export const pick = <Item>(chance: Chance, items: readonly Item[]): Item => {
  const item = items[Math.floor(chance() * items.length)]
  if (item === undefined) throw new RangeError('nothing to pick from')
  return item
}

/** Bytes for identifiers of seeded records. */
export const bytesFrom =
  (chance: Chance) =>
  (size: number): Uint8Array =>
    Uint8Array.from({ length: size }, () => Math.floor(chance() * 256))
