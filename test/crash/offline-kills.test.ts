/**
 * Kills tills at random moments while they make slips without a connection and tell their service of them, over a faulty network,
 * and now and then restores a backup of the journal. The ledger counts the points of each slip once; journal and settings know of
 * each slip on paper, also after a restore.
 */
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as v from 'valibot'
import { afterAll, expect, it } from 'vitest'
import { readOfflineCode, type UnprovedOfflineCode } from '../../electron/codes/offline-code.ts'
import { openJournal } from '../../electron/main/journal/open-journal.ts'
import { restoreJournal } from '../../electron/main/upkeep/restore.ts'
import { ShopService } from '../e2e/support/shop-service.ts'
import { openFaultyNetwork, type Fault } from '../support/faulty-network.ts'
import { noOpLogger } from '../support/no-op-logger.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { FULL } from '../support/size.ts'
import { temporaryFolder } from '../unit/main/slips/slip-service-fixture.ts'
import { createLoadProcesses } from './load-processes.ts'
import { openOfflineTill } from './offline-till.ts'

const KILLS = FULL ? 100 : 8
/** Changes before a kill: from the first slip of a process to some thirty. */
const MAX_CHANGES = 100
/** Longest time after the last change. */
const MAX_EXTRA_MS = 15
/** In how many rounds a backup is made, or that of before is restored. */
const BACKUP_EVERY = 3
/** Decides what a run does, apart from the speed of the machine; another one with `CRASH_SEED=…`. */
const SEED = Number(process.env['CRASH_SEED'] ?? 20_261_129)
const FAULTS: readonly Fault[] = ['pass', 'pass', 'pass', 'lose-answer', 'lose-request', 'half-body']

const open: { close: () => unknown }[] = []
afterAll(async () => {
  for (const one of open.reverse()) await one.close()
})

const slipRow = v.object({
  code: v.string(),
  points: v.number(),
  reported_at: v.nullable(v.string())
})
const codeRow = v.object({ code: v.string(), points: v.number() })
const sumRow = v.object({ points: v.number() })
const settingsSchema = v.object({
  offlineKey: v.nullish(v.object({ spent: v.nullable(v.object({ day: v.string(), points: v.number() })) }))
})

/** Returns the rows of a query. */
function read<Schema extends v.GenericSchema>(file: string, sql: string, schema: Schema) {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return database
      .prepare(sql)
      .all()
      .map((row) => v.parse(schema, row))
  } finally {
    database.close()
  }
}

it(
  `every slip on paper counts once over ${String(KILLS)} kills at random moments`,
  { timeout: 30 * 60_000 },
  async () => {
    const folder = temporaryFolder()
    const shopFolder = temporaryFolder()
    const shop = await ShopService.start(shopFolder)
    open.push(shop)
    const { code: pairingCode } = await shop.run(
      v.object({ code: v.string() }),
      'till',
      'pair',
      '--name',
      'Till 1'
    )
    const paired = await fetch(`${shop.origin}/pair`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code: pairingCode })
    })
    const { token } = v.parse(v.object({ token: v.string() }), await paired.json())
    writeFileSync(join(folder, 'token'), token)
    const network = await openFaultyNetwork(`${shop.origin}/api`)
    open.push(network)
    const processes = createLoadProcesses(folder, network.url, SEED, 'offline')
    open.push(processes)
    const random = seededRandom(SEED)
    const journalFile = join(folder, 'journal.db')
    const serviceFile = join(shopFolder, 'service.sqlite')

    /** The codes that the till made: on paper when their PDF is in the folder. */
    const made = (): readonly UnprovedOfflineCode[] =>
      (existsSync(join(folder, 'slips')) ? readdirSync(join(folder, 'slips')) : []).flatMap(
        (file) => readOfflineCode(basename(file, '.pdf')) ?? []
      )
    /** Their points. */
    const papers = (): ReadonlyMap<string, number> =>
      new Map(made().map(({ code, points }) => [code, points]))
    /** Points on paper of the last day of which the settings know, and the points that they know. */
    const spent = (): { readonly onPaper: number; readonly known: number } => {
      const file = join(folder, 'settings.json')
      const stored = existsSync(file)
        ? v.parse(settingsSchema, JSON.parse(readFileSync(file, 'utf8'))).offlineKey?.spent
        : null
      const ofDay = made().filter(({ day }) => day >= (stored?.day ?? ''))
      return { onPaper: ofDay.reduce((sum, { points }) => sum + points, 0), known: stored?.points ?? 0 }
    }
    const own = (file = journalFile) =>
      read(file, 'SELECT code, points, reported_at FROM slips WHERE offline_day IS NOT NULL', slipRow)
    let restores = 0
    /** slips that the restored backups did not have */
    let adopted = 0
    for (let kill = 1; kill <= KILLS; kill++) {
      network.fail(FAULTS[Math.floor(random() * FAULTS.length)] ?? 'pass', 'POST')
      const lifetime = { changes: Math.floor(random() * MAX_CHANGES), extraMs: random() * MAX_EXTRA_MS }
      expect(await processes.runAndKill(lifetime)).toBe('')
      // As the next start does.
      const { journal, error } = openJournal(journalFile, new Date())
      expect(error).toBeNull()
      journal?.close()
      const known = new Map(own().map(({ code, points }) => [code, points]))
      const unknown = [...papers()].filter(([code, points]) => known.get(code) !== points)
      expect({ seed: SEED, kill, unknown }).toEqual({ seed: SEED, kill, unknown: [] })
      const { onPaper, known: spentPoints } = spent()
      expect(spentPoints, `kill ${String(kill)}, seed ${String(SEED)}`).toBeGreaterThanOrEqual(onPaper)
      if (kill % BACKUP_EVERY !== 0) continue
      const from = join(folder, 'backup.sqlite')
      if (!existsSync(from)) {
        copyFileSync(journalFile, from)
        continue
      }
      adopted += known.size - own(from).length
      const restored = await restoreJournal({ journalFile, from, now: new Date(), log: noOpLogger })
      expect(restored.kind).toBe('restored')
      restores += 1
      expect(new Map(own().map(({ code, points }) => [code, points]))).toEqual(known)
      rmSync(from)
    }

    // The last till tells what the killed ones did not.
    network.fail('pass')
    const { slips } = openOfflineTill(folder, network.url)
    slips.offlineReports.start()
    await expect.poll(() => own().filter(({ reported_at }) => reported_at === null)).toEqual([])
    await slips.close()
    const taken = read(serviceFile, 'SELECT code, points FROM codes WHERE offline_day IS NOT NULL', codeRow)
    const pointsOf = new Map(taken.map(({ code, points }) => [code, points]))
    expect(own().filter(({ code, points }) => pointsOf.get(code) !== points)).toEqual([])
    expect(new Set(own().map(({ code }) => code)).size).toBe(own().length)
    const [counted] = read(serviceFile, 'SELECT sum(points) AS points FROM offline_days', sumRow)
    expect(counted?.points).toBe(taken.reduce((sum, { points }) => sum + points, 0))
    expect([...papers().keys()].filter((code) => !pointsOf.has(code))).toEqual([])
    // The processes did work.
    expect(papers().size).toBeGreaterThan(KILLS)
    expect(restores).toBeGreaterThan(0)
    expect(adopted).toBeGreaterThan(0)
  }
)
