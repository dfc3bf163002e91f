import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openJournal } from '../../../../../electron/main/slips/journal/open-journal.ts'
import { migrate } from '../../../../../electron/main/slips/journal/schema.ts'
import { temporaryFolder } from '../slip-service-fixture.ts'

const scope = { training: false, businessId: 'b1' }

it('brings a journal of version 1 forward with all that it holds', () => {
  const file = join(temporaryFolder(), 'journal.db')
  const before = new DatabaseSync(file)
  migrate(before, 1)
  before.exec(`
    INSERT INTO slips (intent_id, business_id, training, state, points, customer_id, customer_name, code, url,
                       requested_at, issued_at, file, failure, snapshot)
    VALUES ('i1', 'b1', 0, 'print-failed', 250, 'c1', 'Μαρία', 'A', 'https://x.example/A',
            '2026-11-21T12:05:33.000Z', '2026-11-21T12:05:34.000Z', NULL, '{"kind":"not-saved","what":"slip"}',
            '{"name":"Café","address":{"street":"","city":"","state":"","country":"","zipCode":""},"timeZone":"UTC","locale":"el"}')
  `)
  before.close()

  const { journal, quarantineFile, error } = openJournal(file, new Date())
  expect([quarantineFile, error]).toEqual([null, null])
  expect(journal?.byIntent('i1')).toMatchObject({
    papers: 1,
    snapshot: { name: 'Café', locale: 'el' },
    slip: {
      state: 'print-failed',
      points: 250,
      code: 'A',
      failure: { kind: 'not-saved', what: 'slip' },
      revision: 0,
      copies: 0,
      lastCopy: null,
      batch: null,
      cashier: null,
      ending: null,
      destination: null
    }
  })
  expect(journal?.attention(scope)).toBe(1)
  expect(journal?.find(scope, { words: ['μαρια'] }, { limit: 5 })).toHaveLength(1)
  expect(journal?.byCode(scope, 'A')?.intentId).toBe('i1')
  journal?.close()
})

it('changes nothing where a step cannot be taken to its end', () => {
  const file = join(temporaryFolder(), 'journal.db')
  const database = new DatabaseSync(file)
  migrate(database, 1)
  // in the way of the second step's last table
  database.exec('CREATE TABLE closing (x)')
  expect(() => migrate(database)).toThrow('closing')
  expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 1 })
  expect(database.prepare(`SELECT count(*) AS n FROM sqlite_schema WHERE name = 'batches'`).get()).toEqual({
    n: 0
  })
  database.close()
})
