import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, test } from 'vitest'
import { err, ok, type Result } from '../../../../electron/contract/failure.ts'
import { LANGUAGES } from '../../../../electron/contract/language.ts'
import type { NewQrCode } from '../../../../electron/contract/loyalty.ts'
import { Backups } from '../../../../electron/main/upkeep/backups.ts'
import { restoreJournal, restoreMessage } from '../../../../electron/main/upkeep/restore.ts'
import { messagesByLanguage } from '../../../../generated/messages/dialogs/all.js'
import { noOpLogger } from '../../../support/no-op-logger.ts'
import { readOnly } from '../../../support/read-only.ts'
import { business } from '../../../support/sample-business.ts'
import {
  issueAndPrint,
  openSlipService,
  press,
  qrCode,
  valueOf,
  type SlipServiceFixture
} from '../slips/slip-service-fixture.ts'

const now = new Date('2026-11-21T12:05:33.123Z')
const keptAs = 'journal.replaced-2026-11-21T12-05-33-123Z.db'

/** A closed service with three slips, and a backup of the first two. */
async function closedTill(): Promise<{
  folder: string
  journalFile: string
  backup: string
  till: SlipServiceFixture
}> {
  const till = openSlipService()
  const journalFile = join(till.folder, 'journal.db')
  for (const points of [1, 2]) await issueAndPrint(till, press(points))
  const backups = new Backups({
    journalFile,
    folder: join(till.folder, 'backups'),
    now: () => now,
    log: noOpLogger
  })
  await backups.backUpToday()
  await issueAndPrint(till, press(3))
  await till.slips.close()
  return { folder: till.folder, journalFile, backup: backups.newest() ?? '', till }
}

const restore = (journalFile: string, from: string) =>
  restoreJournal({ journalFile, from, now, log: noOpLogger })
const pointsOf = (till: SlipServiceFixture): number[] =>
  valueOf(till.slips.queries.list({ offset: 0 })).slips.map(({ points }) => points)

