/** Reads the catalogue to its end, shows what was kept until then, and tells how far it is. */
import {
  EMPTY_CATALOGUE,
  MAX_REWARDS,
  type Catalogue,
  type Page,
  type Reward
} from '../../contract/loyalty.ts'
import type { Result, Failure } from '../../contract/failure.ts'
import type { CatalogueCache } from './catalogue-cache.ts'

/** A catalogue younger than this, ms, is not read again by opening it. */
const FRESH = 60_000
/** Shortest time between two tellings of how far a reading is, ms. */
const BETWEEN_TELLINGS = 300

/** Whose catalogue is read: one business, or training. */
export interface CatalogueOwner {
  /** differs between any two */
  readonly key: string
  /** whether its catalogue is kept on disk */
  readonly kept: boolean
}

export interface CatalogueParts {
  /** One page of the catalogue, from 1. */
  readonly readPage: (page: number, signal: AbortSignal) => Promise<Result<Page<Reward>>>
  /** Whom the till serves now. */
  readonly owner: () => CatalogueOwner
  readonly kept: CatalogueCache
  readonly now: () => Date
  readonly tell: (catalogue: Catalogue) => void
}

export interface RewardCatalogue {
  /** What is known at once. It is read again meanwhile unless that was done just now. */
  open(): Promise<Catalogue>
  /** Reads it again meanwhile, unless that is under way. */
  read(): Promise<Catalogue>
  /** Ends the reading under way; what it brought is dropped if something whole is there. */
  stop(): Catalogue
  /** Forgets all of it, on disk too. */
  forget(): Promise<void>
  /** Ends the reading. Call when the till quits. */
  close(): void
}

/** A reward without a place in the catalogue comes last. */
const inOrder = (rewards: readonly Reward[]): readonly Reward[] =>
  rewards.toSorted((one, other) => (one.index ?? Infinity) - (other.index ?? Infinity) || 0)

/** Makes the catalogue. Nothing of it rejects. */
export function createRewardCatalogue({ readPage, owner, kept, now, tell }: CatalogueParts): RewardCatalogue {
  let known = EMPTY_CATALOGUE
  let key: string | null = null
  let running: AbortController | null = null
  let toldAt = 0

  const show = (next: Catalogue, always = true): void => {
    known = next
    const time = now().getTime()
    if (!always && time - toldAt < BETWEEN_TELLINGS) return
    toldAt = time
    tell(known)
  }

  const isFresh = (): boolean =>
    known.complete && known.readAt !== null && Math.abs(now().getTime() - Date.parse(known.readAt)) < FRESH

  /** All pages, or why they ended early. `progress` hears what has come after each page. */
  const readAll = async (
    signal: AbortSignal,
    progress: (sofar: readonly Reward[]) => void
  ): Promise<{ readonly rewards: readonly Reward[]; readonly failure: Failure | null }> => {
    const found = new Map<string, Reward>()
    for (let page = 1; ; page++) {
      const answer = await readPage(page, signal)
      if (signal.aborted) return { rewards: [...found.values()], failure: null }
      if (!answer.ok) return { rewards: [...found.values()], failure: answer.failure }
      const before = found.size
      for (const reward of answer.value.data) if (found.size < MAX_REWARDS) found.set(reward.id, reward)
      // A service that ignores the page number would go on for ever.
      const ends = !answer.value.hasMore || found.size === before || found.size === MAX_REWARDS
      if (ends) return { rewards: [...found.values()], failure: null }
      progress([...found.values()])
    }
  }

  const readMeanwhile = async (whose: CatalogueOwner): Promise<void> => {
    if (running !== null) return
    const own = new AbortController()
    running = own
    show({ ...known, reading: { read: 0 }, failure: null })
    const { rewards, failure } = await readAll(own.signal, (sofar) => {
      const reading = { read: sofar.length }
      const readAt = now().toISOString()
      show(
        known.complete ? { ...known, reading } : { ...known, rewards: inOrder(sofar), readAt, reading },
        false
      )
    })
    // Stopped, forgotten, or another business's by now: whoever did that has shown what is left.
    if (running !== own) return
    running = null
    if (owner().key !== whose.key) return
    const readAt = now().toISOString()
    if (failure === null) {
      show({ rewards: inOrder(rewards), complete: true, readAt, reading: null, failure: null })
      if (whose.kept) await kept.keep(whose.key, { rewards: known.rewards, readAt })
    } else if (known.complete) {
      show({ ...known, reading: null, failure })
    } else {
      const some = rewards.length > 0 ? { rewards: inOrder(rewards), readAt } : {}
      show({ ...known, ...some, reading: null, failure })
    }
  }

  const end = (): void => {
    running?.abort()
    running = null
  }

  /** Takes over whom the till serves now, with what is kept of them. */
  const turnTo = async (whose: CatalogueOwner): Promise<void> => {
    if (key === whose.key) return
    end()
    key = whose.key
    known = EMPTY_CATALOGUE
    const found = whose.kept ? await kept.read(whose.key) : null
    // Read from the service in the meantime, or turned to others: what is there is newer.
    if (found === null || key !== whose.key || known.readAt !== null) return
    known = { ...EMPTY_CATALOGUE, ...found, complete: true, reading: known.reading }
  }

  return {
    async open() {
      const whose = owner()
      await turnTo(whose)
      if (!isFresh()) void readMeanwhile(whose)
      return known
    },
    async read() {
      const whose = owner()
      await turnTo(whose)
      void readMeanwhile(whose)
      return known
    },
    stop() {
      end()
      show({ ...known, reading: null, failure: null })
      return known
    },
    async forget() {
      end()
      key = null
      known = EMPTY_CATALOGUE
      await kept.forget()
    },
    close: end
  }
}
