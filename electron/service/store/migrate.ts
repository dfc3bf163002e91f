/** Brings the schema of a database to the version of this program. */
import * as v from 'valibot'
import type { Queries } from './database.ts'
import type { Dialect } from './dialects.ts'
import { ledgerMigration } from './migrations/002-ledger.ts'
import { deviceMigration } from './migrations/003-devices.ts'
import { logoMigration } from './migrations/004-logos.ts'
import { staffMigration } from './migrations/005-staff.ts'
import { shopPagesMigration } from './migrations/006-shop-pages.ts'
import { extensionMigration } from './migrations/007-extension.ts'
import { importMigration } from './migrations/008-imports.ts'
import { customerCodeMigration } from './migrations/009-customer-codes.ts'

/** One step. Steps only go forward, and one that was released is never changed. */
interface Migration {
  readonly version: number
  /** the statements, for a database at version `from` */
  readonly script: (dialect: Dialect, from: number) => string
}

/** In ascending order. Version 1 had sample data only, in SQLite. */
const MIGRATIONS: readonly Migration[] = [
  ledgerMigration,
  deviceMigration,
  logoMigration,
  staffMigration,
  shopPagesMigration,
  extensionMigration,
  importMigration,
  customerCodeMigration
]

const SCHEMA_VERSION = Math.max(...MIGRATIONS.map(({ version }) => version))

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
  return v.parse(versionRow, row).version === SCHEMA_VERSION
}

/**
 * Applies the steps that the database lacks, each once: of several processes that start together the first one does, and
 * the others find them done.
 * @param name what to call the database in messages
 * @throws `NewerSchemaError`, before anything is changed
 */
export const applyMigrations = async (transaction: MigrationTransaction, name: string): Promise<void> => {
  const { dialect } = transaction
  await transaction.script(dialect.prepareSchemaVersion)
  const [row] = await transaction.read(dialect.readSchemaVersion)
  const { version } = v.parse(versionRow, row)
  if (version > SCHEMA_VERSION) {
    throw new NewerSchemaError(
      `${name} was created by a newer version of the service (its schema is ${String(version)}, this program knows ` +
        `${String(SCHEMA_VERSION)}). Install the newer version, or restore a backup from before the update.`
    )
  }
  for (const migration of MIGRATIONS) {
    if (migration.version <= version) continue
    await transaction.script(migration.script(dialect, version))
    await transaction.script(dialect.setSchemaVersion(migration.version))
  }
}
