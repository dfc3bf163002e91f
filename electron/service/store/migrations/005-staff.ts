/** Version 5: the staff of a shop, the links by which they choose a password, and their sessions. */
import type { Dialect } from '../dialects.ts'

const schema = ({ integer, tableOptions }: Dialect): string => `
  -- A removed member stays, because the ledger names who made an entry, and cannot sign in.
  CREATE TABLE staff_members (
    id            TEXT PRIMARY KEY,
    business      ${integer} NOT NULL REFERENCES businesses,
    name          TEXT NOT NULL,
    -- the name without case; null for a removed member, so that the name is free again
    name_key      TEXT,
    role          TEXT NOT NULL,
    password_hash TEXT,
    created_at    TEXT NOT NULL,
    UNIQUE (business, name_key)
  )${tableOptions};

  CREATE TABLE sign_in_links (
    -- SHA-256 of the secret
    hash       TEXT PRIMARY KEY,
    -- null: a link by which the first business is made
    member     TEXT REFERENCES staff_members,
    expires_at TEXT NOT NULL
  )${tableOptions};

  CREATE TABLE sessions (
    -- SHA-256 of the cookie
    hash         TEXT PRIMARY KEY,
    member       TEXT NOT NULL REFERENCES staff_members,
    created_at   TEXT NOT NULL,
    -- to the minute
    last_used_at TEXT NOT NULL
  )${tableOptions};
  CREATE INDEX sessions_of_member ON sessions (member);
`

export const staffMigration = { version: 5, script: schema }
