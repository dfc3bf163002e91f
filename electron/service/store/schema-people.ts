/** The tables of the first release that are about people: see `schema.ts`. */
import type { Dialect } from './dialects.ts'

/** The devices by which customers collect, what links them to a customer, and counts of attempts. */
export const deviceTables = ({ integer, tableOptions, keyedTableOptions }: Dialect): string => `
  CREATE TABLE devices (
    id           TEXT PRIMARY KEY,
    business     ${integer} NOT NULL REFERENCES businesses,
    -- SHA-256 of the cookie
    hash         TEXT NOT NULL UNIQUE,
    -- whom staff have linked it to
    customer     ${integer} REFERENCES customers,
    created_at   TEXT NOT NULL,
    last_seen_at TEXT NOT NULL,
    -- from whom and when a customer has unlinked it, which can be taken back for a while
    unlinked_from ${integer} REFERENCES customers,
    unlinked_at  TEXT
  )${tableOptions};
  CREATE INDEX devices_of_customer ON devices (customer) WHERE customer IS NOT NULL;
  CREATE INDEX unlinked_devices ON devices (unlinked_from) WHERE unlinked_from IS NOT NULL;

  -- Six digits that a device shows and staff confirm.
  CREATE TABLE link_codes (
    device     TEXT PRIMARY KEY REFERENCES devices,
    business   ${integer} NOT NULL REFERENCES businesses,
    digits     TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    -- for whom staff have confirmed them
    customer   ${integer} REFERENCES customers,
    UNIQUE (business, digits)
  )${tableOptions};

  -- What was collected with a device, whichever customer got the points.
  CREATE TABLE device_codes (
    device TEXT NOT NULL REFERENCES devices,
    code   TEXT NOT NULL REFERENCES codes,
    PRIMARY KEY (device, code)
  )${keyedTableOptions};

  -- How often something was tried, such as a code from one address, since a moment.
  CREATE TABLE attempts (
    -- SHA-256
    key   TEXT PRIMARY KEY,
    since TEXT NOT NULL,
    count ${integer} NOT NULL
  )${keyedTableOptions};
  CREATE INDEX attempts_by_age ON attempts (since);

  -- The codes by which a till finds the customer of a device.
  CREATE TABLE customer_codes (
    -- SHA-256 of the secret
    hash       TEXT PRIMARY KEY,
    device     TEXT NOT NULL REFERENCES devices,
    business   ${integer} NOT NULL REFERENCES businesses,
    expires_at TEXT NOT NULL,
    -- the request that has used it
    used_by    TEXT
  )${keyedTableOptions};
  CREATE INDEX customer_codes_of_device ON customer_codes (device, expires_at);
  CREATE INDEX customer_codes_by_age ON customer_codes (expires_at);

  -- What forms leave for the pages that answer them: see kept-forms.ts.
  CREATE TABLE kept_forms (
    -- SHA-256 of the secret in the page's address
    hash       TEXT PRIMARY KEY,
    -- encrypted with that secret
    sealed     TEXT NOT NULL,
    -- SHA-256 of the browser's cookie
    browser    TEXT NOT NULL,
    -- whether the browser has sent that cookie
    is_bound   ${integer} NOT NULL,
    expires_at TEXT NOT NULL
  )${keyedTableOptions};
  CREATE INDEX kept_forms_by_age ON kept_forms (expires_at);
`

/** The staff of a shop, the links by which they choose a password, and their sessions. */
export const staffTables = ({ integer, tableOptions }: Dialect): string => `
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
    -- of a link that was used: when its form cannot be sent again any more
    expires_at TEXT NOT NULL,
    is_used    ${integer} NOT NULL DEFAULT 0
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
