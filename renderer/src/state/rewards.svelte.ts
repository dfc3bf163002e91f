import { SvelteMap } from 'svelte/reactivity'
import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Catalogue, Reward, RewardDetail } from '../../../electron/contract/loyalty.ts'
import { screenLocale } from '../format/locale.ts'
import type { Answers, Hear } from './answers.svelte.ts'
import { Asking } from './asking.svelte.ts'
import { arrange, idsOf, type RewardOrder } from './reward-order.ts'

/** How long a list stays where it is before what is in sight is looked at, ms. */
export const REST = 300

/**
 * The rewards catalogue, as far as main has read it, and how the cashier wants to look at it. Details are read when a
 * reward is chosen, and quietly, one at a time, for those in sight: the catalogue itself may not say what is switched off.
 */
export class Rewards {
  readonly #bridge: Bridge
  readonly #hear: Hear
  readonly #balance: () => number | null
  readonly #asking: Asking
  readonly #askingDetail: Asking
  readonly #details = new SvelteMap<string, RewardDetail>()
  #catalogue = $state.raw<Catalogue | null>(null)
  #chosenId = $state<string | null>(null)
  #text = $state('')
  #order = $state<RewardOrder>('catalogue')
  #affordableOnly = $state(false)
  #enabledOnly = $state(false)
  /** what was known to be disabled when the list was last arranged: a row does not vanish under a finger */
  #hidden = $state.raw(idsOf([]))
  #inSight: readonly Reward[] = []
  #rest: ReturnType<typeof setTimeout> | undefined
  #readingDetails = false

  readonly #shown = $derived.by(() => {
    const balance = this.#balance()
    const wish = {
      text: this.#text,
      order: this.#order,
      most: this.#affordableOnly ? balance : null,
      balance,
      without: this.#hidden
    }
    const { compare } = new Intl.Collator(screenLocale(), { numeric: true })
    return arrange(this.all, wish, compare)
  })

  /** `balance` gives the points of the chosen customer, or null. */
  constructor(bridge: Bridge, answers: Answers, balance: () => number | null) {
    this.#bridge = bridge
    this.#hear = answers.hear
    this.#balance = balance
    this.#asking = new Asking(answers.hear)
    this.#askingDetail = new Asking(answers.hear)
  }

  /** Follows the reading of the catalogue. Gives what ends the following. */
  start(): () => void {
    return this.#bridge.onRewards((catalogue) => {
      this.#accept(catalogue)
    })
  }

  /** null until main has answered. */
  get catalogue(): Catalogue | null {
    return this.#catalogue
  }

  /** All rewards that are known, in the catalogue's order. */
  get all(): readonly Reward[] {
    return this.#catalogue?.rewards ?? []
  }

  /** What the cashier wants to see of them, in the order they want. */
  get shown(): readonly Reward[] {
    return this.#shown
  }

  /** Why the catalogue is not there, or not all of it, or not the newest. */
  get failure() {
    return this.#asking.failure ?? this.#catalogue?.failure ?? null
  }

  /** Reading the details of the chosen reward. */
  get askingDetail(): Asking {
    return this.#askingDetail
  }

  get text(): string {
    return this.#text
  }

  set text(text: string) {
    this.#text = text
    this.#hide()
  }

  get order(): RewardOrder {
    return this.#order
  }

  set order(order: RewardOrder) {
    this.#order = order
    this.#hide()
  }

  /** Only what the chosen customer can have; everything while nobody is chosen. */
  get affordableOnly(): boolean {
    return this.#affordableOnly
  }

  set affordableOnly(only: boolean) {
    this.#affordableOnly = only
    this.#hide()
  }

  /** Nothing that is known to be disabled. */
  get enabledOnly(): boolean {
    return this.#enabledOnly
  }

  set enabledOnly(only: boolean) {
    this.#enabledOnly = only
    this.#hide()
  }

  /** Whether anything is left out on purpose. */
  get narrowed(): boolean {
    return this.#text.trim() !== '' || this.#affordableOnly || this.#enabledOnly
  }

  /** Shows everything again. */
  widen(): void {
    this.#text = ''
    this.#affordableOnly = false
    this.#enabledOnly = false
    this.#hide()
  }

  get chosen(): Reward | null {
    return this.all.find(({ id }) => id === this.#chosenId) ?? null
  }

  detailOf(id: string): RewardDetail | null {
    return this.#details.get(id) ?? null
  }

  /** Whether a reward is known to be switched off. */
  isDisabled(reward: Reward): boolean {
    return (this.#details.get(reward.id)?.isEnable ?? reward.isEnable) === false
  }

  /** Shows what is known, and has main read it again unless that was done just now. */
  async open(): Promise<void> {
    const catalogue = await this.#asking.ask(() => this.#bridge.rewards.catalogue())
    if (catalogue) this.#accept(catalogue)
  }

  /** Has main read the catalogue again. */
  async read(): Promise<void> {
    const catalogue = await this.#asking.ask(() => this.#bridge.rewards.read())
    if (catalogue) this.#accept(catalogue)
  }

  /** Stops the reading; what came stays. */
  async stop(): Promise<void> {
    const catalogue = await this.#asking.ask(() => this.#bridge.rewards.stop())
    if (catalogue) this.#accept(catalogue)
  }

  /** Shows a reward's details, and reads them again. */
  async choose(reward: Reward): Promise<void> {
    this.#chosenId = reward.id
    const detail = await this.#askingDetail.ask(() => this.#bridge.rewards.detail({ id: reward.id }))
    if (detail) this.#details.set(reward.id, detail)
  }

  /** Hears which rewards the cashier looks at: what is not known of them is read, as long as they do. */
  look(rewards: readonly Reward[]): void {
    this.#inSight = []
    clearTimeout(this.#rest)
    this.#rest = setTimeout(() => {
      this.#inSight = rewards
      void this.#readDetails()
    }, REST)
  }

  /** The cheapest reward that this many points do not reach yet; null when all are within reach. */
  nextFor(balance: number): Reward | null {
    let next: Reward | null = null
    for (const reward of this.all) {
      const nearer = reward.cost > balance && reward.cost < (next?.cost ?? Infinity)
      if (nearer && !this.isDisabled(reward)) next = reward
    }
    return next
  }

  async #readDetails(): Promise<void> {
    if (this.#readingDetails) return
    this.#readingDetails = true
    try {
      for (let next = this.#unknown(); next; next = this.#unknown()) {
        const { id } = next
        const detail = await this.#hear(() => this.#bridge.rewards.detail({ id }))
        // Nobody asked for it: what fails is left for the next look, and said by nobody.
        if (!detail.ok) return
        this.#details.set(id, detail.value)
      }
    } finally {
      this.#readingDetails = false
    }
  }

  #unknown(): Reward | undefined {
    return this.#inSight.find(({ id, isEnable }) => isEnable === null && !this.#details.has(id))
  }

  #accept(catalogue: Catalogue): void {
    this.#catalogue = catalogue
    this.#hide()
  }

  #hide(): void {
    this.#hidden = idsOf(this.#enabledOnly ? this.all.filter((reward) => this.isDisabled(reward)) : [])
  }
}
