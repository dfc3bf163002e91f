/** What a journal of many years costs: the first slip after a power cut, a report, backups, a forgotten customer. */
import { randomUUID } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ok, type Result } from '../../../electron/contract/failure.ts'
import type { CustomerReference } from '../../../electron/contract/privacy.ts'
import type { ReportRange } from '../../../electron/contract/slip-report.ts'
import { CustomerData } from '../../../electron/main/upkeep/customer-data.ts'
import { verifyIntegrity } from '../../../electron/main/journal/open-journal.ts'
import { openCheckedSlips, type SlipService } from '../../../electron/main/slips/slip-service.ts'
import type { SlipBusiness } from '../../../electron/main/session/current-business.ts'
import { noOpLogger } from '../../support/no-op-logger.ts'
import { business } from '../../support/sample-business.ts'
import type { Bench, Extent } from '../bench.ts'
import { forgetFiles } from '../files.ts'
import type { Measured, Target } from '../line.ts'
import { writeJournal } from '../../support/million-rows.ts'
import { milliseconds } from '../side-by-side.ts'
import { slipDependencies } from '../../support/slip-service.ts'

/** `BENCH_ROWS=3000000 npm run bench -- growth` measures another size. */
const ROWS: Readonly<Record<Extent, number>> = {
  smoke: 1000,
  full: Number(process.env['BENCH_ROWS'] ?? 1_000_000)
}
/** The targets hold for this size. */
const TARGET_ROWS = 1_000_000

const ROUNDS: Readonly<Record<Extent, number>> = { smoke: 1, full: 3 }
const READS: Readonly<Record<Extent, number>> = { smoke: 1, full: 10 }
const BACKUP_DAYS: Readonly<Record<Extent, number>> = { smoke: 2, full: 4 }

const BUSINESS: SlipBusiness = { ...business, id: 'bench' }
const SCOPE = { training: false, businessId: BUSINESS.id }
/** The year before the newest slips of `writeJournal`. */
const YEAR: ReportRange = { from: '2025-11-21', to: '2026-11-20' }
const NOW = Date.parse('2026-11-21T18:30:00Z')
const DAY_MS = 24 * 60 * 60_000

/** A till's folder with a journal of many slips. */
class YearsOfSlips {
  readonly file: string
  readonly #folder: string
  readonly #backups: string
  #day = 0

  constructor(folder: string) {
    this.#folder = folder
    this.file = join(folder, 'journal.sqlite')
    this.#backups = join(folder, 'backups')
  }

  /** Opens the journal as the till does. */
  async open(): Promise<SlipService> {
    const { slips } = await openCheckedSlips(
      slipDependencies(this.#folder, {
        journalFile: this.file,
        backupsFolder: this.#backups,
        pdfRenderer: {
          renderSlips: () => Promise.reject(new Error('Nothing is printed')),
          renderReport: () => Promise.reject(new Error('Nothing is printed')),
          renderRedemption: () => Promise.reject(new Error('Nothing is printed'))
        },
        createQr: (points) => {
          const code = randomUUID()
          const created = {
            code,
            qrURL: `https://points.example/q/${code}`,
            qrImageURL: null,
            rewardPoints: points,
            status: 'active',
            usedDate: null,
            expiresAt: null,
            createdAt: new Date(NOW).toISOString(),
            updatedAt: null
          }
          return Promise.resolve(ok(created))
        },
        printOnPrinter: () => Promise.reject(new Error('Nothing is printed')),
        settings: () => ({
          printer: { destination: { kind: 'folder' }, paperSize: '80mm' },
          copies: 1,
          oneJob: true
        }),
        now: () => new Date(NOW + this.#day * DAY_MS),
        currentBusiness: () => BUSINESS,
        // The bench measures the journal, not the layout.
        deliveryMethod: () => 'show',
        showOnDisplay: () => true,
        onSlip: () => undefined,
        onBatch: () => undefined,
        log: noOpLogger
      })
    )
    return valueOf(slips)
  }

  /** Leaves the journal, which is closed, as a power cut does: not shut down, and nothing of it in the file cache. */
  cutPower(extent: Extent): boolean {
    const database = new DatabaseSync(this.file)
    database.exec('UPDATE shutdown SET clean = 0')
    database.close()
    return extent === 'full' && forgetFiles()
  }

  nextDay(): void {
    this.#day += 1
  }

