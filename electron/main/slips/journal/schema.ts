/** The journal's tables, as steps: a file of any earlier version is brought forward by the steps it lacks. */
import type { DatabaseSync } from 'node:sqlite'

/** One step per version, oldest first. A step that was released is never edited: add another one. */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE slips (
    number        INTEGER PRIMARY KEY AUTOINCREMENT,
    intent_id     TEXT NOT NULL UNIQUE,
    business_id   TEXT NOT NULL,
    practice      INTEGER NOT NULL CHECK (practice IN (0, 1)),
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
    face          TEXT NOT NULL CHECK (json_valid(face))
  ) STRICT;
  CREATE INDEX slips_newest ON slips (practice, business_id, number);
  CREATE INDEX slips_code ON slips (practice, business_id, code) WHERE code IS NOT NULL;
  -- few rows are ever in these states, so finding them stays quick in a journal of any length
  CREATE INDEX slips_unfinished ON slips (practice, business_id, state)
    WHERE state <> 'printed' AND state <> 'refused';
  `
]

/** A condition in these very words lets SQLite use the index `slips_unfinished` (sqlite.org/partialindex.html). */
export const UNFINISHED = `state <> 'printed' AND state <> 'refused'`

/** Raised by a file that a newer version of the till wrote. */
export class NewerJournal extends Error {
  constructor(version: number) {
    super(`The journal has version ${String(version)}, newer than this till's ${String(MIGRATIONS.length)}`)
  }
}

/** Brings the file to this version, each step in its own transaction. Throws `NewerJournal`, or as SQLite does. */
export function migrate(database: DatabaseSync): void {
  const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version'])
  if (version > MIGRATIONS.length) throw new NewerJournal(version)
  for (const [index, step] of MIGRATIONS.entries()) {
    if (index < version) continue
    database.exec(`BEGIN IMMEDIATE; ${step}; PRAGMA user_version = ${String(index + 1)}; COMMIT`)
  }
}
