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

/** Creates an empty database. @param url address of the server's database `postgres` */
export const createTestDatabase = async (url: string) => {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await onServer(url, `CREATE DATABASE ${name}`)
  const address = new URL(url)
  address.pathname = name
  return {
    url: address.href,
    open: (): Promise<Database> => openPostgres(address.href),
    remove: () => onServer(url, `DROP DATABASE ${name} WITH (FORCE)`)
  }
}
