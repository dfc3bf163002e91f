/**
 * The service's data, in one SQLite file. The interface has no operation that changes or deletes a record
 * (interface document, part 1), so rows are only ever added.
 */
import { DatabaseSync } from 'node:sqlite'
import * as v from 'valibot'

/**
 * Each entry brings a file from the version that is its index to the next. Entries are never edited once released:
 * files made by them exist.
 */
const migrations = [
  `
  -- One row per token ever served. The token itself is not kept, only its SHA-256.
  CREATE TABLE businesses (
    business   INTEGER PRIMARY KEY,
    token_hash TEXT NOT NULL UNIQUE,
    -- how many customers it has, so that the profile need not count, and the next one's place is known
    customers  INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE TABLE customers (
    -- business and order of registration in one number (see store/places.ts), and row of customer_search
    place           INTEGER PRIMARY KEY,
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

  -- Finds any part of a text from three characters on. Without content of its own: customers.search_text has it.
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
    -- NULL until used
    used_at    TEXT,
    PRIMARY KEY (business, code)
  ) STRICT, WITHOUT ROWID;
  `
]

const versionRow = v.object({ user_version: v.number() })

/**
 * Opens or creates the data in `file` (a path, or ':memory:'). What was committed survives the end of the process
 * and of the machine: WAL with synchronous=FULL syncs at each commit.
 * Throws where the file cannot be opened, is not a database, or was written by a newer version.
 */
export const openDatabase = (file: string): DatabaseSync => {
  const database = new DatabaseSync(file, { timeout: 5000 })
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON')
    // KiB, negative by SQLite's custom; taken as needed. The default is too little to fill a large shop quickly.
    database.exec('PRAGMA cache_size = -32000')
    const { user_version: version } = v.parse(versionRow, database.prepare('PRAGMA user_version').get())
    if (version > migrations.length) {
      throw new Error(`${file} was written by a newer version of the training service`)
    }
    for (const [index, migration] of migrations.entries()) {
      if (index < version) continue
      inTransaction(database, () => {
        database.exec(`${migration}; PRAGMA user_version = ${String(index + 1)}`)
      })
    }
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Runs `work` so that all of its writes happen, or none. */
export const inTransaction = <Result>(database: DatabaseSync, work: () => Result): Result => {
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
