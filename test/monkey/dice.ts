/**
 * Choices that repeat for the same seed. Each one depends on the seed, the number of the action and the name of what is
 * chosen, not on the choices before or on how many others there are: a notice that comes a moment later in a repeated run
 * changes no other choice.
 */
import { seededRandom } from '../support/seeded-random.ts'

/** Returns a number from 0 up to 1 for a text (FNV-1a, mixed). */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return seededRandom(value)()
}

/** The choices of one action. */
export class Dice {
  readonly #prefix: string

  constructor(seed: number, action: number) {
    this.#prefix = `${String(seed)}/${String(action)}/`
  }

  /** Returns a number from 0 up to 1, always the same for a name. */
  number(name: string): number {
    return hash(this.#prefix + name)
  }

  chance(name: string, probability: number): boolean {
    return this.number(name) < probability
  }

  /** Chooses one item. Throws without any. @param weightOf how often it is chosen, relative to the others */
  pick<Item>(
    name: string,
    items: readonly Item[],
    nameOf: (item: Item) => string = String,
    weightOf: (item: Item) => number = () => 1
  ): Item {
    let best: { readonly item: Item; readonly score: number } | undefined
    for (const item of items) {
      // The largest of these is of each item with the probability of its weight (Efraimidis and Spirakis, 2006).
      const score = this.number(`${name}/${nameOf(item)}`) ** (1 / weightOf(item))
      if (best === undefined || score > best.score) best = { item, score }
    }
    if (best === undefined) throw new Error(`Nothing to choose from: ${name}`)
    return best.item
  }
}
