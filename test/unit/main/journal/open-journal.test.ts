import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  openJournal,
  verifyIntegrity,
  type OpenedJournal
} from '../../../../electron/main/journal/open-journal.ts'
import { SCHEMA_VERSION } from '../../../../electron/main/journal/schema.ts'
import { writeJournal } from '../../../support/million-rows.ts'
import {
  issueAndPrint,
  openSlipService,
  press,
  temporaryFolder,
  valueOf
} from '../slips/slip-service-fixture.ts'

const now = new Date('2026-11-21T12:05:33.123Z')

function open(file: string): OpenedJournal {
  const opened = openJournal(file, now)
  onTestFinished(() => opened.journal?.close())
  return opened
}

describe('openJournal', () => {
  it('creates the file and its folder', () => {
    const file = join(temporaryFolder(), 'new', 'journal.db')
    expect(open(file)).toMatchObject({ quarantinedAs: null, error: null })
    expect(existsSync(file)).toBe(true)
  })

  it('uses a write-ahead log, in the current schema version', () => {
    const file = join(temporaryFolder(), 'journal.db')
    open(file)
    const other = new DatabaseSync(file)
    expect(other.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
    expect(other.prepare('PRAGMA user_version').get()).toEqual({ user_version: SCHEMA_VERSION })
    other.close()
  })

  it('quarantines a file that is not a database, and creates a new journal', () => {
    const folder = temporaryFolder()
    const file = join(folder, 'journal.db')
    writeFileSync(file, 'not a database at all '.repeat(100))
    const kept = 'journal.damaged-2026-11-21T12-05-33-123Z.db'
    const opened = open(file)
    expect(opened.quarantinedAs).toBe(kept)
    expect(opened.journal).not.toBeNull()
    expect(readFileSync(join(folder, kept), 'utf8')).toMatch(/^not a database/)
  })

  it('quarantines a truncated database with a notice, and issues slips', async () => {
    const till = openSlipService()
    const file = join(till.folder, 'journal.db')
    for (let points = 1; points <= 40; points++) await till.slips.counter.issue(press(points))
    await till.slips.close()
    truncateSync(file, Math.floor(statSync(file).size / 2))
    const again = openSlipService({}, till.folder)
    const kept = readdirSync(till.folder).find((name) => name.includes('damaged')) ?? ''
    expect(again.notices).toEqual([{ kind: 'journal-quarantined', file: kept, backup: null }])
    expect(valueOf(await issueAndPrint(again, press())).slip.state).toBe('printed')
  })

  it('quarantines a database without the tables of the journal', () => {
    const file = join(temporaryFolder(), 'journal.db')
    const other = new DatabaseSync(file)
    other.exec('CREATE TABLE else_where (x); PRAGMA user_version = 1')
    other.close()
    expect(open(file).quarantinedAs).toContain('damaged')
  })

  it('returns no journal for a file with a newer schema version, which stays', () => {
    const file = join(temporaryFolder(), 'journal.db')
    open(file).journal?.close()
    const other = new DatabaseSync(file)
    other.exec('PRAGMA user_version = 99')
    other.close()
    expect(open(file)).toMatchObject({ journal: null, quarantinedAs: null })
    expect(existsSync(file)).toBe(true)
  })

  it.each(['', '-wal'])('quarantines a folder with the name of the file%s', (ending) => {
    const file = join(temporaryFolder(), 'journal.db')
    mkdirSync(file + ending)
    const opened = open(file)
    expect(opened.quarantinedAs).toBe('journal.damaged-2026-11-21T12-05-33-123Z.db')
    expect(opened.journal).not.toBeNull()
  })

  it('returns no journal when the folder cannot be created', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'file'), '')
    expect(open(join(folder, 'file', 'journal.db'))).toMatchObject({ journal: null, quarantinedAs: null })
  })
})

const scope = { training: false, businessId: 'b1' }

/** Creates a journal of 500 slips that was not shut down cleanly. */
function createUncleanJournal(): string {
  const file = join(temporaryFolder(), 'journal.sqlite')
  writeJournal({ file, rows: 500, scope })
  const database = new DatabaseSync(file)
  database.exec('UPDATE shutdown SET clean = 0')
  database.close()
  return file
}

describe('verifyIntegrity', () => {
  it('returns true for an intact journal that was not shut down cleanly', async () => {
    const file = createUncleanJournal()
    expect(await verifyIntegrity(file)).toBe(true)
    const { journal, error } = openJournal(file, new Date(), { isVerified: true })
    expect(error).toBeNull()
    expect((await journal?.statistics.totals())?.slips.saved).toBeGreaterThan(400)
    journal?.close()
  })

  it('returns false after a clean shutdown, and without a file', async () => {
    const file = createUncleanJournal()
    openJournal(file, new Date()).journal?.close()
    expect(await verifyIntegrity(file)).toBe(false)
    expect(await verifyIntegrity(join(temporaryFolder(), 'journal.sqlite'))).toBe(false)
  })

  it('returns false for a damaged journal, which openJournal quarantines', async () => {
    const file = createUncleanJournal()
    const damaged = join(temporaryFolder(), 'journal.sqlite')
    copyFileSync(file, damaged)
    const handle = openSync(damaged, 'r+')
    for (let at = 8192; at < statSync(damaged).size; at += 4096) writeSync(handle, 'x'.repeat(100), at)
    closeSync(handle)
    expect(await verifyIntegrity(damaged)).toBe(false)
    const { journal, quarantinedAs } = openJournal(damaged, new Date())
    expect(quarantinedAs).not.toBeNull()
    journal?.close()
  })
})
