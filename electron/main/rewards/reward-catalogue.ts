/** The complete rewards catalogue: read page by page in the background, cached on disk, with progress. */
import type { Failure, Result } from '../../contract/failure.ts'
import {
  EMPTY_CATALOGUE,
  MAX_REWARDS,
  type Catalogue,
  type Page,
  type Reward
} from '../../contract/loyalty.ts'
import type { CatalogueCache } from './catalogue-cache.ts'

/** `open` does not read a catalogue again that is younger than this. */
const FRESH_MS = 60_000
/** Minimum time between two progress notifications. */
const PROGRESS_INTERVAL_MS = 300

/** Whose catalogue it is: a business's or training mode's. */
export interface CatalogueOwner {
  /** unique for each business and for training mode */
  readonly key: string
  /** whether the catalogue is cached on disk */
  readonly cached: boolean
}

export interface RewardCatalogueDependencies {
  /** Reads one page of the catalogue, counted from 1. */
  readonly readPage: (page: number, signal: AbortSignal) => Promise<Result<Page<Reward>>>
  /** Returns the current owner. */
  readonly owner: () => CatalogueOwner
  readonly cache: CatalogueCache
  readonly now: () => Date
  /** Receives the catalogue and its progress whenever they change. */
  readonly onChange: (catalogue: Catalogue) => void
}

/** A reward without a position comes last. */
const sorted = (rewards: readonly Reward[]): readonly Reward[] =>
  rewards.toSorted((one, other) => (one.index ?? Infinity) - (other.index ?? Infinity) || 0)

/** Reads and caches the catalogue of the current owner. No method rejects. */
export class RewardCatalogue {
  readonly #dependencies: RewardCatalogueDependencies
  #catalogue = EMPTY_CATALOGUE
  #ownerKey: string | null = null
  #reading: AbortController | null = null
  #notifiedAt = 0

  constructor(dependencies: RewardCatalogueDependencies) {
    this.#dependencies = dependencies
  }

  /** Resolves with what is known, and reads it again in the background unless it is fresh. */
  async open(): Promise<Catalogue> {
    const owner = this.#dependencies.owner()
    await this.#switchTo(owner)
    if (!this.#isFresh()) void this.#readInBackground(owner)
    return this.#catalogue
  }

  /** Resolves with what is known, and reads it again in the background unless a reading is already running. */
  async refresh(): Promise<Catalogue> {
    const owner = this.#dependencies.owner()
    await this.#switchTo(owner)
    void this.#readInBackground(owner)
    return this.#catalogue
  }

  /** Aborts the reading. Its rewards are dropped if a complete catalogue is known. */
  stop(): Catalogue {
    this.close()
    this.#update({ ...this.#catalogue, reading: null, failure: null })
    return this.#catalogue
  }

  /** Forgets the catalogue, in memory and on disk. */
  async clear(): Promise<void> {
    this.close()
    this.#ownerKey = null
    this.#catalogue = EMPTY_CATALOGUE
    await this.#dependencies.cache.clear()
  }

  /** Aborts the reading. Call when the app quits. */
  close(): void {
    this.#reading?.abort()
    this.#reading = null
  }

  #update(catalogue: Catalogue): void {
    this.#catalogue = catalogue
    this.#notifiedAt = this.#dependencies.now().getTime()
    this.#dependencies.onChange(catalogue)
  }

  #updateProgress(catalogue: Catalogue): void {
    this.#catalogue = catalogue
    if (this.#dependencies.now().getTime() - this.#notifiedAt >= PROGRESS_INTERVAL_MS) this.#update(catalogue)
  }

  #isFresh(): boolean {
    const { complete, readAt } = this.#catalogue
    const now = this.#dependencies.now().getTime()
    return complete && readAt !== null && Math.abs(now - Date.parse(readAt)) < FRESH_MS
  }

  /** Reads all pages. Resolves with the rewards so far and the failure if one ended the reading early. */
  async #readAll(
    signal: AbortSignal,
    onProgress: (rewards: readonly Reward[]) => void
  ): Promise<{ readonly rewards: readonly Reward[]; readonly failure: Failure | null }> {
    const found = new Map<string, Reward>()
    for (let page = 1; ; page++) {
      const result = await this.#dependencies.readPage(page, signal)
      if (signal.aborted) return { rewards: [...found.values()], failure: null }
      if (!result.ok) return { rewards: [...found.values()], failure: result.failure }
      const before = found.size
      for (const reward of result.value.data) if (found.size < MAX_REWARDS) found.set(reward.id, reward)
      // A page without new rewards also ends the reading: the service may ignore the page number.
      const isLast = !result.value.hasMore || found.size === before || found.size === MAX_REWARDS
      if (isLast) return { rewards: [...found.values()], failure: null }
      onProgress([...found.values()])
    }
  }

  async #readInBackground(owner: CatalogueOwner): Promise<void> {
    if (this.#reading !== null) return
    const { now, cache } = this.#dependencies
    const reading = new AbortController()
    this.#reading = reading
    this.#update({ ...this.#catalogue, reading: { read: 0 }, failure: null })
    const { rewards, failure } = await this.#readAll(reading.signal, (soFar) => {
      const progress = { reading: { read: soFar.length } }
      this.#updateProgress(
        this.#catalogue.complete
          ? { ...this.#catalogue, ...progress }
          : { ...this.#catalogue, rewards: sorted(soFar), readAt: now().toISOString(), ...progress }
      )
    })
    // Stopped, cleared or switched to another owner: the caller has already updated the catalogue.
    if (this.#reading !== reading) return
    this.#reading = null
    if (this.#dependencies.owner().key !== owner.key) return
    const readAt = now().toISOString()
    if (failure === null) {
      const complete = sorted(rewards)
      this.#update({ rewards: complete, complete: true, readAt, reading: null, failure: null })
      if (owner.cached) await cache.write(owner.key, { rewards: complete, readAt })
    } else {
      const partial =
        !this.#catalogue.complete && rewards.length > 0 ? { rewards: sorted(rewards), readAt } : {}
      this.#update({ ...this.#catalogue, ...partial, reading: null, failure })
    }
  }

  /** Switches to another owner and loads the owner's cached catalogue. */
  async #switchTo(owner: CatalogueOwner): Promise<void> {
    if (this.#ownerKey === owner.key) return
    this.close()
    this.#ownerKey = owner.key
    this.#catalogue = EMPTY_CATALOGUE
    const cached = owner.cached ? await this.#dependencies.cache.read(owner.key) : null
    // Switched again, or already read from the service in the meantime: that is newer.
    if (cached === null || this.#ownerKey !== owner.key || this.#catalogue.readAt !== null) return
    this.#catalogue = { ...EMPTY_CATALOGUE, ...cached, complete: true, reading: this.#catalogue.reading }
  }
}
