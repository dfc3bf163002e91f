/** Damaged journals, each opened by a till in a process of its own, twice. */
import { fork, type ChildProcess } from 'node:child_process'
import { cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { ok } from '../../electron/contract/failure.ts'
import { migrate, SCHEMA_VERSION } from '../../electron/main/slips/journal/schema.ts'
import { SlipService } from '../../electron/main/slips/slip-service.ts'
import { SlipPdfRenderer } from '../../electron/main/slip-pdf/slip-pdf-renderer.ts'
import { business } from '../support/sample-business.ts'
import { noOpLogger } from '../support/no-op-logger.ts'
import { fontsFolder, qrCode } from '../unit/main/slips/slip-service-fixture.ts'
import { damagedJournal, make, type Case } from './damage.ts'
import type { Order, Start } from './journal-process.ts'
import { runs, SEEDS } from './runs.ts'

const PROGRAM = fileURLToPath(new URL('./journal-process.ts', import.meta.url))
const SLIPS = 60
/** ms after which a till hangs; opening takes some hundredths of a second. */
const WATCHDOG = 60_000
/** A till without a window that has printed, and some room. */
const MOST_MEMORY = 500 * 1024 * 1024

/** No power is cut here: a disk in memory, where there is one, saves waiting for a real one a thousand times. */
const MEMORY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

let templates: string

/** A journal with slips of every kind in it. */
async function fill(folder: string): Promise<void> {
  let asked = 0
  const slips = new SlipService({
    journalFile: join(folder, 'journal.sqlite'),
    slipsFolder: join(folder, 'slips'),
    pdfRenderer: new SlipPdfRenderer(fontsFolder),
    createQr: (points) => {
      asked += 1
      return Promise.resolve(
        asked % 10 === 0
          ? { ok: false, failure: { kind: 'unknown-outcome', cause: 'timeout' } }
          : ok(qrCode(`CODE-${asked}`, points))
      )
    },
    printOnPrinter: () => Promise.reject(new Error('No printer is set')),
    settings: () => ({
      printer: { destination: { kind: 'folder' }, paperSize: '80mm' },
      copies: 1,
      oneJob: false
    }),
    now: () => new Date('2026-11-20T12:05:33.000Z'),
    currentBusiness: () => business,
    onSlip: () => undefined,
    onBatch: () => undefined,
    log: noOpLogger
  })
  for (let points = 1; points <= SLIPS; points += 1) {
    const press = { intentId: crypto.randomUUID(), points, customer: { id: 'c-1', name: `Ada ${points}` } }
    await slips.issue(press)
    await slips.print(press)
  }
  await slips.reprintLast()
  // What a killed till leaves, while this one still has the file open.
  mkdirSync(join(templates, 'killed'))
  for (const ending of ['', '-wal', '-shm'])
    cpSync(join(folder, `journal.sqlite${ending}`), join(templates, 'killed', `journal.sqlite${ending}`))
  await slips.close()
  rmSync(join(folder, 'slips'), { recursive: true })
}

/** A journal of the first version, without slips. */
function begin(folder: string): void {
  mkdirSync(folder)
  const database = new DatabaseSync(join(folder, 'journal.sqlite'))
  migrate(database)
  database.close()
}

beforeAll(async () => {
  templates = mkdtempSync(join(MEMORY, 'tillpoints-journals-'))
  await fill(join(templates, 'closed'))
  begin(join(templates, 'version 1'))
})
afterAll(() => {
  rmSync(templates, { recursive: true, force: true })
})

interface Outcome {
  readonly first: Start
  readonly second: Start
  readonly peakMemory: number
}

/** Lets the till open what lies in `folder`; rejects when it crashes or hangs. */
const openIn = (till: ChildProcess, folder: string): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    const watchdog = setTimeout(() => {
      till.kill('SIGKILL')
      reject(new Error('The till hangs'))
    }, WATCHDOG)
    const crashed = (code: number | null, signal: string | null): void => {
      clearTimeout(watchdog)
      reject(new Error(`The till crashed: ${String(signal ?? code)}`))
    }
    till.once('exit', crashed)
    till.once('message', (outcome: Outcome) => {
      clearTimeout(watchdog)
      till.off('exit', crashed)
      resolve(outcome)
    })
    till.send({ folder, fontsFolder } satisfies Order)
  })

const isNewer = ({ damages }: Case): boolean =>
  damages.some((damage) => damage.kind === 'version' && damage.version > SCHEMA_VERSION)

/** What must hold of a till that found this journal. */
function judge(one: Case, folder: string, { first, second, peakMemory }: Outcome): void {
  expect(peakMemory).toBeLessThan(MOST_MEMORY)
  if (first.quarantineFile !== null) {
    expect(first.notices).toContain('journal-quarantined')
    expect(lstatSync(join(folder, first.quarantineFile)).size).toBeGreaterThanOrEqual(0)
  }
  // A code that is listed was once issued; damage that SQLite cannot see is one of a letter, and keeps the length.
  if (first.quarantineFile === null && first.codes !== null)
    expect(first.codes.length).toBeLessThanOrEqual(SLIPS)
  if (second.issued === 'printed') return
  // Only a file that a newer till wrote, and nobody may touch, keeps a till from issuing.
  expect({ newer: isNewer(one), notices: second.notices, issued: second.issued }).toEqual({
    newer: true,
    notices: ['journal-not-saved'],
    issued: 'not-saved'
  })
  expect(existsSync(join(folder, 'journal.sqlite'))).toBe(true)
}

/** Found by a seed of its own: an index that lacks a row, in a file that is whole otherwise. */
const INDEX_WITHOUT_ROW: Case = {
  template: 'killed',
  damages: [
    { kind: 'gone', file: 'journal.sqlite-wal' },
    { kind: 'flip', file: 'journal.sqlite', at: 0.026279, bit: 1, count: 1 },
    { kind: 'flip', file: 'journal.sqlite', at: 0.0002, bit: 3, count: 10 }
  ]
}

describe.each(SEEDS)('with %s', (_name, seed) => {
  it(
    'a damaged journal opens, or is set aside with a notice; at the latest the next start issues again',
    async () => {
      const till = fork(PROGRAM, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], serialization: 'advanced' })
      onTestFinished(() => till.disconnect())
      const sample = fc.sample(damagedJournal, { seed, numRuns: runs(1000, 40) })
      const cases = [INDEX_WITHOUT_ROW, ...sample]
      for (const [index, one] of cases.entries()) {
        const folder = mkdtempSync(join(MEMORY, 'tillpoints-journal-'))
        make(templates, folder, one)
        try {
          judge(one, folder, await openIn(till, folder))
        } catch (error) {
          throw new Error(`Journal ${index} of seed ${seed}: ${JSON.stringify(one)}`, { cause: error })
        } finally {
          rmSync(folder, { recursive: true, force: true })
        }
      }
    },
    10 * 60_000
  )
})
