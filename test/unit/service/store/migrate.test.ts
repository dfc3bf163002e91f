import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { sqliteDialect } from '../../../../electron/service/store/dialects.ts'
import { WRONG_DAY_SUMS } from '../../../../electron/service/store/day-sums.ts'
import {
  applyMigrations,
  MIGRATIONS,
  type MigrationTransaction
} from '../../../../electron/service/store/migrate.ts'

const transactionOf = (database: DatabaseSync): MigrationTransaction => ({
  dialect: sqliteDialect,
  read: (sql) => Promise.resolve(database.prepare(sql).all()),
  script: (text) => {
    database.exec(text)
    return Promise.resolve()
  }
})

const versionOf = (database: DatabaseSync): unknown => database.prepare('PRAGMA user_version').get()

it('applies the step of a later version to the data of an earlier one, once', async () => {
  const database = new DatabaseSync(':memory:')
  await applyMigrations(transactionOf(database), 'test')
  expect(versionOf(database)).toEqual({ user_version: MIGRATIONS.length })
  database.exec(`INSERT INTO logos (name, data, icons) VALUES ('one', 'AAAA', '{}')`)

  const later = [...MIGRATIONS, () => `ALTER TABLE logos ADD COLUMN width INTEGER NOT NULL DEFAULT 7`]
  await applyMigrations(transactionOf(database), 'test', later)
  await applyMigrations(transactionOf(database), 'test', later)
  expect(versionOf(database)).toEqual({ user_version: MIGRATIONS.length + 1 })
  expect(database.prepare('SELECT name, data, width FROM logos').all()).toEqual([
    { name: 'one', data: 'AAAA', width: 7 }
  ])
  await expect(applyMigrations(transactionOf(database), 'test')).rejects.toThrow('newer version')
  database.close()
})

it('lets the sums of days of an earlier version be counted and taken away', async () => {
  const database = new DatabaseSync(':memory:')
  await applyMigrations(transactionOf(database), 'test', MIGRATIONS.slice(0, 1))
  const issue = (code: string, at: string): void => {
    database.exec(`INSERT INTO codes (business, code, points, image, created_at, updated_at, expires_at)
      VALUES (1, '${code}', 5, 0, '${at}', '${at}', '2099')`)
  }
  database.exec(`INSERT INTO businesses (business, id, name, time_zone, plan, plan_interval, street, city, state,
      country, zip_code, code_validity_days, created_at)
    VALUES (1, 'usr_1', 'Shop', 'UTC', '', '', '', '', '', 'GR', '', 90, '2026-11-01')`)
  issue('ONE', '2026-11-20T10:00')
  await applyMigrations(transactionOf(database), 'test')
  expect(database.prepare('SELECT name, credit_approval_limit FROM businesses').all()).toEqual([
    { name: 'Shop', credit_approval_limit: null }
  ])
  database.exec(`INSERT INTO day_sums VALUES (1, '2026-11-20', '2026-11-21', '1 5 0 0 0 0 0 0 0 0 0 0')`)
  expect(database.prepare(WRONG_DAY_SUMS).all()).toEqual([])
  issue('TWO', '2026-11-21T10:00')
  expect(database.prepare('SELECT start FROM day_sums').all()).toHaveLength(1)
  issue('THREE', '2026-11-20T11:00')
  expect(database.prepare('SELECT start FROM day_sums').all()).toEqual([])
  database.close()
})
