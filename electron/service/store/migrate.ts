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

/** Codes that tills make without a connection: see offline-keys.ts and offline-codes.ts. */
const addOfflineCodes: Migration = ({ integer, tableOptions, keyedTableOptions }) => `
  ALTER TABLE businesses ADD COLUMN offline_points_of_code ${integer} NOT NULL DEFAULT 5000;
  ALTER TABLE businesses ADD COLUMN offline_points_of_day ${integer} NOT NULL DEFAULT 20000;
  ALTER TABLE businesses ADD COLUMN offline_days ${integer} NOT NULL DEFAULT 3;
  -- since when the till gets no key, and none of its keys is valid
  ALTER TABLE tokens ADD COLUMN offline_stopped_at TEXT;
  -- the day that a code made without a connection says; null for any other code
  ALTER TABLE codes ADD COLUMN offline_day TEXT;

  CREATE TABLE offline_keys (
    key           TEXT PRIMARY KEY,
    business      ${integer} NOT NULL REFERENCES businesses,
    till          TEXT NOT NULL REFERENCES tokens (id),
    -- 32 bytes, base64url: the proof of a code needs it
    secret        TEXT NOT NULL,
    -- of the last ticket: a copy of the till has an older one
    ticket_hash   TEXT NOT NULL,
    made_at       TEXT NOT NULL,
    -- the days whose codes are taken
    confirmed_day TEXT NOT NULL,
    last_day      TEXT NOT NULL,
    replaced_at   TEXT,
    revoked_at    TEXT
  )${tableOptions};
  CREATE INDEX offline_keys_of_till ON offline_keys (till);

  -- Points that were taken of a till's day, over all its keys.
  CREATE TABLE offline_days (
    till   TEXT NOT NULL REFERENCES tokens (id),
    day    TEXT NOT NULL,
    points ${integer} NOT NULL,
    PRIMARY KEY (till, day)
  )${keyedTableOptions};

  -- Proved codes that were not taken when they were seen; an owner can allow one.
  CREATE TABLE offline_refusals (
    code       TEXT PRIMARY KEY,
    business   ${integer} NOT NULL REFERENCES businesses,
    till       TEXT NOT NULL REFERENCES tokens (id),
    points     ${integer} NOT NULL,
    day        TEXT NOT NULL,
    reason     TEXT NOT NULL,
    seen_at    TEXT NOT NULL,
    -- report or customer
    seen_by    TEXT NOT NULL,
    allowed_at TEXT,
    allowed_by TEXT
  )${tableOptions};
  CREATE INDEX offline_refusals_of_till ON offline_refusals (till, day);
  CREATE INDEX offline_refusals_by_time ON offline_refusals (business, seen_at);
`

/** What the shop's owner says earns points, and what codes and credits were calculated with: see rules.ts. */
const addEarningRules: Migration = ({ integer, tableOptions, appendOnly }) => `
  CREATE TABLE earning_rules (
    business   ${integer} NOT NULL REFERENCES businesses,
    -- from 1 in each business
    version    ${integer} NOT NULL,
    -- of the form that made it: one that is sent twice makes one version
    id         TEXT NOT NULL UNIQUE,
    -- as JSON; null: tills use rules of their own
    rules      TEXT,
    created_at TEXT NOT NULL,
    made_by    TEXT NOT NULL,
    PRIMARY KEY (business, version)
  )${tableOptions};
  ${appendOnly('earning_rules')}
  -- What the till says: the version of the rules, and the bill as JSON.
  ALTER TABLE codes ADD COLUMN rules ${integer};
  ALTER TABLE codes ADD COLUMN bill TEXT;
  ALTER TABLE entries ADD COLUMN rules ${integer};
  ALTER TABLE entries ADD COLUMN bill TEXT;
`

/** When points end, and what else the shop's rules say of customers: see lots.ts and rules.ts. */
const addExpiry: Migration = ({ integer, countedKey, tableOptions, appendOnly }) => `
  -- What the newest rules say, for entries that are written: when their points end (see lots.ts), and what the first one brings.
  ALTER TABLE businesses ADD COLUMN expiry TEXT;
  ALTER TABLE businesses ADD COLUMN welcome_points ${integer} NOT NULL DEFAULT 0;
  -- such as 02-29
  ALTER TABLE customers ADD COLUMN birthday TEXT;
  CREATE INDEX customers_by_birthday ON customers (business, birthday) WHERE birthday IS NOT NULL;
  -- when its points end, by the rule of its time; null: never
  ALTER TABLE entries ADD COLUMN expiry TEXT;
  -- the entry whose points have expired by this one
  ALTER TABLE entries ADD COLUMN lot TEXT REFERENCES entries (id);
  CREATE UNIQUE INDEX expired_lots ON entries (lot) WHERE lot IS NOT NULL;

  -- From which entry on a customer's points are those of another one, too: of one that was merged before, from the first.
  CREATE TABLE merges (
    merge    ${countedKey},
    customer ${integer} NOT NULL REFERENCES customers,
    into_customer ${integer} NOT NULL REFERENCES customers,
    -- the newest entry of both
    entry    ${integer} NOT NULL
  )${tableOptions};
  CREATE INDEX merges_of_customer ON merges (customer);
  INSERT INTO merges (customer, into_customer, entry)
    SELECT customer, merged_into, 0 FROM customers WHERE merged_into IS NOT NULL ORDER BY customer;
  ${appendOnly('merges')}
`

/** The first one makes version 1. Steps only go forward, and one that was released is never changed. */
export const MIGRATIONS: readonly Migration[] = [
  createTables,
  createDaySums,
  addCreditApprovalLimit,
  addOfflineCodes,
  addEarningRules,
  addExpiry
]

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
