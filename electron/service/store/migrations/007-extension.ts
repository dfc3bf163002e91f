/** Version 7: what tills ask beside the nine operations, and how long they may undo it. */
import type { Dialect } from '../dialects.ts'

const schema = ({ integer, tableOptions }: Dialect): string => `
  ALTER TABLE businesses ADD COLUMN reversal_minutes ${integer} NOT NULL DEFAULT 60;

  -- The first answer to each idempotency key.
  CREATE TABLE keyed_answers (
    -- SHA-256 of business and key
    key          TEXT PRIMARY KEY,
    -- SHA-256 of what was asked: a key stands for one request
    request      TEXT NOT NULL,
    -- why it was refused; null if it was done
    refusal      TEXT,
    -- the entry of the ledger, and the balance behind it
    entry        TEXT REFERENCES entries (id),
    balance      ${integer},
    answered_at  TEXT NOT NULL
  )${tableOptions};
  CREATE INDEX keyed_answers_by_age ON keyed_answers (answered_at);
`

export const extensionMigration = { version: 7, script: schema }
