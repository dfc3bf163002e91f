/** The journal's tables, as steps: a file of any earlier version is brought forward by the steps it lacks. */
import type { DatabaseSync } from 'node:sqlite'
import { searchTokens } from './history.ts'

/** One step per version, oldest first. A step that was released is never edited: add another one. */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE slips (
    number        INTEGER PRIMARY KEY AUTOINCREMENT,
    intent_id     TEXT NOT NULL UNIQUE,
    business_id   TEXT NOT NULL,
    training      INTEGER NOT NULL CHECK (training IN (0, 1)),
    state         TEXT NOT NULL,
    points        INTEGER NOT NULL,
    customer_id   TEXT,
    customer_name TEXT,
    code          TEXT,
    url           TEXT,
    requested_at  TEXT NOT NULL,
    issued_at     TEXT,
    printed_at    TEXT,
    file          TEXT,
    failure       TEXT CHECK (failure IS NULL OR json_valid(failure)),
    snapshot          TEXT NOT NULL CHECK (json_valid(snapshot))
  ) STRICT;
  CREATE INDEX slips_newest ON slips (training, business_id, number);
  CREATE INDEX slips_code ON slips (training, business_id, code) WHERE code IS NOT NULL;
  -- few rows are ever in these states, so finding them stays quick in a journal of any length
  CREATE INDEX slips_unfinished ON slips (training, business_id, state)
    WHERE state <> 'printed' AND state <> 'refused';
  `,
  `
  ALTER TABLE slips ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
  -- papers asked for with the slip, and papers asked for beside the first one so far
  ALTER TABLE slips ADD COLUMN papers INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE slips ADD COLUMN copies INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE slips ADD COLUMN destination TEXT CHECK (destination IS NULL OR json_valid(destination));
  -- the paper that it was laid out for, at the last try
  ALTER TABLE slips ADD COLUMN paper TEXT;
  ALTER TABLE slips ADD COLUMN ended_at TEXT;
  ALTER TABLE slips ADD COLUMN note TEXT;
  ALTER TABLE slips ADD COLUMN batch_id TEXT;
  ALTER TABLE slips ADD COLUMN position INTEGER;
  -- a place in a batch is asked for again, as another slip, after a refusal or when the cashier says so
  ALTER TABLE slips ADD COLUMN attempt INTEGER;

  CREATE TABLE copies (
    slip        INTEGER NOT NULL REFERENCES slips (number),
    number      INTEGER NOT NULL,
    state       TEXT NOT NULL,
    started_at  TEXT NOT NULL,
    ended_at    TEXT,
    destination TEXT NOT NULL CHECK (json_valid(destination)),
    paper       TEXT NOT NULL,
    failure     TEXT CHECK (failure IS NULL OR json_valid(failure)),
    PRIMARY KEY (slip, number)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX copies_printing ON copies (state) WHERE state = 'printing';

  CREATE TABLE batches (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    batch_id    TEXT NOT NULL UNIQUE,
    business_id TEXT NOT NULL,
    training    INTEGER NOT NULL CHECK (training IN (0, 1)),
    points      INTEGER NOT NULL,
    count       INTEGER NOT NULL,
    one_job     INTEGER NOT NULL CHECK (one_job IN (0, 1)),
    state       TEXT NOT NULL,
    reason      TEXT CHECK (reason IS NULL OR json_valid(reason)),
    started_at  TEXT NOT NULL,
    ended_at    TEXT
  ) STRICT;
  CREATE INDEX batches_unfinished ON batches (training, business_id, number)
    WHERE state <> 'finished' AND state <> 'cancelled';

  DROP INDEX slips_unfinished;
  DROP INDEX slips_code;
  CREATE INDEX slips_state ON slips (state, training, business_id, number);
  CREATE INDEX slips_code ON slips (training, business_id, code COLLATE NOCASE, number) WHERE code IS NOT NULL;
  CREATE INDEX slips_customer ON slips (training, business_id, customer_id, number)
    WHERE customer_id IS NOT NULL;
  CREATE INDEX slips_time ON slips (training, business_id, requested_at, number);
  CREATE INDEX slips_batch ON slips (batch_id, position, attempt) WHERE batch_id IS NOT NULL;

  -- by the SHA-256 of their bytes
  CREATE TABLE logos (hash TEXT PRIMARY KEY, image BLOB NOT NULL) STRICT, WITHOUT ROWID;

  -- the words of the customers' names; rowid is slips.number. Without content: the names are in slips.
  CREATE VIRTUAL TABLE slip_words
    USING fts5 (name, content = '', tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Co'");
  INSERT INTO slip_words (rowid, name)
    SELECT number, words(customer_name) FROM slips WHERE customer_name <> '';

  -- whether the till that had this file open closed it: if not, the next one checks it page by page
  CREATE TABLE closing (clean INTEGER NOT NULL) STRICT;
  INSERT INTO closing VALUES (0);
  `,
  `
  -- who served when the points were asked for, with the name of the time
  ALTER TABLE slips ADD COLUMN cashier_id TEXT;
  ALTER TABLE slips ADD COLUMN cashier_name TEXT;
  CREATE INDEX slips_cashier ON slips (training, business_id, cashier_id, number) WHERE cashier_id IS NOT NULL;
  `,
  `
  -- when its code came on the customer display
  ALTER TABLE slips ADD COLUMN shown_at TEXT;
  `
]

/** The version that this till writes. */
export const NEWEST_VERSION = MIGRATIONS.length

/** Conditions in these very words let SQLite use the partial indexes (sqlite.org/partialindex.html). */
export const BATCH_UNFINISHED = `state <> 'finished' AND state <> 'cancelled'`

/** Raised by a file that a newer version of the till wrote. */
export class NewerSchemaError extends Error {
  constructor(version: number) {
    super(`The journal has version ${String(version)}, newer than this till's ${String(MIGRATIONS.length)}`)
  }
}

/** The version that a file is at; 0 for an empty one. */
export const versionOf = (database: DatabaseSync): number =>
  Number(database.prepare('PRAGMA user_version').get()?.['user_version'])

/**
 * Brings the file to this version, or to the version `last`, each step in its own transaction. Throws `NewerSchemaError`,
 * or as SQLite does.
 */
export function migrate(database: DatabaseSync, last: number = MIGRATIONS.length): void {
  const version = versionOf(database)
  if (version > MIGRATIONS.length) throw new NewerSchemaError(version)
  database.function('words', { deterministic: true }, (name) => searchTokens(String(name)).join(' '))
  for (const [index, step] of MIGRATIONS.entries()) {
    if (index < version || index >= last) continue
    database.exec('BEGIN IMMEDIATE')
    try {
      database.exec(`${step}; PRAGMA user_version = ${String(index + 1)}; COMMIT`)
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK')
      throw error
    }
  }
}

/* from closing.ts: The mark of a journal that was closed: without it, the file may not be whole. */

/** Reads the mark that the till before left when it closed the file. Throws as SQLite does. */
export const wasClosed = (database: DatabaseSync): boolean =>
  versionOf(database) > 1 && database.prepare('SELECT clean FROM closing').get()?.['clean'] === 1
