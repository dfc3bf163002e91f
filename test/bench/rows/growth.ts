/** What a journal of many years costs: the first slip after a power cut, a report, backups. */
import { randomUUID } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ok, type Result } from '../../../electron/contract/failure.ts'
import { verifyIntegrity } from '../../../electron/main/journal/open-journal.ts'
import { openCheckedSlips, type SlipService } from '../../../electron/main/slips/slip-service.ts'
import type { SlipBusiness } from '../../../electron/main/session/current-business.ts'
import { business } from '../../support/sample-business.ts'
import { sizeOf, type Bench, type Extent } from '../bench.ts'
import { forgetFiles } from '../files.ts'
import { atMost, atMostTimes, type Measured, type Target } from '../line.ts'
import { writeJournal } from '../../support/million-rows.ts'
import { longestBlock, milliseconds } from '../side-by-side.ts'
import { qrCode, slipDependencies } from '../../support/slip-service.ts'

/** `BENCH_ROWS=3000000 npm run bench -- growth` measures another size; the targets hold for this one. */
const TARGET_ROWS = 1_000_000
/** Rows, power cuts, reports and days with a backup. */
const EXTENT = {
  smoke: { rows: 1000, cuts: 1, reads: 1, days: 2 },
  full: { rows: sizeOf('ROWS', TARGET_ROWS), cuts: 3, reads: 10, days: 4 }
} as const

const BUSINESS: SlipBusiness = { ...business, id: 'bench' }
const SCOPE = { training: false, businessId: BUSINESS.id }
/** The year before the newest slips of `writeJournal`. */
const YEAR = { from: '2025-11-21', to: '2026-11-20' }
const NOW = Date.parse('2026-11-21T18:30:00Z')
const DAY_MS = 24 * 60 * 60_000

const valueOf = <Value>(result: Result<Value>): Value => {
  if (!result.ok) throw new Error(`Failed: ${result.failure.kind}`)
  return result.value
}

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

  /** Opens the journal as the till does. Slips are shown: the layout is not measured. */
  async open(): Promise<SlipService> {
    const { slips } = await openCheckedSlips(
      slipDependencies(this.#folder, {
        journalFile: this.file,
        backupsFolder: this.#backups,
        createQr: (points) => Promise.resolve(ok(qrCode(randomUUID(), points))),
        now: () => new Date(NOW + this.#day * DAY_MS),
        currentBusiness: () => BUSINESS,
        deliveryMethod: () => 'show',
        showOnDisplay: () => true
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

  /** Makes the backup of the next day. Resolves with the megabytes (a million bytes) of all that there are. */
  async backUp(slips: SlipService): Promise<number> {
    this.#day += 1
    if (!(await slips.backups.backUpToday())) throw new Error('No backup was made')
    const sizes = readdirSync(this.#backups).map((name) => statSync(join(this.#backups, name)).size / 1e6)
    return sizes.reduce((sum, size) => sum + size, 0)
  }
}

/** The bench of growth. */
export const growthBench: Bench = {
  name: 'growth',
  description: 'a journal of a million slips: first slip after a power cut, report, backups',
  async measure({ extent, folder, say }) {
    const { rows, cuts, reads, days } = EXTENT[extent]
    const till = new YearsOfSlips(folder)
    say(`a journal of ${rows.toLocaleString('en')} slips`)
    writeJournal({ file: till.file, rows, scope: SCOPE })

    say('power cuts')
    let isCold = false
    const [quick, first]: [number[], number[]] = [[], []]
    for (let round = 0; round < cuts; round++) {
      isCold = till.cutPower(extent)
      quick.push(await milliseconds(() => verifyIntegrity(till.file)))
      till.cutPower(extent)
      const begun = performance.now()
      const opened = await till.open()
      valueOf(await opened.counter.issue({ intentId: randomUUID(), points: 25, customer: null }))
      first.push(performance.now() - begun)
      await opened.integrityChecked
      await opened.close()
    }

    say('a year’s report, and backups')
    const slips = await till.open()
    const [reports, sizes]: [number[], number[]] = [[], []]
    for (let read = 0; read < reads; read++) {
      reports.push(await longestBlock(async () => valueOf(await slips.reports.report(YEAR))))
    }
    for (let day = 0; day < days; day++) sizes.push(await till.backUp(slips))
    await slips.close()

    const line = (name: string, ours: readonly number[], target: Target): Measured => ({
      name: `growth, ${rows.toLocaleString('en')}: ${name}`,
      unit: 'ms',
      samples: { ours },
      target: rows <= TARGET_ROWS ? target : null
    })
    return [
      {
        // The disk decides how long SQLite's quick check takes; the till adds little to it.
        ...line('first slip after a power cut', first, atMostTimes(1.5)),
        samples: { ours: first, baseline: quick },
        against: 'quick check alone',
        note: isCold ? 'the file cache was emptied before' : 'the file was in the cache'
      },
      line('longest block of main by a report', reports, atMost(50)),
      {
        ...line('all backups', sizes, atMost(3000)),
        unit: 'MB'
      }
    ]
  }
}
