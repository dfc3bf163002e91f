/** Version 2: businesses with their tills, customers, rewards, codes and the ledger. */
import type { Dialect } from '../dialects.ts'
import { copySampleData, setSampleDataAside } from './sample-data.ts'

const schema = ({ integer, countedKey, tableOptions, appendOnly, createSearchIndex }: Dialect): string => `
  CREATE TABLE businesses (
    business           ${countedKey},
    id                 TEXT NOT NULL UNIQUE,
    name               TEXT NOT NULL,
    time_zone          TEXT NOT NULL,
    plan               TEXT NOT NULL,
    plan_interval      TEXT NOT NULL,
    street             TEXT NOT NULL,
    city               TEXT NOT NULL,
    state              TEXT NOT NULL,
    country            TEXT NOT NULL,
    zip_code           TEXT NOT NULL,
    code_validity_days ${integer} NOT NULL,
    -- customers that are neither erased nor merged into another
    customers          ${integer} NOT NULL DEFAULT 0,
    -- numbers given to customers: see customerKey in customers.ts
    customer_numbers   ${integer} NOT NULL DEFAULT 0,
    created_at         TEXT NOT NULL
  )${tableOptions};

  -- The bearer tokens of tills, as SHA-256.
  CREATE TABLE tokens (
    id           TEXT PRIMARY KEY,
    business     ${integer} NOT NULL REFERENCES businesses,
    hash         TEXT NOT NULL UNIQUE,
    name         TEXT NOT NULL,
    created_at   TEXT NOT NULL,
    last_used_at TEXT,
    revoked_at   TEXT
  )${tableOptions};
  CREATE INDEX tokens_of_business ON tokens (business);

  -- Codes by which tills get their tokens: see pairing.ts.
  CREATE TABLE pairings (
    id          TEXT PRIMARY KEY,
    secret_hash TEXT NOT NULL,
    business    ${integer} NOT NULL REFERENCES businesses,
    till_name   TEXT NOT NULL,
    expires_at  TEXT NOT NULL,
    tries       ${integer} NOT NULL DEFAULT 0,
    -- the till that got a token
    till        TEXT REFERENCES tokens (id)
  )${tableOptions};

  -- Who a customer is, and the sums of the ledger. Erasing blanks the identity and keeps the row.
  CREATE TABLE customers (
    customer        ${integer} PRIMARY KEY,
    business        ${integer} NOT NULL REFERENCES businesses,
    id              TEXT NOT NULL UNIQUE,
    name            TEXT NOT NULL,
    email           TEXT,
    -- in lower case
    email_key       TEXT,
    phone           TEXT,
    search_text     TEXT NOT NULL,
    balance         ${integer} NOT NULL DEFAULT 0,
    lifetime_points ${integer} NOT NULL DEFAULT 0,
    created_at      TEXT NOT NULL,
    -- the customer that this one was joined to; never a merged one itself
    merged_into     ${integer} REFERENCES customers,
    erased_at       TEXT,
    UNIQUE (business, phone),
    CHECK (balance >= 0 AND lifetime_points >= balance)
  )${tableOptions};
  CREATE INDEX customers_by_email ON customers (business, email_key) WHERE email_key IS NOT NULL;
  CREATE INDEX merged_customers ON customers (merged_into) WHERE merged_into IS NOT NULL;
  ${createSearchIndex}

  -- The ids of erased customers, to erase them again after a backup was restored.
  CREATE TABLE erasures (
    customer_id TEXT PRIMARY KEY,
    erased_at   TEXT NOT NULL
  )${tableOptions};

  CREATE TABLE rewards (
    business   ${integer} NOT NULL REFERENCES businesses,
    position   ${integer} NOT NULL,
    id         TEXT NOT NULL UNIQUE,
    name       TEXT NOT NULL,
    cost       ${integer} NOT NULL,
    enabled    ${integer} NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (business, position)
  )${tableOptions};

  CREATE TABLE codes (
    code         TEXT PRIMARY KEY,
    business     ${integer} NOT NULL REFERENCES businesses,
    points       ${integer} NOT NULL,
    image        ${integer} NOT NULL,
    created_at   TEXT NOT NULL,
    updated_at   TEXT NOT NULL,
    expires_at   TEXT NOT NULL,
    used_at      TEXT,
    used_by      ${integer} REFERENCES customers,
    cancelled_at TEXT,
    CHECK (used_at IS NULL OR cancelled_at IS NULL)
  )${tableOptions};

  CREATE TABLE entries (
    entry           ${countedKey},
    id              TEXT NOT NULL UNIQUE,
    business        ${integer} NOT NULL REFERENCES businesses,
    customer        ${integer} NOT NULL REFERENCES customers,
    kind            TEXT NOT NULL,
    points          ${integer} NOT NULL,
    lifetime_points ${integer} NOT NULL,
    at              TEXT NOT NULL,
    made_by         TEXT NOT NULL,
    -- what makes it happen once: a code is collected once, and an entry is reversed once
    code            TEXT UNIQUE REFERENCES codes,
    reward          TEXT REFERENCES rewards (id),
    reason          TEXT,
    reverses        TEXT UNIQUE REFERENCES entries (id)
  )${tableOptions};
  CREATE INDEX entries_of_customer ON entries (customer, entry);
  ${appendOnly('entries')}
`

export const ledgerMigration = {
  version: 2,
  script: (dialect: Dialect, from: number): string =>
    from === 1 ? setSampleDataAside + schema(dialect) + copySampleData : schema(dialect)
}
