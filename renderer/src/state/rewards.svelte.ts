import { SvelteMap } from 'svelte/reactivity'
import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Reward, RewardDetail } from '../../../electron/contract/loyalty.ts'
import type { Answers } from './answers.svelte.ts'
import { Asking } from './asking.svelte.ts'

/** Pages that are read without being asked for; a longer catalogue goes on at a press. */
const PAGES_AT_ONCE = 10

/** The rewards catalogue, in the service's `index` order; details are read on demand and remembered. */
export class Rewards {
  readonly #bridge: Bridge
  readonly #asking: Asking
  readonly #askingDetail: Asking
  readonly #details = new SvelteMap<string, RewardDetail>()
  #read = $state.raw<readonly Reward[]>([])
  #pages = $state(0)
  #hasMore = $state(true)
  #chosenId = $state<string | null>(null)
  #list = $derived(this.#read.toSorted(byIndex))

  constructor(bridge: Bridge, answers: Answers) {
    this.#bridge = bridge
    this.#asking = new Asking(answers.ofService)
    this.#askingDetail = new Asking(answers.ofService)
  }

  /** null until the first page was read. */
  get list(): readonly Reward[] | null {
    return this.#pages === 0 ? null : this.#list
  }

  get hasMore(): boolean {
    return this.#hasMore
  }

  get asking(): Asking {
    return this.#asking
  }

  /** Reading the details of the chosen reward. */
  get askingDetail(): Asking {
    return this.#askingDetail
  }

  get chosen(): Reward | null {
    return this.#read.find((reward) => reward.id === this.#chosenId) ?? null
  }

  detailOf(id: string): RewardDetail | null {
    return this.#details.get(id) ?? null
  }

  /** Whether a reward is known to be switched off; the catalogue itself does not say. */
  isDisabled(id: string): boolean {
    return this.#details.get(id)?.isEnable === false
  }

  /** Reads the catalogue from its first page. What is in sight stays until then. */
  async load(): Promise<void> {
    const first = await this.#ask(1)
    if (!first) return
    this.#read = first.data
    this.#pages = 1
    this.#hasMore = first.hasMore
    await this.more(PAGES_AT_ONCE - 1)
  }

  /** Reads up to so many more pages. */
  async more(pages = PAGES_AT_ONCE): Promise<void> {
    for (let left = pages; left > 0 && this.#hasMore; left--) {
      const next = await this.#ask(this.#pages + 1)
      if (!next) return
      this.#read = [...this.#read, ...next.data.filter((reward) => !this.#knows(reward))]
      this.#pages++
      this.#hasMore = next.hasMore && next.data.length > 0
    }
  }

  /** Shows a reward's details, and reads them again. */
  async choose(reward: Reward): Promise<void> {
    this.#chosenId = reward.id
    const detail = await this.#askingDetail.ask(() => this.#bridge.rewards.detail({ id: reward.id }))
    if (detail) this.#details.set(detail.id, detail)
  }

  /** The cheapest reward that this many points do not reach yet; null when all are within reach. */
  nextFor(balance: number): Reward | null {
    const beyond = this.#list.filter((reward) => reward.cost > balance && !this.isDisabled(reward.id))
    return beyond.toSorted((one, other) => one.cost - other.cost)[0] ?? null
  }

  #ask(page: number) {
    return this.#asking.ask(() => this.#bridge.rewards.list({ page }))
  }

  #knows(reward: Reward): boolean {
    return this.#read.some((known) => known.id === reward.id)
  }
}

/** A reward without a place in the catalogue comes last. */
const byIndex = (one: Reward, other: Reward): number =>
  (one.index ?? Infinity) - (other.index ?? Infinity) || 0
