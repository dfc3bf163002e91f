/** Removes PDFs, names, old journals and slips after the times of the settings: at each start, and once a day. */
import { rmSync, statSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { quarantinedFiles } from '../fs/quarantine.ts'
import type { Printing } from '../printing/index.ts'
import type { Journal } from '../journal/journal.ts'
import type { RemovalStep } from '../journal/row-removal.ts'
import type { Settings } from '../settings/index.ts'
import type { Logger } from '../log/log.ts'
import type { SlipFolder } from '../printing/slip-folder.ts'

/** Interval of the checks for a new day. */
const CHECK_INTERVAL_MS = 15 * 60_000

const DAY_MS = 24 * 60 * 60_000

/** How long the time of the service with the last code vouches for the till's clock: longer than a weekend or a holiday. */
const MAX_CONFIRMATION_AGE_MS = 7 * DAY_MS

/** Print files of this age are left over: no print job takes as long. */
const MIN_LEFTOVER_AGE_MS = 60 * 60_000

/** Suffixes of SQLite's files beside a database. */
const COMPANIONS = ['-wal', '-shm', '-journal']

export interface RetentionDependencies {
  readonly journal: Journal
  readonly settings: Pick<Settings, 'values'>
  readonly now: () => Date
  readonly log: Logger
  readonly journalFile: string
  readonly folder: SlipFolder
  readonly printing: Pick<Printing, 'removeTemporaryFiles'>
}

/** What one run removed. */
export interface RemovedData {
  readonly pdfs: number
  readonly temporaryFiles: number
  readonly names: number
  readonly quarantinedJournals: number
  readonly slips: number
}

function* removeNames({ retention, operations }: Journal, before: string): Generator<RemovalStep> {
  yield* retention.removeNames(before)
  yield* operations.removeNames(before)
}

function* removeRows({ retention, operations }: Journal, before: string): Generator<RemovalStep> {
  yield* retention.removeSlips(before)
  yield* operations.remove(before)
}

/** No method throws or rejects; the log has the numbers, or the reason of a failure. */
export class Retention {
  readonly #dependencies: RetentionDependencies
  #timer: NodeJS.Timeout | undefined
  #isStopped = false
  /** the day of the last run that was not skipped */
  #day: string | null = null
  #isSkipped = false
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

  /**
   * Removes what is due. Resolves with the numbers, or null after a failure and while the clock may be wrong. Two calls at
   * once share one.
   */
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
    await this.apply()
    if (!this.#isSkipped) this.#day = day
  }

  async #apply(): Promise<RemovedData | null> {
    const { journal, folder, settings, printing, now, log } = this.#dependencies
    try {
      const wasSkipped = this.#isSkipped
      this.#isSkipped = !this.#isClockConfirmed()
      if (this.#isSkipped) {
        if (!wasSkipped) log.warn('retention-skipped')
        return null
      }
      const days = settings.values.retention
      const { codes, batchIds } = journal.retention.unfinished()
      const keep = [...codes, ...batchIds.map((batchId) => `batch-${batchId}`)]
      const oldPdfs = days.pdfs === null ? 0 : await folder.removeOld(this.#before(days.pdfs), keep)
      const names = await this.#remove(days.names, (before) => removeNames(journal, before))
      const slips = await this.#remove(days.slips, (before) => removeRows(journal, before))
      const removed: RemovedData = {
        pdfs: oldPdfs + names.pdfs + slips.pdfs,
        temporaryFiles: await printing.removeTemporaryFiles(now(), MIN_LEFTOVER_AGE_MS),
        names: names.slips,
        quarantinedJournals: this.#removeQuarantinedJournals(days.quarantinedJournals),
        slips: slips.slips
      }
      log.info('retention-applied', { ...removed })
      return removed
    } catch (error) {
      log.error('retention-failed', { error })
      return null
    }
  }

  /**
   * Whether the till's clock agreed with the service's at the last code, to a day, and that was lately: a clock that is ahead
   * must not remove what is young. For a service that tells no time, the days of the journal must continue.
   */
  #isClockConfirmed(): boolean {
    const { journal, now } = this.#dependencies
    const last = journal.retention.lastCode()
    if (last === null) return false
    const between = (one: Date, other: Date): number => Math.abs(one.getTime() - other.getTime())
    return (
      between(last.requestedAt, last.issuedAt) < DAY_MS &&
      between(last.issuedAt, now()) < MAX_CONFIRMATION_AGE_MS &&
      journal.retention.isPlausible(now())
    )
  }

  #before(days: number): Date {
    return new Date(this.#dependencies.now().getTime() - days * DAY_MS)
  }

  /**
   * Takes the steps of a removal, one in each turn of the event loop, until `stop`. A PDF goes before the name in the
   * journal: afterwards nothing would tell whose it is, and a customer who is forgotten would stay in it.
   */
  async #remove(
    days: number | null,
    steps: (before: string) => Iterable<RemovalStep>
  ): Promise<{ readonly slips: number; readonly pdfs: number }> {
    let [slips, pdfs] = [0, 0]
    if (days === null) return { slips, pdfs }
    for (const { codes, remove } of steps(this.#before(days).toISOString())) {
      if (codes.length > 0) pdfs += await this.#dependencies.folder.removePdfsOf(codes)
      slips += remove()
      await nextTurn()
      if (this.#isStopped) break
    }
    return { slips, pdfs }
  }

  #removeQuarantinedJournals(days: number | null): number {
    if (days === null) return 0
    const before = this.#before(days)
    // A power cut may damage the journal and reset the clock: then only the last change of the file has the right time.
    const old = quarantinedFiles(this.#dependencies.journalFile, COMPANIONS).filter(
      ({ path, quarantinedAt }) => quarantinedAt < before && statSync(path).mtime < before
    )
    for (const { path, companions } of old) for (const file of [path, ...companions]) rmSync(file)
    return old.length
  }
}
