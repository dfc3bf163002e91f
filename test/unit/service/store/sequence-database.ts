/** The database of random sequences: emptied before each of them, and backed up and restored within it. */
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import * as v from 'valibot'
import { inject } from 'vitest'
import type { Database } from '../../../../electron/service/store/database.ts'
import { readEndedAccess, repeatEndedAccess } from '../../../../electron/service/store/ended-access.ts'
import {
  backUpFile,
  prepareRestoredFile,
  removeFile,
  replaceFile
} from '../../../../electron/service/store/sqlite-files.ts'
import { openLocked, openSqlite } from '../../../../electron/service/store/sqlite.ts'
import { createTestDatabase } from '../../../support/postgres/databases.ts'

/** Nothing has it open while it is emptied, backed up or restored. */
export interface SequenceDatabase {
  /** whether a restored backup keeps what ended since, such as erasures: as the program restores files */
  readonly keepsEnded: boolean
  /** whether every statement is a message to another process, so that fewer are worth it */
  readonly isRemote: boolean
  open(): Promise<Database>
  empty(): Promise<void>
  backUp(): Promise<void>
  restore(): Promise<void>
  remove(): Promise<void>
}

const OPTIONS = { report: () => undefined, signal: new AbortController().signal }

/** In a file, as the commands `backup` and `restore` treat it. */
const onSqlite = (): SequenceDatabase => {
  const folder = mkdtempSync(join(tmpdir(), 'service-store-'))
  const inFolder = (name: string): string => join(folder, `${name}.sqlite`)
  const [file, copy, replaced] = [inFolder('service'), inFolder('backup'), inFolder('replaced')] as const
  return {
    keepsEnded: true,
    isRemote: false,
    open: () => openSqlite(file),
    async empty() {
      for (const one of [file, copy]) await removeFile(one)
    },
    async backUp() {
      await removeFile(copy)
      await backUpFile(file, copy, OPTIONS)
    },
    async restore() {
      const locked = openLocked(file)
      const ended = readEndedAccess(locked)
      const prepare = (restored: Database): Promise<void> => repeatEndedAccess(restored, ended)
      const prepared = await prepareRestoredFile(copy, file, { ...OPTIONS, prepare })
      locked.close()
      await removeFile(replaced)
      replaceFile(prepared, file, replaced)
    },
    remove: () => rm(folder, { recursive: true })
  }
}

/** For the connection that copies rows: triggers and references between tables are not looked at. */
const AS_A_REPLICA = 'SET session_replication_role = replica'

/**
 * On PostgreSQL, whose programs copy the rows and know nothing of what ended. One database serves all sequences, and a backup
 * is a schema beside its own: to create a database takes longer than a sequence.
 */
const onPostgres = async (url: string): Promise<SequenceDatabase> => {
  const created = await createTestDatabase(url)
  const client = new Client({ connectionString: created.url })
  await client.connect()
  const { rows } = await client.query(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_version'`
  )
  const tables = v.parse(v.array(v.object({ name: v.string() })), rows)
  const script = async (each: (table: string) => string): Promise<void> => {
    await client.query(`BEGIN; ${tables.map(({ name }) => each(name)).join('; ')}; COMMIT`)
  }
  const replace = (to: string, from: string) =>
    script((name) => `DELETE FROM ${to}.${name}; INSERT INTO ${to}.${name} TABLE ${from}.${name}`)
  await client.query(`${AS_A_REPLICA}; CREATE SCHEMA empty; CREATE SCHEMA backup`)
  await script(
    (name) =>
      `CREATE TABLE empty.${name} AS TABLE public.${name}; CREATE TABLE backup.${name} (LIKE public.${name})`
  )
  return {
    keepsEnded: false,
    isRemote: true,
    open: () => created.open(),
    empty: () => replace('public', 'empty'),
    backUp: () => replace('backup', 'public'),
    restore: () => replace('public', 'backup'),
    async remove() {
      await client.end()
      await created.remove()
    }
  }
}

/** Creates the database in the store that this run tests. */
export const createSequenceDatabase = async (): Promise<SequenceDatabase> => {
  const url = inject('postgresUrl')
  return url === undefined ? onSqlite() : onPostgres(url)
}