describe('restoreJournal', () => {
  it('replaces the journal by the backup, and keeps the replaced journal', async () => {
    const { folder, journalFile, backup } = await closedTill()
    expect(await restore(journalFile, backup)).toEqual({ kind: 'restored', slips: 2, keptAs })
    const again = openSlipService(
      { createQr: (points) => Promise.resolve(ok(qrCode('CODE-4', points))) },
      folder
    )
    expect(again.notices).toEqual([])
    expect(pointsOf(again)).toEqual([2, 1])
    expect(valueOf(await issueAndPrint(again, press(4))).slip.state).toBe('printed')
    const kept = new DatabaseSync(join(folder, keptAs), { readOnly: true })
    expect(kept.prepare('SELECT count(*) AS count FROM slips').get()).toEqual({ count: 3 })
    kept.close()
    expect(existsSync(backup)).toBe(true)
  })

  it('ends the slips that were pending when the backup was made', async () => {
    const { promise: answer, resolve } = Promise.withResolvers<Result<NewQrCode>>()
    const till = openSlipService({ createQr: () => answer })
    const journalFile = join(till.folder, 'journal.db')
    void till.slips.counter.issue(press(7))
    const backups = new Backups({
      journalFile,
      folder: join(till.folder, 'backups'),
      now: () => now,
      log: noOpLogger
    })
    await backups.backUpToday()
    resolve(err({ kind: 'offline' }))
    const folder = join(till.folder, 'new')
    await restore(join(folder, 'journal.db'), backups.newest() ?? '')
    const other = openSlipService({}, folder)
    expect(valueOf(other.slips.queries.list({ offset: 0 })).slips).toMatchObject([
      { points: 7, state: 'unknown' }
    ])
  })

  it('asks for no code whose answer came after the backup: its slip may be with a customer', async () => {
    const LOST = err({ kind: 'unknown-outcome', cause: 'timeout' } as const)
    const asked: string[] = []
    const keyed = {
      currentBusiness: () => ({ ...business, extensions: ['codes/1'] as const }),
      retryDelaysMs: [],
      issueCode: (key: string, { points }: { readonly points: number }) => {
        asked.push(key)
        return Promise.resolve(asked.length === 1 ? LOST : ok(qrCode('CODE-1', points)))
      }
    }
    const till = openSlipService(keyed)
    const pressed = press(250)
    await till.slips.counter.issue(pressed)
    await till.slips.backups.backUpToday()
    valueOf(await issueAndPrint(till, pressed))
    const backup = till.slips.backups.newest() ?? ''
    await till.slips.close()
    expect(await restore(join(till.folder, 'journal.db'), backup)).toMatchObject({ kind: 'restored' })
    const again = openSlipService(keyed, till.folder)
    await again.slips.lostAnswers.askAll()
    expect(await again.slips.counter.issue(pressed)).toEqual(LOST)
    expect(asked).toHaveLength(2)
  })

  describe('with a batch that was half finished when the backup was made', () => {
    const batch = { batchId: randomUUID(), points: 5, count: 10, oneJob: true }

    /** A till that continued the batch after the backup, and the till on the restored backup. */
    async function restoredTill() {
      const answers: (() => void)[] = []
      const till = openSlipService({
        createQr: (points) =>
          new Promise((resolve) => {
            const code = `CODE-${String(till.requestedPoints.length)}`
            answers.push(() => resolve(ok(qrCode(code, points))))
          })
      })
      const journalFile = join(till.folder, 'journal.db')
      const answerAll = async (count: number): Promise<void> => {
        while (till.requestedPoints.length < count) {
          for (const answer of answers.splice(0)) answer()
          await new Promise((resolve) => setImmediate(resolve))
        }
      }
      await till.slips.batches.start(batch)
      await answerAll(6)
      const backups = new Backups({
        journalFile,
        folder: join(till.folder, 'backups'),
        now: () => now,
        log: noOpLogger
      })
      await backups.backUpToday()
      await answerAll(10)
      for (const answer of answers.splice(0)) answer()
      await till.finished()
      await till.slips.close()
      await restore(journalFile, backups.newest() ?? '')
      return { till, restored: openSlipService({}, till.folder) }
    }

    it('ends the batch as cancelled, so that no code is requested a second time', async () => {
      const { till, restored } = await restoredTill()
      expect(till.requestedPoints).toHaveLength(10)
      expect(valueOf(restored.slips.queries.unfinishedBatches())).toEqual([])
      const resumed = await restored.slips.batches.resume({ ...batch, issueUnknownAgain: true })
      expect(resumed).toEqual(err({ kind: 'not-found' }))
      expect(restored.requestedPoints).toEqual([])
    })

    it('lists its codes as possibly printed', async () => {
      const { restored } = await restoredTill()
      const { slips } = valueOf(restored.slips.queries.attentionList({ offset: 0 }))
      const withCode = slips.filter(({ slip }) => slip.code !== null)
      expect(withCode.length).toBeGreaterThan(0)
      expect(withCode.map(({ slip, action }) => [slip.state, action])).toEqual(
        withCode.map(() => ['print-failed', 'mark-given'])
      )
    })
  })

  it('restores a quarantined journal with its write-ahead log', async () => {
    const { folder, journalFile } = await closedTill()
    const other = join(folder, 'aside.db')
    const database = new DatabaseSync(journalFile)
    database.exec('PRAGMA wal_autocheckpoint = 0; UPDATE slips SET points = 33 WHERE points = 3')
    writeFileSync(other, readFileSync(journalFile))
    writeFileSync(`${other}-wal`, readFileSync(`${journalFile}-wal`))
    database.close()
    expect(await restore(journalFile, other)).toMatchObject({ kind: 'restored', slips: 3 })
    expect(pointsOf(openSlipService({}, folder))).toEqual([33, 2, 1])
  })

  it('restores without an existing journal', async () => {
    const { folder, backup } = await closedTill()
    const journalFile = join(folder, 'new till', 'journal.db')
    expect(await restore(journalFile, backup)).toEqual({ kind: 'restored', slips: 2, keptAs: null })
  })

  describe('changes nothing when the file', () => {
    const refusedAs = async (reason: string, from: (backup: string) => string): Promise<void> => {
      const { folder, journalFile, backup } = await closedTill()
      const before = readFileSync(journalFile)
      expect(await restore(journalFile, from(backup))).toEqual({ kind: 'not-restored', reason })
      expect(readFileSync(journalFile).equals(before)).toBe(true)
      expect(readdirSync(folder).filter((name) => /restoring|replaced/.test(name))).toEqual([])
      expect(pointsOf(openSlipService({}, folder))).toEqual([3, 2, 1])
    }

    it('does not exist', () => refusedAs('not-found', (backup) => `${backup}.gone`))
    it('is truncated', () =>
      refusedAs('damaged', (backup) => {
        truncateSync(backup, 40_000)
        return backup
      }))
    it('is not a database', () =>
      refusedAs('damaged', (backup) => {
        writeFileSync(backup, 'not a database at all '.repeat(100))
        return backup
      }))
    it('is another database', () =>
      refusedAs('damaged', (backup) => {
        const other = `${backup}.other`
        const database = new DatabaseSync(other)
        database.exec('CREATE TABLE else_where (x)')
        database.close()
        return other
      }))
    it('has a trigger of another origin', () =>
      refusedAs('damaged', (backup) => {
        const database = new DatabaseSync(backup)
        database.exec(`CREATE TRIGGER more_points AFTER INSERT ON slips
          BEGIN UPDATE slips SET points = points * 100 WHERE number = new.number; END`)
        database.close()
        return backup
      }))
    it("has a trigger with a name like that of SQLite's statistics", () =>
      refusedAs('damaged', (backup) => {
        const database = new DatabaseSync(backup)
        database.exec(`CREATE TRIGGER sqlite0stat1 AFTER INSERT ON slips
          BEGIN UPDATE slips SET points = 500 WHERE number = new.number; END`)
        database.close()
        return backup
      }))
    it('has an endless view in place of the slips, which is not read', () =>
      refusedAs('damaged', (backup) => {
        const database = new DatabaseSync(backup)
        database.exec(`DROP TABLE slips; CREATE VIEW slips AS
          WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS number FROM n`)
        database.close()
        return backup
      }))
    it('has a newer schema version', () =>
      refusedAs('newer', (backup) => {
        const database = new DatabaseSync(backup)
        database.exec('PRAGMA user_version = 999')
        database.close()
        return backup
      }))
  })

  it('restores one backup once, and again after it changed', async () => {
    const { folder, journalFile, backup } = await closedTill()
    await restore(journalFile, backup)
    const again = openSlipService(
      { createQr: (points) => Promise.resolve(ok(qrCode('CODE-4', points))) },
      folder
    )
    await again.slips.counter.issue(press(4))
    await again.slips.close()
    expect(await restore(journalFile, backup)).toEqual({ kind: 'not-restored', reason: 'already-restored' })
    utimesSync(backup, now, now)
    expect(await restore(journalFile, backup)).toMatchObject({ kind: 'restored', slips: 2 })
  })

  it('changes nothing while a till has the journal open', async () => {
    const { folder, journalFile, backup } = await closedTill()
    const open = openSlipService({}, folder)
    expect(await restore(journalFile, backup)).toEqual({ kind: 'not-restored', reason: 'in-use' })
    expect(pointsOf(open)).toEqual([3, 2, 1])
  })

  it('fails with not-saved when the folder cannot be written', async () => {
    const { folder, journalFile, backup } = await closedTill()
    await readOnly(folder, async () => {
      expect(await restore(journalFile, backup)).toEqual({ kind: 'not-restored', reason: 'not-saved' })
    })
    expect(pointsOf(openSlipService({}, folder))).toEqual([3, 2, 1])
  })
})

