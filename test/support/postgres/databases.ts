/** Empty databases on the server of a test run. */
import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import type { Database } from '../../../electron/service/store/database.ts'
import { openPostgres } from '../../../electron/service/store/postgres.ts'

const onServer = async (url: string, statement: string): Promise<void> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(statement)
  await client.end()
}

/** The database that those of the tests are copies of: they need not create the schema again. */
const TEMPLATE = 'migrated'

const addressOf = (url: string, name: string): string => {
  const address = new URL(url)
  address.pathname = name
  return address.href
}

/** Creates the database with the schema alone, once for a server. @param url address of its database `postgres` */
export const createTemplate = async (url: string): Promise<void> => {
  await onServer(url, `CREATE DATABASE ${TEMPLATE}`)
  await (await openPostgres(addressOf(url, TEMPLATE))).close()
}

/**
 * Creates an empty database, with the schema.
 * @param url address of the server's database `postgres`
 * @param template of PostgreSQL, for one without the schema
 */
export const createTestDatabase = async (url: string, template: 'template0' | typeof TEMPLATE = TEMPLATE) => {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await onServer(url, `CREATE DATABASE ${name} TEMPLATE ${template}`)
  const address = addressOf(url, name)
  return {
    url: address,
    open: (): Promise<Database> => openPostgres(address),
    remove: () => onServer(url, `DROP DATABASE ${name} WITH (FORCE)`)
  }
}
