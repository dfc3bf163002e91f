/** Brings the schema of a database to the version of this program. */
import * as v from 'valibot'
import type { Queries } from './database.ts'
import { createDaySums } from './day-sums.ts'
import type { Dialect } from './dialects.ts'
import { createTables } from './schema.ts'

/** Returns the statements that bring a database from one version to the next. */
type Migration = (dialect: Dialect) => string

/** Points of a day above which a manager approves each credit of a till; null: none does. */
const addCreditApprovalLimit: Migration = ({ integer }) =>
  `ALTER TABLE businesses ADD COLUMN credit_approval_limit ${integer};`

/** The first one makes version 1. Steps only go forward, and one that was released is never changed. */
export const MIGRATIONS: readonly Migration[] = [createTables, createDaySums, addCreditApprovalLimit]

/** Thrown for a database that a newer program has changed. */
class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError'
}

/** What a migration needs: a transaction that excludes other migrations. */
export interface MigrationTransaction {
  readonly dialect: Dialect
  read(sql: string): Promise<readonly unknown[]>
  /** runs statements without parameters */
  script(text: string): Promise<void>
}

const versionRow = v.object({ version: v.number() })

/** Whether a database has the schema of this program: another process may have brought it to a newer one. */
export const hasCurrentSchema = async (queries: Queries): Promise<boolean> => {
  const [row] = await queries.read(queries.dialect.readSchemaVersion)
  return v.parse(versionRow, row).version === MIGRATIONS.length
}

/**
 * Applies the steps that the database lacks, each once: of several processes that start together the first one does, and
 * the others find them done.
 * @param name what to call the database in messages
 * @param migrations all steps that this program knows
 * @throws `NewerSchemaError`, before anything is changed
 */
export const applyMigrations = async (
  transaction: MigrationTransaction,
  name: string,
  migrations = MIGRATIONS
): Promise<void> => {
  const { dialect } = transaction
  await transaction.script(dialect.prepareSchemaVersion)
  const [row] = await transaction.read(dialect.readSchemaVersion)
  const { version } = v.parse(versionRow, row)
  if (version > migrations.length) {
    throw new NewerSchemaError(
      `${name} was created by a newer version of the service (its schema is ${String(version)}, this program knows ` +
        `${String(migrations.length)}). Install the newer version, or restore a backup from before the update.`
    )
  }
  for (const [index, migration] of migrations.entries()) {
    if (index < version) continue
    await transaction.script(migration(dialect))
    await transaction.script(dialect.setSchemaVersion(index + 1))
  }
}
