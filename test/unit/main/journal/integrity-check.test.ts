/** The check of a journal that was not shut down cleanly: quick before it is used, complete while it is. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ok } from '../../../../electron/contract/failure.ts'
import { lastShutdown, type LastShutdown } from '../../../../electron/main/journal/schema.ts'
import { openCheckedSlips, type SlipService } from '../../../../electron/main/slips/slip-service.ts'
import { writeJournal } from '../../../support/million-rows.ts'
import { press, qrCode, temporaryFolder, valueOf } from '../slips/slip-service-fixture.ts'
import { slipDependencies, type SlipDoubles } from '../../../support/slip-service.ts'
import type { Notice } from '../../../../electron/contract/till.ts'

const INDEX = 'slips_cashier'

/** Creates a journal of 500 slips whose process was killed. */
function uncleanJournal(): string {
  const file = join(temporaryFolder(), 'journal.db')
  writeJournal({ file, rows: 500, scope: { training: false, businessId: 'b1' } })
  change(file, (database) => database.exec('UPDATE shutdown SET clean = 0'))
  return file
}

function change(file: string, work: (database: DatabaseSync) => void): void {
  const database = new DatabaseSync(file, { defensive: false })
  try {
    work(database)
  } finally {
    database.close()
  }
}

/** Changes a row while its index is hidden: the index has as many entries as before, and one is wrong. */
function damageIndex(file: string): void {
  let hidden: Record<string, unknown> = {}
  change(file, (database) => {
    hidden = database.prepare('SELECT * FROM sqlite_master WHERE name = ?').get(INDEX) ?? {}
    database.exec('PRAGMA writable_schema = ON')
    database.prepare('DELETE FROM sqlite_master WHERE name = ?').run(INDEX)
  })
  change(file, (database) => {
    database.exec(`UPDATE slips SET cashier_id = 'other' WHERE number = 7`)
    database.exec('PRAGMA writable_schema = ON')
    database
      .prepare('INSERT INTO sqlite_master VALUES (?, ?, ?, ?, ?)')
      .run(
        String(hidden['type']),
        String(hidden['name']),
        String(hidden['tbl_name']),
        Number(hidden['rootpage']),
        String(hidden['sql'])
      )
  })
}

function shutdownOf(file: string): LastShutdown {
  let last: LastShutdown = 'unclean'
  change(file, (database) => {
    last = lastShutdown(database)
  })
  return last
}

async function open(
  journalFile: string,
  changes: Partial<SlipDoubles> = {}
): Promise<{ readonly slips: SlipService; readonly notices: readonly Notice[] }> {
  const opened = await openCheckedSlips(
    slipDependencies(temporaryFolder(), {
      journalFile,
      createQr: (points) => Promise.resolve(ok(qrCode(randomUUID(), points))),
      now: () => new Date('2026-11-21T18:05:33.000Z'),
      ...changes
    })
  )
  const slips = valueOf(opened.slips)
  onTestFinished(() => slips.close())
  return { slips, notices: opened.notices }
}

describe('the check after a crash', () => {
  it('issues slips meanwhile, reports the damage of an index, and replaces the journal at the next start', async () => {
    const file = uncleanJournal()
    damageIndex(file)
    const onDamage = vi.fn()
    const { slips, notices } = await open(file, { onDamage })
    expect(notices).toEqual([])
    expect((await slips.counter.issue(press())).ok).toBe(true)
    await vi.waitFor(() => expect(onDamage).toHaveBeenCalledOnce())
    await slips.close()
    expect(shutdownOf(file)).toBe('damaged')
    const again = await open(file)
    expect(again.notices).toMatchObject([{ kind: 'journal-quarantined' }])
    expect((await again.slips.counter.issue(press())).ok).toBe(true)
  })

  it('does not check again after a complete check that found nothing', async () => {
    const file = uncleanJournal()
    const { slips } = await open(file)
    await slips.integrityChecked
    await slips.close()
    expect(shutdownOf(file)).toBe('clean')
  })

  it('checks again at the next start when the till was closed before the complete check ended', async () => {
    const file = uncleanJournal()
    const { slips } = await open(file)
    const { integrityChecked } = slips
    await slips.close()
    expect(shutdownOf(file)).toBe('unclean')
    await integrityChecked
  })
})
