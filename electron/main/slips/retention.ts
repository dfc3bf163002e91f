/** Removes PDFs, names, old journals and slips after the times of the settings: at each start, and once a day. */
import { rmSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RetentionSettings } from '../../contract/privacy.ts'
import { quarantinedFiles } from '../fs/quarantine.ts'
import type { Logger } from '../log/log.ts'
import type { Journal } from './journal/journal.ts'
import type { SlipFolder } from './slip-folder.ts'

/** Interval of the checks for a new day. */
const CHECK_INTERVAL_MS = 15 * 60_000

const DAY_MS = 24 * 60 * 60_000

/** Suffixes of SQLite's files beside a database. */
const COMPANIONS = ['-wal', '-shm', '-journal']

export interface RetentionDependencies {
  readonly journal: Journal
  readonly journalFile: string
  readonly folder: SlipFolder
  readonly settings: () => RetentionSettings
  /** Removes print files that were left in the temporary folder of the system. Resolves with their number. */
  readonly removeTemporaryFiles: () => Promise<number>
  readonly now: () => Date
  readonly log: Logger
}

/** What one run removed. */
export interface RemovedData {
  readonly pdfs: number
  readonly temporaryFiles: number
  readonly names: number
  readonly quarantinedJournals: number
  readonly slips: number
}

/** No method throws or rejects; the log has the numbers, or the reason of a failure. */
export class Retention {
  readonly #dependencies: RetentionDependencies
  #timer: NodeJS.Timeout | undefined
  #isStopped = false
  #day: string | null = null
  #pending: Promise<RemovedData | null> | null = null

  constructor(dependencies: RetentionDependencies) {
    this.#dependencies = dependencies
  }

  /** Applies the retention now and on each further day. */
  start(): void {
    if (this.#isStopped || this.#timer !== undefined) return
    this.#timer = setInterval(() => void this.#applyIfNewDay(), CHECK_INTERVAL_MS)
    // The timer does not keep the process alive.
    this.#timer.unref()
    void this.#applyIfNewDay()
  }

  /** Removes what is due. Resolves with the numbers, or null after a failure. Two calls at once share one. */
  apply(): Promise<RemovedData | null> {
    this.#pending ??= this.#apply().finally(() => {
      this.#pending = null
    })
    return this.#pending
  }

  /** Removes nothing more, and resolves when the step under way has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#timer)
    await this.#pending
  }

  async #applyIfNewDay(): Promise<void> {
    const day = this.#dependencies.now().toDateString()
    if (day === this.#day) return
    this.#day = day
    await this.apply()
  }

  async #apply(): Promise<RemovedData | null> {
    const { journal, folder, settings, removeTemporaryFiles, now, log } = this.#dependencies
    try {
      if (!journal.retention.isPlausible(now())) {
        log.warn('retention-skipped')
        return null
      }
      const days = settings()
      const { codes, batchIds } = journal.retention.unfinished()
      const keep = [...codes, ...batchIds.map((batchId) => `batch-${batchId}`)]
      const removed: RemovedData = {
        pdfs: days.pdfs === null ? 0 : await folder.removeOld(this.#before(days.pdfs), keep),
        temporaryFiles: await removeTemporaryFiles(),
        names: await this.#count(days.names, (before) => journal.retention.removeNames(before)),
        quarantinedJournals: this.#removeQuarantinedJournals(days.quarantinedJournals),
        slips: await this.#count(days.slips, (before) => journal.retention.removeSlips(before))
      }
      log.info('retention-applied', { ...removed })
      return removed
    } catch (error) {
      log.error('retention-failed', { error })
      return null
    }
  }

  #before(days: number): Date {
    return new Date(this.#dependencies.now().getTime() - days * DAY_MS)
  }

  /** Takes the steps of a removal, one in each turn of the event loop, until `stop`. */
  async #count(days: number | null, remove: (before: string) => Iterable<number>): Promise<number> {
    if (days === null) return 0
    let count = 0
    for (const changed of remove(this.#before(days).toISOString())) {
      count += changed
      await nextTurn()
      if (this.#isStopped) break
    }
    return count
  }

  #removeQuarantinedJournals(days: number | null): number {
    if (days === null) return 0
    const before = this.#before(days)
    const old = quarantinedFiles(this.#dependencies.journalFile, COMPANIONS).filter(
      ({ quarantinedAt }) => quarantinedAt < before
    )
    for (const { path, companions } of old) for (const file of [path, ...companions]) rmSync(file)
    return old.length
  }
}
