/** The journal's tables. */
import { DatabaseSync } from 'node:sqlite'

/** One step per version, oldest first. A released step is never edited: a change is a further step. */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE slips (
    number           INTEGER PRIMARY KEY AUTOINCREMENT,
    intent_id        TEXT NOT NULL UNIQUE,
    business_id      TEXT NOT NULL,
    training         INTEGER NOT NULL CHECK (training IN (0, 1)),
    state            TEXT NOT NULL,
    -- grows by one with each change of the row
    revision         INTEGER NOT NULL DEFAULT 0,
    points           INTEGER NOT NULL,
    -- printouts requested with the slip, the first one included
    requested_copies INTEGER NOT NULL DEFAULT 1,
    -- printouts marked COPY so far
    copies           INTEGER NOT NULL DEFAULT 0,
    customer_id      TEXT,
    customer_name    TEXT,
    -- the cashier of the request, with the name at that time
    cashier_id       TEXT,
    cashier_name     TEXT,
    -- the program that requested it over the local interface, with the name at that time
    caller_id        TEXT,
    caller_name      TEXT,
    -- of the bill, from the local interface or a link
    reference        TEXT,
    -- hash of the program's request: another content for its reference is refused
    content_hash     TEXT,
    code             TEXT,
    url              TEXT,
    requested_at     TEXT NOT NULL,
    issued_at        TEXT,
    -- printed, or saved to the folder: see destination
    printed_at       TEXT,
    -- first time on the customer display
    shown_at         TEXT,
    ended_at         TEXT,
    note             TEXT,
    file             TEXT,
    -- destination and media of the last attempt to print
    destination      TEXT CHECK (destination IS NULL OR json_valid(destination)),
    media            TEXT,
    failure          TEXT CHECK (failure IS NULL OR json_valid(failure)),
    -- what the slip shows of the business
    snapshot         TEXT NOT NULL CHECK (json_valid(snapshot)),
    batch_id         TEXT,
    position         INTEGER,
    -- counts the slips of one position of a batch, or of one reference of a program
    attempt          INTEGER
  ) STRICT;
  CREATE INDEX slips_newest ON slips (training, business_id, number);
  CREATE INDEX slips_state ON slips (state, training, business_id, number);
  CREATE INDEX slips_code ON slips (training, business_id, code COLLATE NOCASE, number) WHERE code IS NOT NULL;
  CREATE INDEX slips_url ON slips (training, business_id, url, number) WHERE url IS NOT NULL;
  CREATE INDEX slips_customer ON slips (training, business_id, customer_id, number)
    WHERE customer_id IS NOT NULL;
  CREATE INDEX slips_cashier ON slips (training, business_id, cashier_id, number) WHERE cashier_id IS NOT NULL;
  CREATE INDEX slips_reference ON slips (training, business_id, reference, number) WHERE reference IS NOT NULL;
  CREATE INDEX slips_time ON slips (training, business_id, requested_at, number);
  CREATE INDEX slips_batch ON slips (batch_id, position, attempt) WHERE batch_id IS NOT NULL;

  CREATE TABLE copies (
    slip        INTEGER NOT NULL REFERENCES slips (number),
    number      INTEGER NOT NULL,
    state       TEXT NOT NULL,
    started_at  TEXT NOT NULL,
    ended_at    TEXT,
    destination TEXT NOT NULL CHECK (json_valid(destination)),
    media       TEXT NOT NULL,
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

  -- by the SHA-256 of their bytes
  CREATE TABLE logos (hash TEXT PRIMARY KEY, image BLOB NOT NULL) STRICT, WITHOUT ROWID;

  -- sums of the slips that the retention removed, by quarter of an hour: every time zone begins its days on one
  CREATE TABLE removed_slips (
    training    INTEGER NOT NULL CHECK (training IN (0, 1)),
    business_id TEXT NOT NULL,
    -- beginning of the quarter, ISO 8601, UTC
    quarter     TEXT NOT NULL,
    state       TEXT NOT NULL,
    count       INTEGER NOT NULL,
    with_code   INTEGER NOT NULL,
    points      INTEGER NOT NULL,
    copies      INTEGER NOT NULL,
    PRIMARY KEY (training, business_id, quarter, state)
  ) STRICT, WITHOUT ROWID;

  -- the search tokens of the customers' names; rowid is slips.number. Contentless: the names are in slips.
  CREATE VIRTUAL TABLE slip_search
    USING fts5 (name, content = '', contentless_delete = 1,
                tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Co'");

  -- the id of the journal is random, and the same in its backups; restored_from identifies the file of the last restore
  CREATE TABLE identity (journal_id TEXT NOT NULL, restored_from TEXT) STRICT;
  INSERT INTO identity VALUES (lower(hex(randomblob(16))), NULL);

  -- 1 after a clean shutdown, 0 while the journal is open, -1 when damage was found
  CREATE TABLE shutdown (clean INTEGER NOT NULL) STRICT;
  INSERT INTO shutdown VALUES (0);
  `,
  `
  -- the last time that its points were collected, and that they were taken back: as the service tells, by its clock
  ALTER TABLE slips ADD COLUMN collected_at TEXT;
  ALTER TABLE slips ADD COLUMN taken_back_at TEXT;
  ALTER TABLE removed_slips ADD COLUMN collected INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE removed_slips ADD COLUMN collected_points INTEGER NOT NULL DEFAULT 0;

  -- how far the collections of each business were read
  CREATE TABLE collection_readings (
    training    INTEGER NOT NULL CHECK (training IN (0, 1)),
    business_id TEXT NOT NULL,
    -- of the service: where the next page begins
    cursor      TEXT NOT NULL,
    -- when the last page was read, by the till's clock; NULL: not yet
    read_at     TEXT,
    PRIMARY KEY (training, business_id)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- what is asked of the service with a key
  CREATE TABLE operations (
    number        INTEGER PRIMARY KEY AUTOINCREMENT,
    key           TEXT NOT NULL UNIQUE,
    kind          TEXT NOT NULL,
    -- the key of the operation that this one undoes
    undoes        TEXT,
    business_id   TEXT NOT NULL,
    training      INTEGER NOT NULL CHECK (training IN (0, 1)),
    state         TEXT NOT NULL,
    -- grows by one with each change of the row
    revision      INTEGER NOT NULL DEFAULT 0,
    customer_id   TEXT,
    customer_name TEXT,
    cashier_id    TEXT,
    cashier_name  TEXT,
    caller_id     TEXT,
    caller_name   TEXT,
    -- of the bill, with the hash of the program's request
    reference     TEXT,
    content_hash  TEXT,
    -- why a person asked for it
    reason        TEXT,
    requested_at  TEXT NOT NULL,
    -- as its kind has them; neither names a person
    request       TEXT NOT NULL CHECK (json_valid(request)),
    answer        TEXT CHECK (answer IS NULL OR json_valid(answer)),
    answered_at   TEXT,
    ended_at      TEXT,
    note          TEXT,
    failure       TEXT CHECK (failure IS NULL OR json_valid(failure))
  ) STRICT;
  CREATE INDEX operations_undoes ON operations (undoes, number) WHERE undoes IS NOT NULL;
  CREATE INDEX operations_customer ON operations (training, business_id, customer_id, number)
    WHERE customer_id IS NOT NULL;
  CREATE INDEX operations_attention ON operations (training, business_id, number) WHERE state = 'unknown';
  `,
  `
  -- from when the code cannot be collected, as the service told when it issued it
  ALTER TABLE slips ADD COLUMN expires_at TEXT;
  `,
  `
  -- whether the program of the request got the code for its own receipt: a cashier gives slips by hand, too
  ALTER TABLE slips ADD COLUMN returned INTEGER NOT NULL DEFAULT 0 CHECK (returned IN (0, 1));
  UPDATE slips SET returned = 1
    WHERE state = 'given' AND caller_id IS NOT NULL AND destination IS NULL AND shown_at IS NULL;
  `,
  `
  -- what went back of the slip with a code, and of the credit with an id
  CREATE INDEX operations_returns ON operations (coalesce(request ->> 'code', request ->> 'credit')) WHERE kind = 'return';
  `,
  `
  -- of the cashier, as the service was told
  ALTER TABLE slips ADD COLUMN cashier_number INTEGER;
  ALTER TABLE operations ADD COLUMN cashier_number INTEGER;
  `,
  `
  -- whether its code is asked for with its intent id as key: a lost answer is asked for again
  ALTER TABLE slips ADD COLUMN keyed INTEGER NOT NULL DEFAULT 0 CHECK (keyed IN (0, 1));
  CREATE INDEX slips_unanswered ON slips (training, business_id, number) WHERE state = 'unknown' AND keyed = 1;
  `,
  `
  -- of a code that the till made without a connection: the shop's day in it, and what the service said when it was told
  ALTER TABLE slips ADD COLUMN offline_day TEXT;
  ALTER TABLE slips ADD COLUMN reported_at TEXT;
  ALTER TABLE slips ADD COLUMN refusal TEXT;
  CREATE INDEX slips_offline ON slips (training, business_id, offline_day) WHERE offline_day IS NOT NULL;
  CREATE INDEX slips_unreported ON slips (training, business_id, number)
    WHERE offline_day IS NOT NULL AND reported_at IS NULL;
  `,
  `
  -- what went back of a purchase, also where the bill's reference named it: the answer says which one it is
  DROP INDEX operations_returns;
  CREATE INDEX operations_returns
    ON operations (coalesce(answer ->> 'purchase', request ->> 'code', request ->> 'credit')) WHERE kind = 'return';
  CREATE INDEX slips_refusal ON slips (training, business_id, number) WHERE refusal IS NOT NULL;
  `,
  `
  -- what its points were calculated from by the shop's rules, as JSON
  ALTER TABLE slips ADD COLUMN calculation TEXT;
  `
]

/** The version that this app writes. */
export const SCHEMA_VERSION = MIGRATIONS.length

/** SQLite uses a partial index only for a condition in the very same words (sqlite.org/partialindex.html). */
export const OPERATION_UNANSWERED = `state = 'unknown'`
export const SLIP_UNANSWERED = `state = 'unknown' AND keyed = 1`
export const SLIP_UNREPORTED = `offline_day IS NOT NULL AND reported_at IS NULL`
export const RETURN_OF_PURCHASE = `kind = 'return' AND coalesce(answer ->> 'purchase', request ->> 'code', request ->> 'credit')`
export const BATCH_UNFINISHED = `state <> 'finished' AND state <> 'cancelled'`

/** Thrown for a file that a newer version of the app wrote. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError'
  constructor(version: number) {
    super(`The journal has schema version ${String(version)}, newer than ${String(SCHEMA_VERSION)}`)
  }
}

/** Returns the schema version of a file; 0 for an empty one. */
export const versionOf = (database: DatabaseSync): number =>
  Number(database.prepare('PRAGMA user_version').get()?.['user_version'])

/** How the last process left the journal: closed, not closed, or with damage that it found. */
export type LastShutdown = 'clean' | 'unclean' | 'damaged'

/** Returns how the last process left the journal. If not `clean`, the file may be damaged. Throws as SQLite does. */
export function lastShutdown(database: DatabaseSync): LastShutdown {
  const clean = versionOf(database) > 0 ? database.prepare('SELECT clean FROM shutdown').get()?.['clean'] : 0
  if (clean === 1) return 'clean'
  return clean === -1 ? 'damaged' : 'unclean'
}

/**
 * Brings the file to the current version, or to an earlier one, each step in its own transaction. Throws
 * `NewerSchemaError`, or as SQLite does.
 */
export function migrate(database: DatabaseSync, to = SCHEMA_VERSION): void {
  const version = versionOf(database)
  if (version > SCHEMA_VERSION) throw new NewerSchemaError(version)
  for (const [index, step] of MIGRATIONS.slice(0, to).entries()) {
    if (index < version) continue
    database.exec('BEGIN IMMEDIATE')
    try {
      database.exec(`${step}; PRAGMA user_version = ${String(index + 1)}; COMMIT`)
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK')
      throw error
    }
  }
}

/** The encoding of the texts, which decides their order, and each table, index, view and trigger of a file. */
const definitionsIn = (database: DatabaseSync): string =>
  JSON.stringify([
    database.prepare('PRAGMA encoding').get(),
    database.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name').all()
  ])

/**
 * Returns whether a file has the schema that `migrate` creates for its version, and nothing else: a trigger of another
 * origin could change slips as they are written, and a view could keep its reader busy for ever. Reads nothing but the
 * schema. Throws as SQLite does.
 */
export function hasOwnSchema(database: DatabaseSync): boolean {
  const expected = new DatabaseSync(':memory:')
  try {
    migrate(expected, versionOf(database))
    return definitionsIn(database) === definitionsIn(expected)
  } finally {
    expected.close()
  }
}
