import { SvelteMap } from 'svelte/reactivity'
import {
  affordableRewards,
  canBeNamed,
  uncheckedRewards,
  type AffordableRewards,
  type PricedReward
} from '../../../electron/contract/affordable-rewards.ts'
import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Reward, RewardDetail } from '../../../electron/contract/loyalty.ts'
import type { Catalogue } from '../../../electron/contract/catalogue.ts'
import { normalizeForSearch } from '../../../electron/contract/text.ts'
import { screenLocale } from '../i18n/locale.svelte.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'

/** How long a list has to stay at rest before the details of its visible rewards are read. */
export const DETAIL_READ_DELAY_MS = 300
/** Maximum number of details that are read for one balance: disabled rewards may precede the one to name. */
export const MAX_DETAILS_PER_BALANCE = 10

/**
 * The rewards catalogue with its filters. Details are read when a reward is chosen, and one at a time for the
 * visible and the named rewards: the catalogue may not contain yet whether a reward is disabled.
 */
export class Rewards {
  readonly #bridge: Bridge
  readonly #ipc: IpcClient
  readonly #balance: () => number | null
  readonly #request: AsyncRequest
  /** the request for the details of the chosen reward */
  readonly detailRequest: AsyncRequest
  readonly #details = new SvelteMap<string, RewardDetail>()
  /** null until the first read. */
  catalogue = $state.raw<Catalogue | null>(null)
  #chosenId = $state<string | null>(null)
  /** changed by `filter` */
  filters = $state.raw<RewardFilters>({
    text: '',
    order: 'catalogue',
    affordableOnly: false,
    enabledOnly: false
  })
  /** the disabled rewards when the filters last changed: a row does not disappear while the list is used */
  #hidden = $state.raw(idsOf([]))
  #inSight: readonly Reward[] = []
  /** the balance whose rewards are named, and how many details may still be read for it */
  #named: { readonly balance: number; requests: number } | null = null
  #rest: ReturnType<typeof setTimeout> | undefined
  #readingDetails = false

