/** Reports and exports of the current business's slips, and the totals of the journal. */
import type { JournalStatistics } from '../../contract/diagnostics.ts'
import { err, ok, type Result } from '../../contract/failure.ts'
import { outputOf } from '../../contract/printing.ts'
import { tellsCollections } from '../../contract/redemptions.ts'
import type { CollectionGrouping, ReportRange, SlipsReport } from '../../contract/slip-report.ts'
import { type Journal, journalFailed } from '../journal/journal.ts'
import type { Logger } from '../log/log.ts'
import { type CurrentBusiness, scopeOf, snapshotOf } from '../session/current-business.ts'
import type { Languages, Settings } from '../settings/index.ts'
import { exportCollections, exportSlips } from './csv-export.ts'
import { criteriaOf, type JournalSearch } from './slip-search.ts'
import { createSlipsReport } from './slips-report.ts'

export interface ReportsDependencies {
  readonly journal: Journal
  readonly business: Pick<CurrentBusiness, 'current'>
  readonly languages: Pick<Languages, 'screen'>
  readonly settings: Pick<Settings, 'values'>
  readonly log: Logger
}

/** Each method fails with `internal` when the journal cannot be read. */
export class Reports {
  readonly #dependencies: ReportsDependencies

  constructor(dependencies: ReportsDependencies) {
    this.#dependencies = dependencies
  }

  /** Returns the report of a range of days; `not-connected` without a business. */
  async report(range: ReportRange): Promise<Result<SlipsReport>> {
    const { journal, log } = this.#dependencies
    const business = this.#dependencies.business.current()
    if (business === null) return err({ kind: 'not-connected' })
    try {
      const { timeZone } = snapshotOf(business)
      return ok(
        await createSlipsReport(journal, scopeOf(business), range, timeZone, tellsCollections(business))
      )
    } catch (error) {
      journalFailed(journal, log, error)
      return err({ kind: 'internal' })
    }
  }

  /** Exports the slips that match as CSV. Resolves with their number; `not-saved` when `file` cannot be written. */
  async exportSlips(file: string, search: JournalSearch): Promise<Result<number>> {
    const { journal, languages, settings, log } = this.#dependencies
    const business = this.#dependencies.business.current()
    if (business === null) return err({ kind: 'not-connected' })
    const { timeZone } = snapshotOf(business)
    const criteria = criteriaOf(search, timeZone)
    const output = outputOf(settings.values.printer.destination)
    const options = {
      timeZone,
      locale: languages.screen,
      tellsCollections: tellsCollections(business),
      output
    }
    try {
      const count = await exportSlips(file, options, (after, limit) =>
        journal.history.find(scopeOf(business), criteria, after === undefined ? { limit } : { limit, after })
      )
      return ok(count)
    } catch (error) {
      log.error('slips-not-exported', { error })
      return err({ kind: 'not-saved', what: 'export' })
    }
  }

  /**
   * Exports which slips of a range were collected as CSV. `not-found` when that is not known; `not-saved` when `file` cannot
   * be written.
   */
  async exportCollections(file: string, range: ReportRange, by: CollectionGrouping): Promise<Result<null>> {
    const report = await this.report(range)
    if (!report.ok) return report
    if (report.value.collections === null) return err({ kind: 'not-found' })
    try {
      await exportCollections(file, report.value, by, this.#dependencies.languages.screen)
      return ok(null)
    } catch (error) {
      this.#dependencies.log.error('slips-not-exported', { error })
      return err({ kind: 'not-saved', what: 'export' })
    }
  }

  /** Resolves with the totals of the journal for diagnostics, or null when it cannot be read. */
  async statistics(): Promise<JournalStatistics | null> {
    const { journal, log } = this.#dependencies
    try {
      return await journal.statistics.totals()
    } catch (error) {
      journalFailed(journal, log, error)
      return null
    }
  }
}
