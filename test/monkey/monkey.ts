/** Does one action after the other, and checks the invariants. */
import { ACTIONS, chooseAction } from './actions.ts'
import { Dice } from './dice.ts'
import { disagreements, violationsAfter } from './invariants.ts'
import type { Screen } from './page-probe.ts'
import type { World } from './world.ts'

/** After so many actions the journal is compared with the service. */
const CHECK_INTERVAL = 50

/** Why a run ended: at an action that violated an invariant, or could not be done. */
export interface Fault {
  readonly action: number
  readonly sentences: readonly string[]
}

export class Monkey {
  readonly #world: World
  readonly #seed: number
  readonly #log: string[] = []

  constructor(world: World, seed: number) {
    this.#world = world
    this.#seed = seed
  }

  /** each action so far: its number, its name and what exactly was done */
  get log(): readonly string[] {
    return this.#log
  }

  /** Acts until `isOver`, or until an invariant is violated. Resolves with the violation, or null. */
  async run(
    isOver: () => boolean,
    onAction: (line: string) => void = () => undefined
  ): Promise<Fault | null> {
    let screen = await this.#world.settle()
    let action = 0
    try {
      while (!isOver()) {
        action++
        const before = this.#world.slipRows()
        screen = await this.#act(action, screen, onAction)
        const errors = await this.#world.takeErrors()
        const sentences = [
          ...violationsAfter({ screen, errors, before, after: this.#world.slipRows() }),
          ...(action % CHECK_INTERVAL === 0 ? this.#compare() : [])
        ]
        if (sentences.length > 0) return { action, sentences }
      }
      const sentences = this.#compare()
      return sentences.length > 0 ? { action, sentences } : null
    } catch (error) {
      const errors = await this.#world.takeErrors().catch(() => [])
      return { action, sentences: [String(error), ...errors] }
    }
  }

  async #act(action: number, screen: Screen, onAction: (line: string) => void): Promise<Screen> {
    const situation = { world: this.#world, screen, dice: new Dice(this.#seed, action) }
    const name = chooseAction(situation)
    const line = `${String(action)} ${name}`
    // Logged before, for one that fails.
    this.#log.push(line)
    const what = (await ACTIONS[name]?.run(situation)) ?? ''
    if (what !== '') this.#log[this.#log.length - 1] = `${line}: ${what}`
    onAction(this.#log.at(-1) ?? '')
    return this.#world.settle()
  }

  #compare(): readonly string[] {
    return disagreements(this.#world.facts(), this.#world.isAtRest)
  }
}
