import { spawnSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ok } from '../../../../electron/contract/failure.ts'
import { Backups } from '../../../../electron/main/upkeep/backups.ts'
import { checkBackup } from '../../../../electron/main/journal/open-journal.ts'
import type { Logger } from '../../../../electron/main/log/log.ts'
import { noOpLogger } from '../../../support/no-op-logger.ts'
import {
  issueAndPrint,
  openSlipService,
  press,
  qrCode,
  valueOf,
  type SlipServiceFixture
} from '../slips/slip-service-fixture.ts'

const noon = (day: string) => new Date(`${day}T12:00:00`)

/** Opens a service, and creates backups of its journal. The clock of both is that of the till. */
function createBackups(changes: { freeBytes?: () => number; maxTotalBytes?: number; log?: Logger } = {}) {
  let today = '2026-11-21'
  let serviceDay: string | null = null
  const till = openSlipService({
    now: () => noon(today),
    createQr: (points) => {
      const createdAt = noon(serviceDay ?? today).toISOString()
      return Promise.resolve(ok({ ...qrCode(`CODE-${till.requestedPoints.length}`, points), createdAt }))
    }
  })
  const folder = join(till.folder, 'backups')
  const openBackups = () => {
    const backups = new Backups({
      journalFile: join(till.folder, 'journal.db'),
      folder,
      now: () => noon(today),
      log: noOpLogger,
      ...changes
    })
    onTestFinished(() => backups.stop())
    return backups
  }
  return {
    till,
    folder,
    backups: openBackups(),
    /** Creates the backups of the next start. */
    openBackups,
    /** Sets the day of the till's clock, and that of the service if the clock is wrong. */
    setDay: (day: string, right: string | null = null) => {
      today = day
      serviceDay = right
    }
  }
}

const intentsIn = (file: string): unknown[] => {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return database
      .prepare('SELECT intent_id FROM slips ORDER BY number')
      .all()
      .map((row) => row['intent_id'])
  } finally {
    database.close()
  }
}

const intentsOf = (till: SlipServiceFixture): string[] =>
  valueOf(till.slips.queries.list({ offset: 0 }))
    .slips.map(({ intentId }) => intentId)
    .toReversed()

