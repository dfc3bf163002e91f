/** Reads in the background which codes of this till were collected, from a service that tells it (`collections/1`). */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Failure } from '../../contract/failure.ts'
import type { CollectionPage } from '../../contract/loyalty.ts'
import { tellsCollections } from '../../contract/redemptions.ts'
import { type Logger, RepeatedError } from '../log/log.ts'
import { type Journal, journalFailed } from '../journal/journal.ts'
import type { Scope } from '../journal/rows.ts'
import { type CurrentBusiness, scopeOf, type SlipBusiness } from '../session/current-business.ts'

/** Least time between two requests, whatever they are for. */
const MIN_INTERVAL_MS = 60_000

/** Longest time between two requests after failures; each failure doubles it. */
const MAX_INTERVAL_MS = 60 * 60_000

/** How soon a till that is busy is asked again whether it is. */
const BUSY_INTERVAL_MS = 5000

/** Items of one transaction: a few milliseconds. */
const SLICE_ITEMS = 50

/** Without the service's time of issue, the till's own clock decided it. */
const CLOCK_MARGIN_MS = 24 * 60 * 60_000

/** Implemented by `SlipService`. */
export interface WorkingTill {
  /** Returns what is being done now; null: nothing. */
  pendingWork(): 'batch' | 'slip' | null
}

export interface CollectionReaderDependencies {
  readonly journal: Journal
  readonly business: Pick<CurrentBusiness, 'current' | 'isReachable' | 'askExtension'>
  readonly listener: {
    /** Every code that was collected is in the journal now. */
    collectionsRead(): void
  }
  readonly log: Logger
  readonly till: WorkingTill
}

/** No method throws or rejects. A service that answers anything else than a page leaves the journal as it is. */
export class CollectionReader {
  readonly #dependencies: CollectionReaderDependencies
  readonly #error = new RepeatedError()
  readonly #stopping = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #reading: Promise<void> | null = null
  /** of the last request, in ms of `performance.now()` */
  #askedAt = -Infinity
  #failures = 0
  /** the business of the failures and of the moment: another one has its own */
  #known: { readonly scope: Scope; readonly readAt: string | null } | null = null

  constructor(dependencies: CollectionReaderDependencies) {
    this.#dependencies = dependencies
  }

  /**
   * When the till last knew all collections of the business that it serves, ISO 8601, UTC, by its own clock; null: the
   * service does not tell them, or they were not read yet.
   */
  get asOf(): string | null {
    const { journal, log } = this.#dependencies
    const current = this.#tellingBusiness()
    if (current === null) return null
    try {
      return this.#knownOf(scopeOf(current)).readAt
    } catch (error) {
      journalFailed(journal, log, error)
      return null
    }
  }

  /** Reads now, and from now on at most once a minute. */
  start(): void {
    if (this.#timer === undefined && !this.#stopping.signal.aborted) this.#wait(0)
  }

  /** Sends no further request, and resolves when the slice that is being written has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    clearTimeout(this.#timer)
    await this.#reading
  }

  #wait(ms: number): void {
    if (this.#stopping.signal.aborted) return
    this.#timer = setTimeout(() => {
      this.#reading = this.#readAndWait().finally(() => {
        this.#reading = null
      })
    }, ms)
    // The timer does not keep the process alive.
    this.#timer.unref()
  }

  async #readAndWait(): Promise<void> {
    let interval = MIN_INTERVAL_MS
    try {
      interval = await this.#read()
    } catch (error) {
      const { journal, log } = this.#dependencies
      this.#error.failed(error, () => journalFailed(journal, log, error))
    }
    this.#wait(interval)
  }

  /** Reads one page. Returns in how many ms the next one may be read. Throws as the journal does. */
  async #read(): Promise<number> {
    const { business, till } = this.#dependencies
    const current = this.#tellingBusiness()
    if (current === null) return MIN_INTERVAL_MS
    if (till.pendingWork() !== null) return BUSY_INTERVAL_MS
    const scope = scopeOf(current)
    this.#knownOf(scope)
    const since = this.#since(scope)
    if (since === null) return MIN_INTERVAL_MS
    const toWait = this.#askedAt + MIN_INTERVAL_MS - performance.now()
    if (toWait > 0) return toWait
    const askedAt = new Date().toISOString()
    if (!business.isReachable()) return MIN_INTERVAL_MS
    const { signal } = this.#stopping
    const read = await business.askExtension(current, (client) => client.collections(since, signal))
    // It was not asked: it is not served any more.
    if (!read.ok && read.failure.kind === 'not-connected') return MIN_INTERVAL_MS
    this.#askedAt = performance.now()
    if (this.#stopping.signal.aborted) return MIN_INTERVAL_MS
    if (!read.ok) return this.#failed(scope, read.failure)
    // A page that leads nowhere would be read for ever.
    if (read.value.hasMore && read.value.next === since) {
      return this.#failed(scope, { kind: 'bad-response', path: 'next' })
    }
    await this.#store(scope, read.value, askedAt)
    this.#failures = 0
    return MIN_INTERVAL_MS
  }

  /** Returns the business, if its service tells collections. */
  #tellingBusiness(): SlipBusiness | null {
    const business = this.#dependencies.business.current()
    return business !== null && tellsCollections(business) ? business : null
  }

  /** Where to read on; null: this till has no code that can be collected. */
  #since(scope: Scope): string | null {
    const { collections } = this.#dependencies.journal
    const reading = collections.reading(scope)
    if (reading !== null) return reading.cursor
    const first = collections.firstCode(scope)
    return first === null ? null : new Date(Date.parse(first) - CLOCK_MARGIN_MS).toISOString()
  }

  /** Writes a page slice by slice; main handles other work in between. What was written of a page may be written again. */
  async #store(scope: Scope, { events, next, hasMore }: CollectionPage, askedAt: string): Promise<void> {
    const { journal, listener, log } = this.#dependencies
    let slips = 0
    for (let start = 0; start < events.length; start += SLICE_ITEMS) {
      const slice = events.slice(start, start + SLICE_ITEMS)
      slips += journal.atomically(() => journal.collections.record(scope, slice))
      await nextTurn()
      if (this.#stopping.signal.aborted) return
    }
    const readAt = hasMore ? null : askedAt
    journal.collections.setReading(scope, { cursor: next, readAt })
    this.#error.succeeded()
    if (slips > 0) log.info('collections-read', { items: events.length, slips })
    if (readAt === null) return
    this.#known = { scope, readAt }
    listener.collectionsRead()
  }

  #failed(scope: Scope, failure: Failure): number {
    const { journal, log } = this.#dependencies
    // A cursor that the service does not take; it takes a moment.
    if (failure.kind === 'rejected') journal.collections.deleteReading(scope)
    this.#failures += 1
    if (this.#failures === 1) log.warn('collections-not-read', { failure: failure.kind })
    const interval = MIN_INTERVAL_MS * 2 ** Math.min(this.#failures, 10)
    const asked = failure.kind === 'busy' ? (failure.retryAfterSeconds ?? 0) * 1000 : 0
    return Math.min(Math.max(interval, asked), MAX_INTERVAL_MS)
  }

  /** Returns what is known of a business, read once. */
  #knownOf(scope: Scope): { readonly scope: Scope; readonly readAt: string | null } {
    const { scope: known } = this.#known ?? {}
    if (known?.businessId !== scope.businessId || known.training !== scope.training) {
      const reading = this.#dependencies.journal.collections.reading(scope)
      this.#failures = 0
      this.#known = { scope, readAt: reading?.readAt ?? null }
    }
    return this.#known ?? { scope, readAt: null }
  }
}
