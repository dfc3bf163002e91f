/**
 * The service's SQLite data file. The interface has no operation that changes or deletes a record (interface document,
 * part 1), so rows are only added.
 */
import { DatabaseSync } from 'node:sqlite'
import * as v from 'valibot'

const SCHEMA_VERSION = 1

const SCHEMA = `
  -- One row for each token. The token itself is not stored, only its SHA-256.
  CREATE TABLE businesses (
    business   INTEGER PRIMARY KEY,
    token_hash TEXT NOT NULL UNIQUE,
    -- number of customers, which also determines the next customer's row id
    customers  INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE TABLE customers (
    -- see customerRowId in store.ts; also the row id in customer_search
    row_id          INTEGER PRIMARY KEY,
    business        INTEGER NOT NULL REFERENCES businesses,
    id              TEXT NOT NULL,
    name            TEXT NOT NULL,
    email           TEXT,
    phone           TEXT NOT NULL,
    balance         INTEGER NOT NULL,
    lifetime_points INTEGER NOT NULL,
    search_text     TEXT NOT NULL,
    UNIQUE (business, id),
    UNIQUE (business, phone)
  ) STRICT;
  CREATE INDEX customers_by_email ON customers (business, email COLLATE NOCASE) WHERE email IS NOT NULL;

  -- Finds substrings of three characters or more. Contentless: the text is in customers.search_text.
  CREATE VIRTUAL TABLE customer_search
    USING fts5 (search_text, content = '', tokenize = 'trigram case_sensitive 1');

  CREATE TABLE rewards (
    business   INTEGER NOT NULL REFERENCES businesses,
    position   INTEGER NOT NULL,
    id         TEXT NOT NULL,
    name       TEXT NOT NULL,
    cost       INTEGER NOT NULL,
    enabled    INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (business, position),
    UNIQUE (business, id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE codes (
    business   INTEGER NOT NULL REFERENCES businesses,
    code       TEXT NOT NULL,
    points     INTEGER NOT NULL,
    image      INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    -- NULL until the code is used
    used_at    TEXT,
    PRIMARY KEY (business, code)
  ) STRICT, WITHOUT ROWID;
`

const versionRow = v.object({ user_version: v.number() })

/**
 * Opens or creates the data file (a path, or ':memory:'). Committed data survives a crash of the process and a power
 * failure: WAL with synchronous=FULL syncs on each commit. Throws if the file cannot be opened, is not a database, or was
 * created by a newer version.
 */
export const openDatabase = (file: string): DatabaseSync => {
  const database = new DatabaseSync(file, { timeout: 5000 })
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON')
    // In KiB, negative by SQLite's convention; allocated on demand. Seeding a large shop is slow with the default.
    database.exec('PRAGMA cache_size = -32000')
    const { user_version: version } = v.parse(versionRow, database.prepare('PRAGMA user_version').get())
    if (version > SCHEMA_VERSION) throw new Error(`${file} was created by a newer version of the service`)
    if (version < SCHEMA_VERSION) {
      inTransaction(database, () => {
        database.exec(`${SCHEMA}; PRAGMA user_version = ${String(SCHEMA_VERSION)}`)
      })
    }
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Runs `work` in a transaction and returns its result. Rolls back and rethrows if it throws. */
export const inTransaction = <Value>(database: DatabaseSync, work: () => Value): Value => {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}