  /** Returns the sizes of the backups in MB (a million bytes). */
  backupSizes(): number[] {
    return readdirSync(this.#backups).map((name) => statSync(join(this.#backups, name)).size / 1e6)
  }

  /** Returns a customer whom slips name. */
  customer(): CustomerReference {
    const database = new DatabaseSync(this.file, { readOnly: true })
    const row = database
      .prepare('SELECT customer_id, customer_name FROM slips WHERE customer_id IS NOT NULL LIMIT 1')
      .get()
    database.close()
    return { id: String(row?.['customer_id']), name: String(row?.['customer_name']) }
  }

  /** Forgets a customer in the journal and in each backup. Nothing may have the journal open. */
  async forget(customer: CustomerReference): Promise<void> {
    const data = new CustomerData({
      journalFile: this.file,
      backupsFolder: this.#backups,
      slipsFolder: join(this.#folder, 'slips'),
      trainingFile: join(this.#folder, 'training.sqlite'),
      markerFile: join(this.#folder, 'customer-removal.json'),
      training: { reset: () => Promise.resolve() },
      clearCaches: () => Promise.resolve(),
      log: noOpLogger
    })
    const { kind } = await data.remove(SCOPE, customer, () => undefined)
    if (kind !== 'forgotten') throw new Error('The customer was not forgotten')
  }
}

/** Does `work`, and resolves with its duration and the longest time in which it let nothing else run, in ms. */
async function blockingOf(
  work: () => Promise<unknown>
): Promise<{ readonly ms: number; readonly longest: number }> {
  let longest = 0
  let last = performance.now()
  const measure = (): void => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
  }
  const tick = (): void => {
    measure()
    immediate = setImmediate(tick)
  }
  let immediate = setImmediate(tick)
  const ms = await milliseconds(work)
  clearImmediate(immediate)
  measure()
  return { ms, longest }
}

const valueOf = <Value>(result: Result<Value>): Value => {
  if (!result.ok) throw new Error(`Failed: ${result.failure.kind}`)
  return result.value
}

const issue = async (slips: SlipService): Promise<unknown> =>
  valueOf(await slips.counter.issue({ intentId: randomUUID(), points: 25, customer: null }))

/** Calls `work` `count` times, one after the other. */
async function repeat<Value>(count: number, work: () => Promise<Value>): Promise<Value[]> {
  const values: Value[] = []
  for (let index = 0; index < count; index++) values.push(await work())
  return values
}

/** The bench of growth. */
export const growthBench: Bench = {
  name: 'growth',
  description:
    'a journal of a million slips: first slip after a power cut, report, backups, a forgotten customer',
  async measure({ extent, folder, say }) {
    const rows = ROWS[extent]
    const till = new YearsOfSlips(folder)
    say(`a journal of ${rows.toLocaleString('en')} slips`)
    writeJournal({ file: till.file, rows, scope: SCOPE })
    const bytes = statSync(till.file).size

    say('power cuts')
    let isCold = false
    const quick: number[] = []
    const first: number[] = []
    const complete: number[] = []
    for (let round = 0; round < ROUNDS[extent]; round++) {
      isCold = till.cutPower(extent)
      quick.push(await milliseconds(() => verifyIntegrity(till.file)))
      till.cutPower(extent)
      const begun = performance.now()
      const opened = await till.open()
      await issue(opened)
      first.push(performance.now() - begun)
      await opened.integrityChecked
      complete.push(performance.now() - begun)
      await opened.close()
    }

    say('a year’s report, and lists')
    const clean: number[] = []
    const slips = await till.open()
    const reports = await repeat(READS[extent], () =>
      blockingOf(async () => valueOf(await slips.reports.report(YEAR)))
    )
    const customer = till.customer()
    const reads = async (work: () => unknown): Promise<number[]> =>
      repeat(READS[extent], () => milliseconds(work))
    const newest = await reads(() => valueOf(slips.queries.list({ offset: 0 })))
    const byName = await reads(() =>
      valueOf(slips.queries.list({ offset: 0, search: { text: customer.name } }))
    )
    const append = await reads(() => issue(slips))

    say('backups')
    const backups = await repeat(BACKUP_DAYS[extent], async () => {
      till.nextDay()
      const backup = await blockingOf(async () => {
        if (!(await slips.backups.backUpToday())) throw new Error('No backup was made')
      })
      return { ...backup, total: till.backupSizes().reduce((sum, size) => sum + size, 0) }
    })
    await slips.close()
    clean.push(
      ...(await repeat(READS[extent], async () => {
        const begun = performance.now()
        const opened = await till.open()
        const ms = performance.now() - begun
        await opened.close()
        return ms
      }))
    )

    const kept = till.backupSizes().length
    say(`forgetting a customer in the journal and ${String(kept)} backups`)
    const forgetting = await blockingOf(() => till.forget(customer))

    const targetOf = (target: Target): Target => (rows <= TARGET_ROWS ? target : { kind: 'none' })
    const line = (
      name: string,
      ours: readonly number[],
      target: Target = { kind: 'none' },
      unit: Measured['unit'] = 'ms',
      note?: string
    ): Measured => ({
      name: `growth, ${rows.toLocaleString('en')}: ${name}`,
      unit,
      samples: { ours, baseline: [] },
      target: targetOf(target),
      ...(note !== undefined && { note })
    })
    const cold = isCold ? 'the file cache was emptied before' : 'the file was in the cache'
    return [
      line('file size of a slip', [bytes / rows / 1000], { kind: 'none' }, 'kB'),
      {
        // The disk decides how long SQLite's quick check takes; the till adds little to it.
        ...line(
          'first slip after a power cut',
          first,
          { kind: 'at most times', times: 1.5, rank: 'p50' },
          'ms',
          cold
        ),
        samples: { ours: first, baseline: quick },
        against: 'quick check alone'
      },
      line('complete check meanwhile', complete),
      line('open after a clean shutdown', clean),
      line(
        'a year’s report',
        reports.map(({ ms }) => ms)
      ),
      line(
        'longest block of main by a report',
        reports.map(({ longest }) => longest),
        {
          kind: 'at most',
          most: 50,
          rank: 'p95'
        }
      ),
      line('newest page', newest),
      line('search by name', byName),
      line('append, one slip with its code', append),
      line(
        'a backup',
        backups.map(({ ms }) => ms)
      ),
      line(
        'longest block of main by a backup',
        backups.map(({ longest }) => longest)
      ),
      line(
        'all backups',
        backups.map(({ total }) => total),
        { kind: 'at most', most: 3000, rank: 'p95' },
        'MB',
        `${String(kept)} are kept after ${String(BACKUP_DAYS[extent])} days`
      ),
      line(
        'forgetting a customer',
        [forgetting.ms],
        { kind: 'none' },
        'ms',
        `in the journal and ${String(kept)} backups`
      ),
      line('longest block of main by forgetting', [forgetting.longest])
    ]
  }
}
