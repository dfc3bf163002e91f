/** The complete rewards catalogue: read page by page in the background, with progress, and cached on disk. */
import { mkdir, readFile, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import * as v from 'valibot'
import { affordableRewards, type AffordableRewards } from '../../contract/affordable-rewards.ts'
import type { Failure, Result } from '../../contract/failure.ts'
import { type Page, type Reward, type RewardDetail, rewardSchema } from '../../contract/loyalty.ts'
import { type Catalogue, EMPTY_CATALOGUE } from '../../contract/catalogue.ts'
import { writeFileAtomic } from '../fs/atomic-write.ts'
import { createPageReader } from '../loyalty/page-reader.ts'
import type { Session } from '../session/session.ts'
import type { Languages } from '../settings/index.ts'

/** `open` does not read a catalogue again that is younger than this. */
const FRESH_MS = 60_000
/** Minimum time between two progress notifications. */
const PROGRESS_INTERVAL_MS = 300
/** Maximum number of rewards that are read. */
export const MAX_REWARDS = 20_000
/** Maximum number of details that follow one reading. */
export const MAX_DETAILS = 100
/** Details are read again when they are older than this. */
const DETAILS_FRESH_MS = 60 * 60_000

/** Whose catalogue it is: a business's or training mode's, in one language. */
interface CatalogueOwner {
  /** unique for each owner of the session, and for each language of the names */
  readonly key: string
  /** the same after a restart: by mode, address, business and language */
  readonly cacheKey: string
  /** whether the catalogue is cached on disk */
  readonly cached: boolean
}

export interface RewardCatalogueDependencies {
  readonly session: Pick<Session, 'ask' | 'mode' | 'owner' | 'business' | 'businessKey'>
  /** the service may name rewards in the language of the screen */
  readonly languages: Pick<Languages, 'screen'>
  readonly cache: CatalogueCache
  /** Receives the catalogue and its progress whenever they change. */
  readonly onChange: (catalogue: Catalogue) => void
  /** Called when `affordable` may return something else. */
  readonly onAffordableChange: () => void
}

/** A reward without a position comes last. */
const sorted = (rewards: readonly Reward[]): readonly Reward[] =>
  rewards.toSorted((one, other) => (one.index ?? Infinity) - (other.index ?? Infinity) || 0)

/** Fills in whether rewards are enabled, by id, where the list does not say so. */
const withStates = (
  rewards: readonly Reward[],
  states: ReadonlyMap<string, boolean | null>
): readonly Reward[] =>
  rewards.map((reward) =>
    reward.isEnable === null ? { ...reward, isEnable: states.get(reward.id) ?? null } : reward
  )

/**
 * Whether the reward of a detail can be named; null: the request failed. A reward that no longer exists cannot, and one
 * whose detail does not say so can.
 */
const isEnabledBy = (detail: Result<RewardDetail>): boolean | null => {
  if (detail.ok) return detail.value.isEnable ?? true
  return detail.failure.kind === 'not-found' ? false : null
}

/** Reads and caches the catalogue of the current owner. No method rejects. */
export class RewardCatalogue {
  readonly #dependencies: RewardCatalogueDependencies
  readonly #readPage: (page: number, signal: AbortSignal) => Promise<Result<Page<Reward>>>
  #catalogue = EMPTY_CATALOGUE
  #ownerKey: string | null = null
  #reading: AbortController | null = null
  #readingDetails: AbortController | null = null
  #detailsReadAt = -Infinity
  #notifiedAt = 0

  constructor(dependencies: RewardCatalogueDependencies) {
    this.#dependencies = dependencies
    const { session } = dependencies
    this.#readPage = createPageReader((page, signal) =>
      session.ask((client) => client.listRewards(page, signal), signal)
    )
  }

  /** Resolves with what is known, and reads it again in the background unless it is fresh. */
  async open(): Promise<Catalogue> {
    const owner = this.#owner()
    if (owner === null) return EMPTY_CATALOGUE
    await this.#switchTo(owner)
    if (!this.#isFresh()) void this.#readInBackground(owner)
    return this.#catalogue
  }

  /** Resolves with what is known, and reads it again in the background unless a reading is already running. */
  async refresh(): Promise<Catalogue> {
    const owner = this.#owner()
    if (owner === null) return EMPTY_CATALOGUE
    await this.#switchTo(owner)
    void this.#readInBackground(owner)
    return this.#catalogue
  }

  /** Call when the app state has changed: opens the catalogue of another business or language. */
  handleStateChange(): void {
    if (this.#ownerKey !== null && this.#owner()?.key !== this.#ownerKey) void this.open()
  }

  /** Returns what a balance buys; null when that is not known. */
  affordable(balance: number | null): AffordableRewards | null {
    if (this.#owner()?.key !== this.#ownerKey) return null
    return affordableRewards(this.#catalogue, balance)
  }

  /** Records whether a reward is enabled, from the response to a request for its detail. */
  addDetail(id: string, detail: Result<RewardDetail>): void {
    const isEnable = isEnabledBy(detail)
    const known = this.#catalogue.rewards.find((reward) => reward.id === id)
    if (isEnable === null || known === undefined || known.isEnable === isEnable) return
    const rewards = this.#catalogue.rewards.map((reward) =>
      reward === known ? { ...reward, isEnable } : reward
    )
    this.#catalogue = { ...this.#catalogue, rewards }
    this.#dependencies.onAffordableChange()
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
    this.#readingDetails?.abort()
    this.#readingDetails = null
  }

  /** Returns the current owner; null while the till serves no business. */
  #owner(): CatalogueOwner | null {
    const { session, languages } = this.#dependencies
    if (session.mode === 'onboarding') return null
    const cached = session.mode === 'business' && session.business !== null
    const cacheKey = `${session.businessKey} ${languages.screen}`
    return { key: `${session.owner.number} ${cacheKey}`, cacheKey, cached }
  }

  #update(catalogue: Catalogue): void {
    this.#catalogue = catalogue
    this.#notifiedAt = Date.now()
    this.#dependencies.onChange(catalogue)
  }

  #updateProgress(catalogue: Catalogue): void {
    this.#catalogue = catalogue
    if (Date.now() - this.#notifiedAt >= PROGRESS_INTERVAL_MS) this.#update(catalogue)
  }

  #isFresh(): boolean {
    const { complete, readAt } = this.#catalogue
    const now = Date.now()
    return complete && readAt !== null && Math.abs(now - Date.parse(readAt)) < FRESH_MS
  }

  /** Reads all pages. Resolves with the rewards so far and the failure if one ended the reading early. */
  async #readAll(
    signal: AbortSignal,
    onProgress: (rewards: readonly Reward[]) => void
  ): Promise<{ readonly rewards: readonly Reward[]; readonly failure: Failure | null }> {
    const found = new Map<string, Reward>()
    for (let page = 1; ; page++) {
      const result = await this.#readPage(page, signal)
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
    const reading = new AbortController()
    this.#reading = reading
    this.#update({ ...this.#catalogue, reading: { read: 0 }, failure: null })
    const { rewards, failure } = await this.#readAll(reading.signal, (soFar) => {
      const progress = { reading: { read: soFar.length } }
      this.#updateProgress(
        this.#catalogue.complete
          ? { ...this.#catalogue, ...progress }
          : { ...this.#catalogue, rewards: sorted(soFar), readAt: new Date().toISOString(), ...progress }
      )
    })
    // Stopped, cleared or switched to another owner: the caller has already updated the catalogue.
    if (this.#reading !== reading) return
    this.#reading = null
    if (this.#owner()?.key !== owner.key) return
    const readAt = new Date().toISOString()
    if (failure === null) {
      await this.#complete(owner, sorted(rewards), readAt)
    } else {
      const partial =
        !this.#catalogue.complete && rewards.length > 0 ? { rewards: sorted(rewards), readAt } : {}
      this.#update({ ...this.#catalogue, ...partial, reading: null, failure })
    }
  }

  /**
   * Replaces the catalogue by a complete reading, and then reads the details of rewards whose list row does not say
   * whether they are enabled, the cheapest first. Until then the state of the previous reading is kept.
   */
  async #complete(owner: CatalogueOwner, listed: readonly Reward[], readAt: string): Promise<void> {
    this.#readingDetails?.abort()
    const reading = new AbortController()
    this.#readingDetails = reading
    const unstated = listed
      .filter(({ isEnable, cost }) => isEnable === null && cost !== null)
      .toSorted((one, other) => (one.cost ?? 0) - (other.cost ?? 0))
      .slice(0, MAX_DETAILS)
    const before = new Map(this.#catalogue.rewards.map(({ id, isEnable }) => [id, isEnable]))
    const states = new Map(unstated.map(({ id }) => [id, before.get(id) ?? null]))
    await this.#publish(owner, withStates(listed, states), readAt)
    // Replaced while the disk was written, or a new reading has started, which reads the details itself.
    if (this.#readingDetails !== reading || this.#reading !== null) return
    const startedAt = Date.now()
    const isDue = Math.abs(startedAt - this.#detailsReadAt) >= DETAILS_FRESH_MS
    const missing = unstated.filter(({ id }) => isDue || states.get(id) === null)
    if (missing.length === 0) return
    const isWhole = await this.#readStates(missing, states, reading.signal)
    if (this.#readingDetails !== reading) return
    if (isWhole && isDue) this.#detailsReadAt = startedAt
    await this.#publish(owner, withStates(listed, states), readAt)
  }

  /** Reads details one at a time into `states`. Resolves with false when a request failed, which ends the reading. */
  async #readStates(
    rewards: readonly Reward[],
    states: Map<string, boolean | null>,
    signal: AbortSignal
  ): Promise<boolean> {
    const { session } = this.#dependencies
    for (const { id } of rewards) {
      const isEnable = isEnabledBy(await session.ask((client) => client.reward(id, signal), signal))
      if (signal.aborted || isEnable === null) return false
      states.set(id, isEnable)
    }
    return true
  }

  async #publish(owner: CatalogueOwner, rewards: readonly Reward[], readAt: string): Promise<void> {
    this.#update({ rewards, complete: true, readAt, reading: null, failure: null })
    this.#dependencies.onAffordableChange()
    if (owner.cached) await this.#dependencies.cache.write(owner.cacheKey, { rewards, readAt })
  }

  /** Switches to another owner and loads the owner's cached catalogue. */
  async #switchTo(owner: CatalogueOwner): Promise<void> {
    if (this.#ownerKey === owner.key) return
    this.close()
    this.#ownerKey = owner.key
    this.#detailsReadAt = -Infinity
    this.#catalogue = EMPTY_CATALOGUE
    const cached = owner.cached ? await this.#dependencies.cache.read(owner.cacheKey) : null
    // Switched again, or already read from the service in the meantime: that is newer.
    if (cached === null || this.#ownerKey !== owner.key || this.#catalogue.readAt !== null) return
    this.#catalogue = { ...EMPTY_CATALOGUE, ...cached, complete: true, reading: this.#catalogue.reading }
    this.#dependencies.onAffordableChange()
  }
}

/** Maximum file size: twice the size of MAX_REWARDS rewards with long names. */
const MAX_FILE_BYTES = 8 * 1024 * 1024

const fileSchema = v.object({
  version: v.literal(1),
  owner: v.string(),
  readAt: v.pipe(v.string(), v.isoTimestamp()),
  rewards: v.pipe(v.array(rewardSchema), v.maxLength(MAX_REWARDS))
})

/** A complete catalogue. */
export interface CachedCatalogue {
  readonly rewards: readonly Reward[]
  /** ISO 8601, UTC */
  readonly readAt: string
}

/** Stores one catalogue, of one owner, in a file. No method rejects. */
export class CatalogueCache {
  readonly #file: string
  /** The last operation: a catalogue that is being written when it is cleared must not be written afterwards. */
  #queue = Promise.resolve()

  constructor(file: string) {
    this.#file = file
  }

  /** Resolves with the catalogue of `owner`; null if there is none or the file is unusable. */
  async read(owner: string): Promise<CachedCatalogue | null> {
    try {
      if ((await stat(this.#file)).size > MAX_FILE_BYTES) return null
      const content: unknown = JSON.parse(await readFile(this.#file, 'utf8'))
      const { owner: storedOwner, readAt, rewards } = v.parse(fileSchema, content)
      return storedOwner === owner ? { readAt, rewards } : null
    } catch {
      return null
    }
  }

  /** Replaces the stored catalogue. Stores nothing if the catalogue is too large or the disk does not take it. */
  async write(owner: string, { readAt, rewards }: CachedCatalogue): Promise<void> {
    const text = JSON.stringify({ version: 1, owner, readAt, rewards })
    if (Buffer.byteLength(text) > MAX_FILE_BYTES) return
    await this.#enqueue(async () => {
      await mkdir(dirname(this.#file), { recursive: true })
      await writeFileAtomic(this.#file, text)
    })
  }

  /** Deletes the stored catalogue. */
  async clear(): Promise<void> {
    await this.#enqueue(() => rm(this.#file, { force: true }))
  }

  #enqueue(operation: () => Promise<void>): Promise<void> {
    this.#queue = this.#queue.then(operation).catch(() => undefined)
    return this.#queue
  }
}
