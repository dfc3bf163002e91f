/** An empty store with one business, for tests of the store: on SQLite, or on PostgreSQL in test/postgres. */
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import type { Database } from '../../../../electron/service/store/database.ts'
import { openSqlite } from '../../../../electron/service/store/sqlite.ts'
import { createTestDatabase } from '../../../support/postgres/databases.ts'
import { Shop } from '../../../support/service-shop.ts'

export { Shop }

/** A database that outlives its connections. */
export interface TestDatabase {
  open(): Promise<Database>
  remove(): Promise<void>
}

/** Creates an empty database in the store that this run tests. */
export const createEmptyDatabase = async (): Promise<TestDatabase> => {
  const url = inject('postgresUrl')
  if (url !== undefined) return createTestDatabase(url)
  const folder = mkdtempSync(join(tmpdir(), 'service-store-'))
  return {
    open: () => openSqlite(join(folder, 'service.sqlite')),
    remove: () => rm(folder, { recursive: true })
  }
}

/** Opens an empty store with one business. It is removed after the test. */
export const openShop = async (): Promise<Shop> => {
  const created = await createEmptyDatabase()
  const database = await created.open()
  onTestFinished(async () => {
    await database.close()
    await created.remove()
  })
  return Shop.addTo(database)
}
