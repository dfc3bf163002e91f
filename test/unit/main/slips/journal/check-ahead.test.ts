import { copyFileSync, openSync, writeSync, closeSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { isCheckedWhole } from '../../../../../electron/main/slips/journal/check-ahead.ts'
import { openJournal } from '../../../../../electron/main/slips/journal/open.ts'
import { writeJournal } from '../../../../bench/million-rows.ts'
import { temporaryFolder } from '../till.ts'

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
    expect(await isCheckedWhole(file)).toBe(true)
    const { journal, error } = openJournal(file, new Date(), { isChecked: true })
    expect(error).toBeNull()
    expect(journal?.numbers().slips.printed).toBeGreaterThan(400)
    journal?.close()
  })

  it('is left out where the journal was closed, or is not there yet', async () => {
    const file = unclosed()
    openJournal(file, new Date()).journal?.close()
    expect(await isCheckedWhole(file)).toBe(false)
    expect(await isCheckedWhole(join(temporaryFolder(), 'journal.sqlite'))).toBe(false)
  })

  it('leaves what is damaged to whoever opens it', async () => {
    const file = unclosed()
    const damaged = join(temporaryFolder(), 'journal.sqlite')
    copyFileSync(file, damaged)
    const handle = openSync(damaged, 'r+')
    for (let at = 8192; at < statSync(damaged).size; at += 4096) writeSync(handle, 'x'.repeat(100), at)
    closeSync(handle)
    expect(await isCheckedWhole(damaged)).toBe(false)
    const { journal, setAside } = openJournal(damaged, new Date())
    expect(setAside).not.toBeNull()
    journal?.close()
  })
})