describe('daily backup', () => {
  it('is an intact journal in one file with mode 0600', async () => {
    const { till, folder, backups } = createBackups()
    for (const points of [1, 2, 3]) await issueAndPrint(till, press(points))
    expect(await backups.backUpToday()).toBe(true)
    expect(readdirSync(folder)).toEqual(['journal-2026-11-21.sqlite'])
    const file = join(folder, 'journal-2026-11-21.sqlite')
    expect(intentsIn(file)).toEqual(intentsOf(till))
    expect(await checkBackup(file)).toEqual({ kind: 'intact', slips: 3 })
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('is made once per day', async () => {
    const { till, folder, backups, setDay } = createBackups()
    await backups.backUpToday()
    await till.slips.counter.issue(press())
    await backups.backUpToday()
    expect(intentsIn(join(folder, 'journal-2026-11-21.sqlite'))).toEqual([])
    setDay('2026-11-22')
    await backups.backUpToday()
    expect(intentsIn(join(folder, 'journal-2026-11-22.sqlite'))).toHaveLength(1)
    expect(backups.newest()).toBe(join(folder, 'journal-2026-11-22.sqlite'))
  })

  it('does not delay slips that are issued meanwhile, and is intact', async () => {
    const { till, folder, backups } = createBackups()
    for (const points of [1, 2, 3]) await issueAndPrint(till, press(points))
    // Makes the journal so long that its copy takes many steps.
    const other = new DatabaseSync(join(till.folder, 'journal.db'))
    other.exec(`INSERT INTO logos VALUES ('large', zeroblob(20000000))`)
    other.close()
    const before = intentsOf(till).length
    let copied = false
    const copy = backups.backUpToday().then(() => {
      copied = true
    })
    const meanwhile: string[] = []
    while (!(copied as boolean)) {
      const pressed = press(9)
      const { slip } = valueOf(await issueAndPrint(till, pressed))
      expect(slip.code).not.toBeNull()
      meanwhile.push(slip.intentId)
    }
    await copy
    const file = join(folder, 'journal-2026-11-21.sqlite')
    expect(meanwhile.length).toBeGreaterThan(0)
    expect(await checkBackup(file)).toMatchObject({ kind: 'intact' })
    // All earlier slips; of the later ones, any number.
    expect(intentsIn(file).length).toBeGreaterThanOrEqual(before)
  })

  it('is one of fourteen: older backups are removed after it was made', async () => {
    const { folder, backups, setDay } = createBackups()
    mkdirSync(folder)
    writeFileSync(join(folder, 'notes.txt'), 'not ours')
    for (let day = 1; day <= 17; day++) {
      setDay(`2026-11-${String(day).padStart(2, '0')}`)
      expect(await backups.backUpToday()).toBe(true)
    }
    const names = readdirSync(folder)
    expect(names).toHaveLength(15)
    expect(names).toContain('notes.txt')
    expect(names.toSorted()[0]).toBe('journal-2026-11-04.sqlite')
    expect(backups.count()).toBe(14)
  })

  it('is bounded in total size with the older ones, and stays when it alone is larger', async () => {
    const { backups, setDay } = createBackups({ maxTotalBytes: 1 })
    for (const day of ['2026-11-19', '2026-11-20', '2026-11-21']) {
      setDay(day)
      expect(await backups.backUpToday()).toBe(true)
    }
    expect(backups.count()).toBe(1)
    expect(backups.newest()).toMatch(/journal-2026-11-21\.sqlite$/)
  })

  it('stays when earlier ones were made with a clock years ahead', async () => {
    const { folder, backups, setDay } = createBackups()
    for (let day = 1; day <= 14; day++) {
      setDay(`2036-11-${String(day).padStart(2, '0')}`)
      await backups.backUpToday()
    }
    for (const day of ['21', '22', '23']) {
      setDay(`2026-11-${day}`)
      await backups.backUpToday()
      expect(backups.newest()).toBe(join(folder, `journal-2026-11-${day}.sqlite`))
    }
    const names = readdirSync(folder)
    expect(names.filter((name) => name.includes('2026'))).toHaveLength(3)
    expect(names).toHaveLength(14)
  })

  describe('under a wrong clock', () => {
    const pointsIn = (file: string): number => {
      const database = new DatabaseSync(file, { readOnly: true })
      const sum = database.prepare('SELECT total(points) AS sum FROM slips').get()?.['sum']
      database.close()
      return Number(sum)
    }

    it.each([
      ['and slips of the days between', true],
      ['and no slip of another day', false]
    ])('does not count as that of the day on which the clock is right, %s', async (_, isOpenBetween) => {
      const { till, folder, backups, openBackups, setDay } = createBackups()
      setDay('2026-11-25', '2026-11-20')
      await backups.backUpToday()
      await till.slips.counter.issue(press(1))
      if (isOpenBetween) {
        setDay('2026-11-24')
        await till.slips.counter.issue(press(2))
      }
      setDay('2026-11-25')
      expect(await openBackups().backUpToday()).toBe(true)
      expect(pointsIn(join(folder, 'journal-2026-11-25.sqlite'))).toBe(isOpenBetween ? 3 : 1)
    })

    it('is made when the clock is behind, on a day that has one', async () => {
      const { till, folder, backups, openBackups, setDay } = createBackups()
      setDay('2026-11-19')
      await backups.backUpToday()
      setDay('2026-11-20')
      await till.slips.counter.issue(press(2))
      setDay('2026-11-19', '2026-11-21')
      expect(await openBackups().backUpToday()).toBe(true)
      expect(pointsIn(join(folder, 'journal-2026-11-19.sqlite'))).toBe(2)
    })

    it('is made once by a till that stays open', async () => {
      const { till, folder, backups, setDay } = createBackups()
      setDay('2026-11-25', '2026-11-20')
      await backups.backUpToday()
      await till.slips.counter.issue(press(1))
      await backups.backUpToday()
      expect(pointsIn(join(folder, 'journal-2026-11-25.sqlite'))).toBe(0)
    })
  })

  it('is not made again by a second start of the day', async () => {
    const { till, folder, backups, openBackups, setDay } = createBackups()
    setDay('2026-11-20')
    await till.slips.counter.issue(press(1))
    setDay('2026-11-21')
    await backups.backUpToday()
    await till.slips.counter.issue(press(2))
    await openBackups().backUpToday()
    expect(intentsIn(join(folder, 'journal-2026-11-21.sqlite'))).toHaveLength(1)
  })

  it('stays beside a new journal of the same day', async () => {
    const { till, folder, backups, setDay } = createBackups()
    setDay('2026-11-20')
    await till.slips.counter.issue(press(1))
    setDay('2026-11-21')
    await backups.backUpToday()
    await till.slips.close()
    for (const suffix of ['', '-wal', '-shm'])
      rmSync(join(till.folder, `journal.db${suffix}`), { force: true })
    const replaced = openSlipService({ now: () => noon('2026-11-20') }, till.folder)
    await replaced.slips.counter.issue(press(2))
    await replaced.slips.counter.issue(press(3))
    const restarted = new Backups({
      journalFile: join(till.folder, 'journal.db'),
      folder,
      now: () => noon('2026-11-21'),
      log: noOpLogger
    })
    onTestFinished(() => restarted.stop())
    await restarted.backUpToday()
    expect(intentsIn(join(folder, 'journal-2026-11-21.sqlite'))).toHaveLength(1)
  })

  it('does not replace the backups of a journal that was lost', async () => {
    const { till, folder, backups, setDay } = createBackups()
    const pressed = press()
    await till.slips.counter.issue(pressed)
    setDay('2026-11-01')
    await backups.backUpToday()
    await till.slips.close()
    for (const suffix of ['', '-wal', '-shm'])
      rmSync(join(till.folder, `journal.db${suffix}`), { force: true })
    const again = openSlipService({ backupsFolder: folder }, till.folder)
    const backup = join(folder, 'journal-2026-11-01.sqlite')
    expect(again.notices).toEqual([{ kind: 'journal-missing', backup }])
    for (let day = 2; day <= 20; day++) {
      setDay(`2026-11-${String(day).padStart(2, '0')}`)
      await backups.backUpToday()
    }
    expect(intentsIn(backup)).toEqual([pressed.intentId])
    expect(readdirSync(folder)).toHaveLength(15)
  })

  it('is made at the start, and at midnight while the app stays open', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const { folder, backups, setDay } = createBackups()
    backups.start()
    await backups.backUpToday()
    expect(readdirSync(folder)).toEqual(['journal-2026-11-21.sqlite'])
    setDay('2026-11-22')
    vi.advanceTimersByTime(15 * 60_000)
    await backups.backUpToday()
    expect(readdirSync(folder)).toEqual(['journal-2026-11-21.sqlite', 'journal-2026-11-22.sqlite'])
  })
})

describe('failing backup', () => {
  it('is not made when the disk lacks the reserved space', async () => {
    const events: string[] = []
    const log = { ...noOpLogger, error: (event: string) => events.push(event) }
    const { folder, backups } = createBackups({ freeBytes: () => 50_000_000, log })
    expect(await backups.backUpToday()).toBe(false)
    expect(readdirSync(folder)).toEqual([])
    expect(events).toEqual(['backup-failed'])
  })

  it('is reported when its folder is a file, and slips are issued nevertheless', async () => {
    const { till, folder, backups } = createBackups()
    writeFileSync(folder, '')
    expect(await backups.backUpToday()).toBe(false)
    expect(valueOf(await issueAndPrint(till, press())).slip.state).toBe('printed')
  })

  if (process.platform !== 'win32') {
    it('leaves no partial file on a full disk', async () => {
      const { till, folder } = createBackups()
      for (let count = 0; count < 50; count++) await till.slips.counter.issue(press(count + 1))
      const program = fileURLToPath(new URL('back-up-once.ts', import.meta.url))
      // Limits the files of the child process to 64 blocks of 512 bytes: the journal is longer.
      const { stdout } = spawnSync(
        'sh',
        [
          '-c',
          'ulimit -f 64; exec "$0" "$@"',
          process.execPath,
          program,
          join(till.folder, 'journal.db'),
          folder
        ],
        { encoding: 'utf8' }
      )
      expect(stdout).toMatch(/^backup-failed .*"errcode":\d+/)
      expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([])
      expect(valueOf(await issueAndPrint(till, press())).slip.state).toBe('printed')
    })
  }

  it('is discarded when pages of the journal are damaged', async () => {
    const { till, folder, backups } = createBackups()
    for (let count = 0; count < 30; count++) await till.slips.counter.issue(press(count + 1))
    await till.slips.close()
    const file = join(till.folder, 'journal.db')
    const handle = openSync(file, 'r+')
    // Three pages of 4,096 bytes in the middle of the tables.
    writeSync(handle, Buffer.alloc(3 * 4096, 0xa5), 0, 3 * 4096, 5 * 4096)
    closeSync(handle)
    expect(await backups.backUpToday()).toBe(false)
    expect(readdirSync(folder)).toEqual([])
  })
})
