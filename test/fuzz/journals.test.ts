/** Damaged journals, each opened twice by a till in a process of its own. */
import { fork, type ChildProcess } from 'node:child_process'
import { cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { ok } from '../../electron/contract/failure.ts'
import { migrate, SCHEMA_VERSION } from '../../electron/main/journal/schema.ts'
import { qrCode, openTestSlips } from '../support/slip-service.ts'
import { createDamagedJournal, damagedJournal, type CorruptionCase } from './corruption.ts'
import type { StartRequest, StartResult } from './journal-process.ts'
import { runs, SEEDS } from './runs.ts'

const PROGRAM = fileURLToPath(new URL('./journal-process.ts', import.meta.url))
const SLIPS = 60
/** After this time a till counts as hanging; opening takes some hundredths of a second. */
const HANG_TIMEOUT_MS = 60_000
/** Twice and more what a till without a window needs to print, bytes. */
const MAX_MEMORY = 500 * 1024 * 1024

/** A file system in memory if there is one: no test cuts the power, and fsync is slow on a real disk. */
const TEMPORARY_FOLDER = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

let templates: string

/** Creates a journal with slips in every state, closed in `folder`, and a copy of it while it is open. */
async function createJournal(folder: string): Promise<void> {
  let asked = 0
  const slips = openTestSlips(folder, {
    journalFile: join(folder, 'journal.sqlite'),
    createQr: (points) => {
      asked += 1
      return Promise.resolve(
        asked % 10 === 0
          ? { ok: false, failure: { kind: 'unknown-outcome', cause: 'timeout' } }
          : ok(qrCode(`CODE-${asked}`, points))
      )
    },
    now: () => new Date('2026-11-20T12:05:33.000Z')
  })
  for (let points = 1; points <= SLIPS; points += 1) {
    const press = { intentId: crypto.randomUUID(), points, customer: { id: 'c-1', name: `Ada ${points}` } }
    await slips.counter.issue(press)
    await slips.printouts.print(press)
  }
  await slips.printouts.reprintLast()
  // The files that a killed till leaves: copied while the journal is open.
  mkdirSync(join(templates, 'killed'))
  for (const ending of ['', '-wal', '-shm'])
    cpSync(join(folder, `journal.sqlite${ending}`), join(templates, 'killed', `journal.sqlite${ending}`))
  await slips.close()
  rmSync(join(folder, 'slips'), { recursive: true })
}

/** Creates a journal of the first version without slips. */
function createEmptyJournal(folder: string): void {
  mkdirSync(folder)
  const database = new DatabaseSync(join(folder, 'journal.sqlite'))
  migrate(database)
  database.close()
}

beforeAll(async () => {
  templates = mkdtempSync(join(TEMPORARY_FOLDER, 'tillpoints-journals-'))
  await createJournal(join(templates, 'closed'))
  createEmptyJournal(join(templates, 'version 1'))
})
afterAll(() => {
  rmSync(templates, { recursive: true, force: true })
})

interface Outcome {
  readonly first: StartResult
  readonly second: StartResult
  readonly peakMemory: number
}

/** Has the till open the journal in `folder` twice. Rejects if it crashes or hangs. */
const openIn = (till: ChildProcess, folder: string): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    const watchdog = setTimeout(() => {
      till.kill('SIGKILL')
      reject(new Error('The till hangs'))
    }, HANG_TIMEOUT_MS)
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
    till.send({ folder } satisfies StartRequest)
  })

const isNewer = ({ damages }: CorruptionCase): boolean =>
  damages.some((damage) => damage.kind === 'version' && damage.version > SCHEMA_VERSION)

/** Checks how a till opened this journal. */
function expectRecovered(one: CorruptionCase, folder: string, { first, second, peakMemory }: Outcome): void {
  expect(peakMemory).toBeLessThan(MAX_MEMORY)
  if (first.quarantineFile !== null) {
    expect(first.notices).toContain('journal-quarantined')
    expect(lstatSync(join(folder, first.quarantineFile)).size).toBeGreaterThanOrEqual(0)
  }
  // SQLite has no checksums: a changed character can pass unnoticed, but no slip is added.
  if (first.quarantineFile === null && first.codes !== null)
    expect(first.codes.length).toBeLessThanOrEqual(SLIPS)
  if (second.issued === 'printed') return
  // Only a journal of a newer till, which must not be changed, prevents issuing.
  expect({ newer: isNewer(one), notices: second.notices, issued: second.issued }).toEqual({
    newer: true,
    notices: ['journal-not-saved'],
    issued: 'not-saved'
  })
  expect(existsSync(join(folder, 'journal.sqlite'))).toBe(true)
}

/** Found by a random seed: an index without an entry for a row, in an otherwise intact file. */
const INDEX_WITHOUT_ROW: CorruptionCase = {
  template: 'killed',
  damages: [
    { kind: 'gone', file: 'journal.sqlite-wal' },
    { kind: 'flip', file: 'journal.sqlite', at: 0.026279, bit: 1, count: 1 },
    { kind: 'flip', file: 'journal.sqlite', at: 0.0002, bit: 3, count: 10 }
  ]
}

/** Found by a random seed: an unclean journal in which SQLite finds nothing, but whose schema is another. */
const CHANGED_SCHEMA: CorruptionCase = {
  template: 'version 1',
  damages: [{ kind: 'flip', file: 'journal.sqlite', at: 0.350399, bit: 5, count: 10 }]
}

describe.each(SEEDS)('with %s', (_name, seed) => {
  it(
    'opens a damaged journal or quarantines it with a notice; at the latest the next start issues again',
    async () => {
      const till = fork(PROGRAM, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], serialization: 'advanced' })
      onTestFinished(() => till.disconnect())
      const sample = fc.sample(damagedJournal, { seed, numRuns: runs(1000, 20) })
      const cases = [INDEX_WITHOUT_ROW, CHANGED_SCHEMA, ...sample]
      for (const [index, one] of cases.entries()) {
        const folder = mkdtempSync(join(TEMPORARY_FOLDER, 'tillpoints-journal-'))
        createDamagedJournal(templates, folder, one)
        try {
          expectRecovered(one, folder, await openIn(till, folder))
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
