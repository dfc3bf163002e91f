import { SvelteMap } from 'svelte/reactivity'
import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Catalogue, Reward, RewardDetail } from '../../../electron/contract/loyalty.ts'
import { screenLocale } from '../i18n/locale.svelte.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'

/** How long a list stays where it is before what is in sight is looked at, ms. */
export const REST = 300

/**
 * The rewards catalogue, as far as main has read it, and how the cashier wants to look at it. Details are read when a
 * reward is chosen, and quietly, one at a time, for those in sight: the catalogue itself may not say what is switched off.
 */
export class Rewards {
  readonly #bridge: Bridge
  readonly #ipc: IpcClient
  readonly #balance: () => number | null
  readonly #request: AsyncRequest
  readonly #askingDetail: AsyncRequest
  readonly #details = new SvelteMap<string, RewardDetail>()
  #catalogue = $state.raw<Catalogue | null>(null)
  #chosenId = $state<string | null>(null)
  #text = $state('')
  #order = $state<RewardSortOrder>('catalogue')
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
    return filterAndSort(this.all, wish, compare)
  })

  /** `balance` gives the points of the chosen customer, or null. */
  constructor(bridge: Bridge, ipc: IpcClient, balance: () => number | null) {
    this.#bridge = bridge
    this.#ipc = ipc
    this.#balance = balance
    this.#request = new AsyncRequest(ipc)
    this.#askingDetail = new AsyncRequest(ipc)
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
    return this.#request.failure ?? this.#catalogue?.failure ?? null
  }

  /** Reading the details of the chosen reward. */
  get askingDetail(): AsyncRequest {
    return this.#askingDetail
  }

  get text(): string {
    return this.#text
  }

  set text(text: string) {
    this.#text = text
    this.#hide()
  }

  get order(): RewardSortOrder {
    return this.#order
  }

  set order(order: RewardSortOrder) {
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
    const catalogue = await this.#request.run(() => this.#bridge.rewards.catalogue())
    if (catalogue) this.#accept(catalogue)
  }

  /** Has main read the catalogue again. */
  async read(): Promise<void> {
    const catalogue = await this.#request.run(() => this.#bridge.rewards.read())
    if (catalogue) this.#accept(catalogue)
  }

  /** Stops the reading; what came stays. */
  async stop(): Promise<void> {
    const catalogue = await this.#request.run(() => this.#bridge.rewards.stop())
    if (catalogue) this.#accept(catalogue)
  }

  /** Shows a reward's details, and reads them again. */
  async choose(reward: Reward): Promise<void> {
    this.#chosenId = reward.id
    const detail = await this.#askingDetail.run(() => this.#bridge.rewards.detail({ id: reward.id }))
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
        const detail = await this.#ipc.invoke(() => this.#bridge.rewards.detail({ id }))
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

/** The orders a catalogue can be looked at in. */
export const REWARD_SORT_ORDERS = ['catalogue', 'cheapest', 'dearest', 'name', 'affordable'] as const
export type RewardSortOrder = (typeof REWARD_SORT_ORDERS)[number]

/** What of the catalogue is looked at, and in which order. */
export interface RewardFilter {
  /** parts of names, in any case and with or without accents; all of them must be there */
  readonly text: string
  readonly order: RewardSortOrder
  /** nothing that costs more than this, in points; null for everything */
  readonly most: number | null
  /** points of the customer that `affordable` goes by */
  readonly balance: number | null
  /** rewards that are left out */
  readonly without: ReadonlySet<string>
}

/** The ids of some rewards. */
export const idsOf = (rewards: readonly Reward[]): ReadonlySet<string> => new Set(rewards.map(({ id }) => id))

/** A text as it is compared: without case, accents and outer spaces. */
export const normalizeForSearch = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLocaleLowerCase().trim()

const byCost = (one: Reward, other: Reward): number => one.cost - other.cost

/**
 * The rewards that are wished for, in the order that is wished for; `rewards` come in the catalogue's order, which
 * stands where nothing else decides. `compare` goes by the language of the screen.
 */
export function filterAndSort(
  rewards: readonly Reward[],
  { text, order, most, balance, without }: RewardFilter,
  compare: (one: string, other: string) => number
): readonly Reward[] {
  const words = normalizeForSearch(text).split(/\s+/u).filter(Boolean)
  const found = rewards.filter(
    ({ id, name, cost }) =>
      (most === null || cost <= most) &&
      !without.has(id) &&
      (words.length === 0 || hasAll(normalizeForSearch(name), words))
  )
  switch (order) {
    case 'catalogue':
      return found
    case 'cheapest':
      return found.sort(byCost)
    case 'dearest':
      return found.sort((one, other) => byCost(other, one))
    case 'name':
      return found.sort((one, other) => compare(one.name, other.name))
    case 'affordable': {
      // The best of what can be had stands first, then what is next within reach.
      const inReach = ({ cost }: Reward): boolean => balance !== null && cost <= balance
      return [
        ...found.filter(inReach).sort((one, other) => byCost(other, one)),
        ...found.filter((reward) => !inReach(reward)).sort(byCost)
      ]
    }
  }
}

const hasAll = (text: string, words: readonly string[]): boolean => words.every((word) => text.includes(word))
