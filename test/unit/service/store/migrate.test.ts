import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { sqliteDialect } from '../../../../electron/service/store/dialects.ts'
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
  expect(versionOf(database)).toEqual({ user_version: 1 })
  database.exec(`INSERT INTO logos (name, data, icons) VALUES ('one', 'AAAA', '{}')`)

  const later = [...MIGRATIONS, () => `ALTER TABLE logos ADD COLUMN width INTEGER NOT NULL DEFAULT 7`]
  await applyMigrations(transactionOf(database), 'test', later)
  await applyMigrations(transactionOf(database), 'test', later)
  expect(versionOf(database)).toEqual({ user_version: 2 })
  expect(database.prepare('SELECT name, data, width FROM logos').all()).toEqual([
    { name: 'one', data: 'AAAA', width: 7 }
  ])
  await expect(applyMigrations(transactionOf(database), 'test')).rejects.toThrow('newer version')
  database.close()
})
