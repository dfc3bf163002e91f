import { spawnSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
  writeFileSync,
  writeSync
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createBackups } from '../../../../electron/main/slips/backups.ts'
import { checkBackup } from '../../../../electron/main/slips/journal/open-journal.ts'
import type { Logger } from '../../../../electron/main/log/log.ts'
import { noOpLogger } from '../../../support/no-op-logger.ts'
import { issueAndPrint, openTill, press, valueOf, type Till } from './slip-service-fixture.ts'

const noon = (day: string) => new Date(`${day}T12:00:00`)

/** A till, and backups of its journal in a folder of their own. */
function backedUp(changes: { free?: () => number; log?: Logger } = {}) {
  const till = openTill()
  const folder = join(till.folder, 'backups')
  let today = '2026-11-21'
  const backups = createBackups({
    journalFile: join(till.folder, 'journal.db'),
    folder,
    now: () => noon(today),
    log: noOpLogger,
    ...changes
  })
  onTestFinished(() => backups.stop())
  return {
    till,
    folder,
    backups,
    setDay: (day: string) => {
      today = day
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

const intentsOf = (till: Till): string[] =>
  valueOf(till.slips.list({ offset: 0 }))
    .slips.map(({ intentId }) => intentId)
    .toReversed()

describe('the backup of a day', () => {
  it('is a whole journal with every slip, in one file that its account alone may read', async () => {
    const { till, folder, backups } = backedUp()
    for (const points of [1, 2, 3]) await issueAndPrint(till, press(points))
    expect(await backups.today()).toBe(true)
    expect(readdirSync(folder)).toEqual(['journal-2026-11-21.sqlite'])
    const file = join(folder, 'journal-2026-11-21.sqlite')
    expect(intentsIn(file)).toEqual(intentsOf(till))
    expect(await checkBackup(file)).toEqual({ kind: 'whole', version: 4, slips: 3 })
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('is made once, and again on the next day', async () => {
    const { till, folder, backups, setDay } = backedUp()
    await backups.today()
    await till.slips.issue(press())
    await backups.today()
    expect(intentsIn(join(folder, 'journal-2026-11-21.sqlite'))).toEqual([])
    setDay('2026-11-22')
    await backups.today()
    expect(intentsIn(join(folder, 'journal-2026-11-22.sqlite'))).toHaveLength(1)
    expect(backups.newest()).toBe(join(folder, 'journal-2026-11-22.sqlite'))
  })

  it('holds up no slip that is issued meanwhile, and is whole all the same', async () => {
    const { till, folder, backups } = backedUp()
    for (const points of [1, 2, 3]) await issueAndPrint(till, press(points))
    // Long enough a journal that its copy takes many steps.
    const other = new DatabaseSync(join(till.folder, 'journal.db'))
    other.exec(`INSERT INTO logos VALUES ('large', zeroblob(20000000))`)
    other.close()
    const before = intentsOf(till).length
    let copied = false
    const copy = backups.today().then(() => {
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
    expect(await checkBackup(file)).toMatchObject({ kind: 'whole' })
    // All that was there before, and of what came meanwhile nothing that is half.
    expect(intentsIn(file).length).toBeGreaterThanOrEqual(before)
  })

  it('is one of fourteen: older ones go, once the new one is there', async () => {
    const { folder, backups, setDay } = backedUp()
    mkdirSync(folder)
    writeFileSync(join(folder, 'notes.txt'), 'not ours')
    for (let day = 1; day <= 17; day++) {
      setDay(`2026-11-${String(day).padStart(2, '0')}`)
      expect(await backups.today()).toBe(true)
    }
    const names = readdirSync(folder)
    expect(names).toHaveLength(15)
    expect(names).toContain('notes.txt')
    expect(names.toSorted()[0]).toBe('journal-2026-11-04.sqlite')
    expect(backups.count()).toBe(14)
  })

  it('is made at the first start of the day and at the turn of an open till’s day', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const { folder, backups, setDay } = backedUp()
    backups.start()
    await backups.today()
    expect(readdirSync(folder)).toEqual(['journal-2026-11-21.sqlite'])
    setDay('2026-11-22')
    vi.advanceTimersByTime(15 * 60_000)
    await backups.today()
    expect(readdirSync(folder)).toEqual(['journal-2026-11-21.sqlite', 'journal-2026-11-22.sqlite'])
  })
})

describe('a backup that cannot be made', () => {
  it('is not begun where it would take the room that slips need', async () => {
    const events: string[] = []
    const log = { ...noOpLogger, error: (event: string) => events.push(event) }
    const { folder, backups } = backedUp({ free: () => 50_000_000, log })
    expect(await backups.today()).toBe(false)
    expect(readdirSync(folder)).toEqual([])
    expect(events).toEqual(['backup-failed'])
  })

  it('leaves the one of before where its folder is no folder', async () => {
    const { till, folder, backups } = backedUp()
    writeFileSync(folder, '')
    expect(await backups.today()).toBe(false)
    expect(valueOf(await issueAndPrint(till, press())).slip.state).toBe('printed')
  })

  if (process.platform !== 'win32') {
    it('leaves nothing half on a disk that fills up, and no slip waits for it', async () => {
      const { till, folder } = backedUp()
      for (let count = 0; count < 50; count++) await till.slips.issue(press(count + 1))
      const program = fileURLToPath(new URL('back-up-once.ts', import.meta.url))
      // No file of that program may grow beyond 64 blocks of 512 bytes: the journal is longer.
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

  it('takes the place of nothing when the journal’s pages are damaged', async () => {
    const { till, folder, backups } = backedUp()
    for (let count = 0; count < 30; count++) await till.slips.issue(press(count + 1))
    await till.slips.close()
    const file = join(till.folder, 'journal.db')
    const handle = openSync(file, 'r+')
    // Three pages of SQLite's 4,096 bytes in the middle of the tables.
    writeSync(handle, Buffer.alloc(3 * 4096, 0xa5), 0, 3 * 4096, 5 * 4096)
    closeSync(handle)
    expect(await backups.today()).toBe(false)
    expect(readdirSync(folder)).toEqual([])
  })
})