  /** All rewards, with the state of those whose details were read. */
  readonly #known = $derived(
    this.#details.size === 0 ? this.all : this.all.map((reward) => this.#withDetail(reward))
  )
  /** the filtered and sorted rewards */
  readonly shown = $derived.by(() => {
    const balance = this.#balance()
    const { text, order, affordableOnly } = this.filters
    const filter = {
      text,
      order,
      maxCost: affordableOnly ? balance : null,
      balance,
      excludedIds: this.#hidden
    }
    const { compare } = new Intl.Collator(screenLocale(), { numeric: true })
    return filterAndSort(this.all, filter, compare)
  })

  /** `balance` returns the points of the chosen customer, or null. */
  constructor(bridge: Bridge, ipc: IpcClient, balance: () => number | null) {
    this.#bridge = bridge
    this.#ipc = ipc
    this.#balance = balance
    this.#request = new AsyncRequest(ipc)
    this.detailRequest = new AsyncRequest(ipc)
  }

  /** Loads the catalogue and follows the progress of reading it. Returns a function that stops. */
  start(): () => void {
    void this.open()
    return this.#bridge.onRewards((catalogue) => {
      this.#accept(catalogue)
    })
  }

  /** All known rewards, in the order of the catalogue. */
  get all(): readonly Reward[] {
    return this.catalogue?.rewards ?? []
  }

  /** Why the catalogue is missing, incomplete or outdated. */
  get failure() {
    return this.#request.failure ?? this.catalogue?.failure ?? null
  }

  /** Changes some filters. */
  filter(change: Partial<RewardFilters>): void {
    this.filters = { ...this.filters, ...change }
    this.#hide()
  }

  /** Whether a filter is set. */
  get filtered(): boolean {
    const { text, affordableOnly, enabledOnly } = this.filters
    return text.trim() !== '' || affordableOnly || enabledOnly
  }

  /** Clears all filters. The order stays. */
  clearFilters(): void {
    this.filter({ text: '', affordableOnly: false, enabledOnly: false })
  }

  get chosen(): Reward | null {
    return this.all.find(({ id }) => id === this.#chosenId) ?? null
  }

  detailOf(id: string): RewardDetail | null {
    return this.#details.get(id) ?? null
  }

  /** Whether a reward is known to be disabled. */
  isDisabled(reward: Reward): boolean {
    return this.#withDetail(reward).isEnable === false
  }

  /** Returns what a balance buys; null when that is not known. `prepare` makes it known. */
  affordable(balance: number | null): AffordableRewards | null {
    return affordableRewards({ rewards: this.#known, complete: this.catalogue?.complete ?? false }, balance)
  }

  /** Returns the rewards that a balance buys, the dearest first; none while the whole catalogue is not known. */
  within(balance: number | null): readonly PricedReward[] {
    if (balance === null || this.catalogue?.complete !== true) return []
    return this.#known
      .filter((reward) => canBeNamed(reward))
      .filter(({ cost }) => cost <= balance)
      .toSorted(byCostDescending)
  }

  /**
   * Sets the balance for which `affordable` is shown; null for none. The details of the rewards that it names are read in
   * the background, unless the catalogue contains whether they are enabled.
   */
  prepare(balance: number | null): void {
    this.#named = balance === null ? null : { balance, requests: MAX_DETAILS_PER_BALANCE }
    this.#readDetailsAtRest()
  }

  /** Shows the known catalogue and reads it again, unless it was read just now. */
  async open(): Promise<void> {
    const catalogue = await this.#request.run(() => this.#bridge.rewards.catalogue())
    if (catalogue) this.#accept(catalogue)
  }

  /** Reads the catalogue again. */
  async read(): Promise<void> {
    const catalogue = await this.#request.run(() => this.#bridge.rewards.read())
    if (catalogue) this.#accept(catalogue)
  }

  /** Stops reading; the rewards that were read stay. */
  async stop(): Promise<void> {
    const catalogue = await this.#request.run(() => this.#bridge.rewards.stop())
    if (catalogue) this.#accept(catalogue)
  }

  /** Chooses a reward and reads its details again. */
  async choose(reward: Reward): Promise<void> {
    this.#chosenId = reward.id
    const detail = await this.detailRequest.run(() => this.#bridge.rewards.detail({ id: reward.id }))
    if (detail) this.#details.set(reward.id, detail)
  }

  /** Sets the visible rewards: missing details are read while they are visible. */
  setVisible(rewards: readonly Reward[]): void {
    this.#inSight = rewards
    this.#readDetailsAtRest()
  }

  /** The rows and the balance change quickly while a list is scrolled or points are typed. */
  #readDetailsAtRest(): void {
    clearTimeout(this.#rest)
    this.#rest = setTimeout(() => void this.#readDetails(), DETAIL_READ_DELAY_MS)
  }

  async #readDetails(): Promise<void> {
    if (this.#readingDetails) return
    this.#readingDetails = true
    try {
      for (let next = this.#unknown(); next; next = this.#unknown()) {
        const { id } = next
        const detail = await this.#ipc.invoke(() => this.#bridge.rewards.detail({ id }))
        // A background read: its failure is not shown, and the next change of the visible rows tries again.
        if (!detail.ok) return
        this.#details.set(id, detail.value)
      }
    } finally {
      this.#readingDetails = false
    }
  }

  #unknown(): Reward | undefined {
    return (
      this.#unknownNamed() ??
      this.#inSight.find(({ id, isEnable }) => isEnable === null && !this.#details.has(id))
    )
  }

  #unknownNamed(): Reward | undefined {
    if (this.#named === null || !this.catalogue?.complete || this.#named.requests === 0) return undefined
    const [reward] = uncheckedRewards(this.#known, this.#named.balance)
    if (reward) this.#named.requests--
    return reward
  }

  /** A reward whose detail does not say whether it is enabled counts as enabled. */
  #withDetail(reward: Reward): Reward {
    const detail = this.#details.get(reward.id)
    return detail ? { ...reward, isEnable: detail.isEnable ?? true } : reward
  }

  #accept(catalogue: Catalogue): void {
    // A new reading contains newer states; the details of the chosen reward are on the screen.
    if (catalogue.complete && catalogue.readAt !== this.catalogue?.readAt) {
      for (const id of this.#details.keys()) if (id !== this.#chosenId) this.#details.delete(id)
    }
    this.catalogue = catalogue
    this.#hide()
  }

  #hide(): void {
    this.#hidden = idsOf(this.filters.enabledOnly ? this.all.filter((reward) => this.isDisabled(reward)) : [])
  }
}

/** The sort orders of the catalogue. */
export const REWARD_SORT_ORDERS = ['catalogue', 'cheapest', 'dearest', 'name', 'affordable'] as const
type RewardSortOrder = (typeof REWARD_SORT_ORDERS)[number]

/** What the cashier chose above the list. */
interface RewardFilters {
  readonly text: string
  readonly order: RewardSortOrder
  /** only rewards within the chosen customer's balance; without a customer, all are shown */
  readonly affordableOnly: boolean
  /** without the rewards that are known to be disabled */
  readonly enabledOnly: boolean
}

/** A filter and sort order of the catalogue. */
export interface RewardFilter {
  /** words that the name has to contain, ignoring case and accents */
  readonly text: string
  readonly order: RewardSortOrder
  /** maximum cost in points; null for no limit */
  readonly maxCost: number | null
  /** the balance for the order `affordable` */
  readonly balance: number | null
  /** ids of hidden rewards */
  readonly excludedIds: ReadonlySet<string>
}

/** Returns the ids of rewards. */
export const idsOf = (rewards: readonly Reward[]): ReadonlySet<string> =>
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- returned as a ReadonlySet: there is no change to follow
  new Set(rewards.map(({ id }) => id))

/** A reward without a cost comes last. */
const byCost = (one: Reward, other: Reward): number => (one.cost ?? Infinity) - (other.cost ?? Infinity) || 0

const byCostDescending = (one: Reward, other: Reward): number =>
  (other.cost ?? -Infinity) - (one.cost ?? -Infinity) || 0

/**
 * Returns the rewards that pass the filter, sorted. `rewards` are in the order of the catalogue, which is kept for
 * equal rewards. `compare` compares names in the language of the screen.
 */
export function filterAndSort(
  rewards: readonly Reward[],
  { text, order, maxCost, balance, excludedIds }: RewardFilter,
  compare: (one: string, other: string) => number
): readonly Reward[] {
  const words = normalizeForSearch(text).split(/\s+/u).filter(Boolean)
  const found = rewards.filter(
    ({ id, name, cost }) =>
      (maxCost === null || (cost !== null && cost <= maxCost)) &&
      !excludedIds.has(id) &&
      (words.length === 0 || hasAll(normalizeForSearch(name), words))
  )
  switch (order) {
    case 'catalogue':
      return found
    case 'cheapest':
      return found.sort(byCost)
    case 'dearest':
      return found.sort(byCostDescending)
    case 'name':
      return found.sort((one, other) => compare(one.name, other.name))
    case 'affordable': {
      // The dearest affordable reward first, then those above the balance, the nearest first.
      const inReach = ({ cost }: Reward): boolean => balance !== null && cost !== null && cost <= balance
      return [
        ...found.filter(inReach).sort(byCostDescending),
        ...found.filter((reward) => !inReach(reward)).sort(byCost)
      ]
    }
  }
}

const hasAll = (text: string, words: readonly string[]): boolean => words.every((word) => text.includes(word))
