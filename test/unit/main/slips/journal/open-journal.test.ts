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
  type Opened
} from '../../../../../electron/main/slips/journal/open-journal.ts'
import { writeJournal } from '../../../../bench/million-rows.ts'
import { issueAndPrint, openTill, press, temporaryFolder, valueOf } from '../slip-service-fixture.ts'

const now = new Date('2026-11-21T12:05:33.123Z')

function open(file: string): Opened {
  const opened = openJournal(file, now)
  onTestFinished(() => opened.journal?.close())
  return opened
}

describe('opening the journal', () => {
  it('makes the file and its folder', () => {
    const file = join(temporaryFolder(), 'new', 'journal.db')
    expect(open(file)).toMatchObject({ quarantineFile: null, error: null })
    expect(existsSync(file)).toBe(true)
  })

  it('writes ahead, in version 4', () => {
    const file = join(temporaryFolder(), 'journal.db')
    open(file)
    const other = new DatabaseSync(file)
    expect(other.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
    expect(other.prepare('PRAGMA user_version').get()).toEqual({ user_version: 4 })
    other.close()
  })

  it('sets a file that is no database aside under a dated name, and begins a new one', () => {
    const folder = temporaryFolder()
    const file = join(folder, 'journal.db')
    writeFileSync(file, 'not a database at all '.repeat(100))
    const kept = 'journal.damaged-2026-11-21T12-05-33-123Z.db'
    const opened = open(file)
    expect(opened.quarantineFile).toBe(kept)
    expect(opened.journal).not.toBeNull()
    expect(readFileSync(join(folder, kept), 'utf8')).toMatch(/^not a database/)
  })

  it('sets a database that lost half of its pages aside, says so, and goes on issuing', async () => {
    const till = openTill()
    const file = join(till.folder, 'journal.db')
    for (let points = 1; points <= 40; points++) await till.slips.issue(press(points))
    await till.slips.close()
    truncateSync(file, Math.floor(statSync(file).size / 2))
    const again = openTill({}, till.folder)
    const kept = readdirSync(till.folder).find((name) => name.includes('damaged')) ?? ''
    expect(again.slips.notices).toEqual([{ kind: 'journal-set-aside', file: kept, backup: null }])
    expect(valueOf(await issueAndPrint(again, press())).slip.state).toBe('printed')
  })

  it('sets a database without the journal’s tables aside', () => {
    const file = join(temporaryFolder(), 'journal.db')
    const other = new DatabaseSync(file)
    other.exec('CREATE TABLE else_where (x); PRAGMA user_version = 1')
    other.close()
    expect(open(file).quarantineFile).toContain('damaged')
  })

  it('leaves the journal of a newer till alone, and issues nothing', () => {
    const file = join(temporaryFolder(), 'journal.db')
    open(file).journal?.close()
    const other = new DatabaseSync(file)
    other.exec('PRAGMA user_version = 99')
    other.close()
    expect(open(file)).toMatchObject({ journal: null, quarantineFile: null })
    expect(existsSync(file)).toBe(true)
  })

  it.each(['', '-wal'])('sets a folder in the place of the file%s aside', (ending) => {
    const file = join(temporaryFolder(), 'journal.db')
    mkdirSync(file + ending)
    const opened = open(file)
    expect(opened.quarantineFile).toBe('journal.damaged-2026-11-21T12-05-33-123Z.db')
    expect(opened.journal).not.toBeNull()
  })

  it('has no journal where none can be written', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'file'), '')
    expect(open(join(folder, 'file', 'journal.db'))).toMatchObject({ journal: null, quarantineFile: null })
  })
})

const scope = { training: false, businessId: 'b1' }

/** A journal of some slips, without the mark of one that was closed. */
function unclosed(): string {
  const file = join(temporaryFolder(), 'journal.sqlite')
  writeJournal({ file, rows: 500, scope })
  const database = new DatabaseSync(file)
  database.exec('UPDATE closing SET clean = 0')
  database.close()
  return file
}

describe('the check ahead of a journal', () => {
  it('finds one that was not closed whole, and opening it reads it no second time', async () => {
    const file = unclosed()
    expect(await verifyIntegrity(file)).toBe(true)
    const { journal, error } = openJournal(file, new Date(), { isChecked: true })
    expect(error).toBeNull()
    expect(journal?.numbers().slips.printed).toBeGreaterThan(400)
    journal?.close()
  })

  it('is left out where the journal was closed, or is not there yet', async () => {
    const file = unclosed()
    openJournal(file, new Date()).journal?.close()
    expect(await verifyIntegrity(file)).toBe(false)
    expect(await verifyIntegrity(join(temporaryFolder(), 'journal.sqlite'))).toBe(false)
  })

  it('leaves what is damaged to whoever opens it', async () => {
    const file = unclosed()
    const damaged = join(temporaryFolder(), 'journal.sqlite')
    copyFileSync(file, damaged)
    const handle = openSync(damaged, 'r+')
    for (let at = 8192; at < statSync(damaged).size; at += 4096) writeSync(handle, 'x'.repeat(100), at)
    closeSync(handle)
    expect(await verifyIntegrity(damaged)).toBe(false)
    const { journal, quarantineFile } = openJournal(damaged, new Date())
    expect(quarantineFile).not.toBeNull()
    journal?.close()
  })
})