describe('notice of a damaged journal', () => {
  it('names the newest backup', async () => {
    const { folder, journalFile, backup } = await closedTill()
    writeFileSync(journalFile, 'not a database at all '.repeat(100))
    const again = openSlipService({ backupsFolder: join(folder, 'backups') }, folder)
    expect(again.notices).toMatchObject([{ kind: 'journal-quarantined', backup }])
  })
})

describe('the dialog after --restore-journal', () => {
  test('names the number of slips, the file, and the previous journal', () => {
    const { type, message, detail } = restoreMessage(
      { kind: 'restored', slips: 12, keptAs: 'journal.replaced-x.sqlite' },
      '/b.sqlite',
      'en'
    )
    expect(type).toBe('info')
    expect(message).toBe('12 slips were restored.')
    expect(detail).toContain('/b.sqlite')
    expect(detail).toContain('journal.replaced-x.sqlite')
    expect(detail).toContain('--restore-journal')
  })

  test('names no previous journal if there was none', () => {
    const { detail } = restoreMessage({ kind: 'restored', slips: 0, keptAs: null }, '/b', 'en')
    expect(detail).not.toContain('kept')
  })

  test('uses the singular for one slip', () => {
    const { message } = restoreMessage({ kind: 'restored', slips: 1, keptAs: null }, '/b', 'de')
    expect(message).toBe('1 Bon wurde wiederhergestellt.')
  })

  test.each(['not-found', 'damaged', 'newer', 'not-saved', 'in-use', 'already-restored'] as const)(
    'names the reason of a failure: %s',
    (reason) => {
      const { type, message, detail } = restoreMessage({ kind: 'not-restored', reason }, '/b', 'en')
      expect(type).toBe('error')
      expect(message).toBe('The slips were not restored. Nothing was changed.')
      expect(detail.length).toBeGreaterThan('\n/b'.length)
    }
  )

  test.each(LANGUAGES)('is shown in the language of the till: %s', (language) => {
    const m = messagesByLanguage[language]
    const failure = restoreMessage({ kind: 'not-restored', reason: 'damaged' }, '/b', language)
    expect(failure.message).toBe(m.slipsNotRestored())
    expect(failure.detail).toBe(`${m.restoreFailure({ reason: 'damaged' })}\n/b`)
    const { detail } = restoreMessage({ kind: 'restored', slips: 3, keptAs: null }, '/b', language)
    expect(detail).toContain(m.restoredFrom({ file: '/b' }))
  })
})
