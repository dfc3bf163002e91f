/** The tables of the first release. A later release changes them by a step in `migrate.ts`, never here. */
import type { Dialect } from './dialects.ts'
import { deviceTables, staffTables } from './schema-people.ts'

/** What all processes of the service know, and businesses with their tills, customers, rewards, codes and the ledger. */
const ledger = ({
  integer,
  countedKey,
  tableOptions,
  appendOnly,
  createSearchIndex,
  createCustomerNumbers
}: Dialect): string => `
  CREATE TABLE settings (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
  )${tableOptions};

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
    -- the name of a logo of its own
    logo               TEXT,
    code_validity_days ${integer} NOT NULL,
    collect_pause_minutes ${integer} NOT NULL DEFAULT 0,
    reversal_minutes   ${integer} NOT NULL DEFAULT 60,
    -- points that a till may credit on a day; null: any number
    credit_limit       ${integer},
    -- customers that are neither erased nor merged into another, but for those of joined_customers
    customers          ${integer} NOT NULL DEFAULT 0,
    created_at         TEXT NOT NULL
  )${tableOptions};

  -- The bearer tokens of tills, as SHA-256.
  CREATE TABLE tokens (
    id           TEXT PRIMARY KEY,
    business     ${integer} NOT NULL REFERENCES businesses,
    hash         TEXT NOT NULL UNIQUE,
    name         TEXT NOT NULL,
    -- the place where the till stands; null: not named
    branch       TEXT,
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

  -- Who used a till, as it says. Forgetting blanks the name.
  CREATE TABLE cashiers (
    cashier  ${countedKey},
    business ${integer} NOT NULL REFERENCES businesses,
    number   ${integer} NOT NULL,
    name     TEXT,
    UNIQUE (business, number, name)
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
    -- 1: brought by an import; such a customer did not join on that day
    imported        ${integer} NOT NULL DEFAULT 0,
    -- the customer that this one was joined to; never a merged one itself
    merged_into     ${integer} REFERENCES customers,
    erased_at       TEXT,
    UNIQUE (business, phone),
    -- below zero only by a return of what was spent
    CHECK (lifetime_points >= balance)
  )${tableOptions};
  CREATE INDEX customers_by_email ON customers (business, email_key) WHERE email_key IS NOT NULL;
  CREATE INDEX merged_customers ON customers (merged_into) WHERE merged_into IS NOT NULL;
  ${createSearchIndex}
  ${createCustomerNumbers}

  -- Customers who joined and are not in their business's number of customers yet. One row for each: transactions that
  -- add a customer at the same moment do not wait for each other.
  CREATE TABLE joined_customers (
    customer ${integer} PRIMARY KEY
  )${tableOptions};

  -- The ids of erased customers, to erase them again after a backup was restored.
  CREATE TABLE erasures (
    customer_id TEXT PRIMARY KEY,
    erased_at   TEXT NOT NULL
  )${tableOptions};

  -- The phones of erased customers, so that an old file does not bring them back.
  CREATE TABLE erased_phones (
    business ${integer} NOT NULL REFERENCES businesses,
    salt     TEXT NOT NULL,
    -- HMAC-SHA-256 of the phone, with the salt as its key
    hash     TEXT NOT NULL,
    PRIMARY KEY (business, salt, hash)
  )${tableOptions};

  -- Who changed which fields of a customer. It has no values, which erasing would have to find.
  CREATE TABLE corrections (
    correction ${countedKey},
    customer ${integer} NOT NULL REFERENCES customers,
    at       TEXT NOT NULL,
    made_by  TEXT NOT NULL,
    -- of name, phone and email, with commas
    fields   TEXT NOT NULL
  )${tableOptions};
  CREATE INDEX corrections_of_customer ON corrections (customer, correction);

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
    -- that returns have taken from it before it was collected
    returned_points ${integer} NOT NULL DEFAULT 0,
    -- who issued it, and the reference of the bill
    till         TEXT REFERENCES tokens (id),
    cashier      ${integer} REFERENCES cashiers,
    reference    TEXT,
    CHECK (points >= 0),
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
    reverses        TEXT UNIQUE REFERENCES entries (id),
    -- what the till says of the sale
    reference       TEXT,
    cashier         ${integer} REFERENCES cashiers
  )${tableOptions};
  CREATE INDEX entries_of_customer ON entries (customer, entry);
  CREATE INDEX codes_by_reference ON codes (business, reference) WHERE reference IS NOT NULL;
  CREATE INDEX credits_by_reference ON entries (business, reference) WHERE kind = 'credited';
  ${appendOnly('entries')}
`

/** What the shop's pages read by time. Each index has all columns of its queries: entries and codes are not read beside it. */
const INDEXES_BY_TIME = `
  CREATE INDEX entries_by_time ON entries (business, at, entry, kind, points, customer);
  CREATE INDEX collections_by_order ON entries (business, entry) WHERE kind IN ('collected', 'reversed');
  CREATE INDEX credits_by_till ON entries (business, made_by, at, points, id) WHERE kind = 'credited';
  CREATE INDEX reversals_by_time ON entries (business, at) WHERE kind = 'reversed';
  CREATE INDEX codes_by_time ON codes (business, created_at, code, points, cancelled_at);
  CREATE INDEX codes_by_till ON codes (business, till, created_at, code, cashier) WHERE till IS NOT NULL;
  CREATE INDEX codes_by_cashier ON codes (business, cashier, created_at, code) WHERE cashier IS NOT NULL;
  CREATE INDEX customers_by_time ON customers (business, created_at, merged_into, imported);
`

/** The businesses' own logos. */
const logos = ({ tableOptions }: Dialect): string => `
  CREATE TABLE logos (
    -- of the file; another image has another name
    name TEXT PRIMARY KEY,
    -- base64
    data TEXT NOT NULL,
    -- what a home screen shows, decoded when the logo was set: the sizes of logos.ts, base64, with commas
    icons TEXT NOT NULL
  )${tableOptions};
`

/** What tills ask beside the nine operations. */
const extension = ({ integer, tableOptions, keyedTableOptions }: Dialect): string => `
  -- Points of a purchase that went back with the goods.
  CREATE TABLE returns (
    id       TEXT PRIMARY KEY,
    business ${integer} NOT NULL REFERENCES businesses,
    -- what gave the points: a code, or a credit by its entry
    code     TEXT REFERENCES codes,
    credit   TEXT REFERENCES entries (id),
    -- from 1 for each of them: of two at once one is made again
    number   ${integer} NOT NULL,
    points   ${integer} NOT NULL,
    -- with the earlier ones of the purchase: the points, and the part of the goods, such as 3/8
    returned ${integer} NOT NULL,
    part     TEXT NOT NULL,
    reason   TEXT,
    at       TEXT NOT NULL,
    made_by  TEXT NOT NULL,
    cashier  ${integer} REFERENCES cashiers,
    -- of the ledger; null where the code was lowered, or no point was taken
    entry    TEXT UNIQUE REFERENCES entries (id),
    UNIQUE (code, number),
    UNIQUE (credit, number)
  )${tableOptions};
  CREATE INDEX returns_by_time ON returns (business, at, points);

  -- The first answer to each idempotency key.
  CREATE TABLE keyed_answers (
    -- SHA-256 of business and key
    key          TEXT PRIMARY KEY,
    -- SHA-256 of what was asked: a key stands for one request
    request      TEXT NOT NULL,
    -- why it was refused; null if it was done
    refusal      TEXT,
    -- what was answered, or the numbers of the refusal, as JSON
    answer       TEXT NOT NULL,
    answered_at  TEXT NOT NULL
  )${keyedTableOptions};
  CREATE INDEX keyed_answers_by_age ON keyed_answers (answered_at);
`

/** What owners have explained of unusual activity. */
const explanations = ({ integer, tableOptions, keyedTableOptions }: Dialect): string => `
  CREATE TABLE explanations (
    -- SHA-256 of pattern and day
    id       TEXT PRIMARY KEY,
    business ${integer} NOT NULL REFERENCES businesses,
    -- kind, maker, and the customer where there is one
    pattern  TEXT NOT NULL,
    maker    TEXT NOT NULL,
    -- the last on which it had happened
    day      TEXT NOT NULL,
    note     TEXT,
    at       TEXT NOT NULL,
    made_by  TEXT NOT NULL
  )${tableOptions};
  CREATE INDEX explanations_of_pattern ON explanations (business, pattern, day);

  -- Whom they are about.
  CREATE TABLE explained_customers (
    customer    ${integer} NOT NULL REFERENCES customers,
    explanation TEXT NOT NULL REFERENCES explanations ON DELETE CASCADE,
    PRIMARY KEY (customer, explanation)
  )${keyedTableOptions};
`

/** Imports of customers and rewards from a file. */
const imports = ({ integer, tableOptions }: Dialect): string => `
  CREATE TABLE imports (
    id         TEXT PRIMARY KEY,
    business   ${integer} NOT NULL REFERENCES businesses,
    kind       TEXT NOT NULL,
    -- reading, previewed, running, stopped or done
    state      TEXT NOT NULL,
    made_by    TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    -- lines that can be imported, and lines that cannot; while the file is read, all of its lines
    usable     ${integer} NOT NULL,
    refused    ${integer} NOT NULL,
    -- all up to this line is done
    last_line  ${integer} NOT NULL DEFAULT 0,
    -- what was done, and before it begins what would be; while the file is read, its lines that were
    added      ${integer} NOT NULL,
    known      ${integer} NOT NULL,
    credited   ${integer} NOT NULL,
    points     ${integer} NOT NULL,
    -- the points of all lines that can be imported
    file_points ${integer} NOT NULL,
    -- which column is what, as JSON; guessed when the file is read, if none is
    choice     TEXT NOT NULL,
    -- whether customers who were erased are imported, too
    with_erased ${integer} NOT NULL
  )${tableOptions};
  CREATE INDEX imports_of_business ON imports (business, created_at);

  -- Beside the progress, with which SQLite would write it again.
  CREATE TABLE import_files (
    id       TEXT PRIMARY KEY REFERENCES imports,
    -- empty when the import is done
    text     TEXT NOT NULL,
    -- the first lines as they will be, and the columns that are not used, as JSON; empty when the import is done
    preview  TEXT NOT NULL,
    -- the names of the columns, and the refused lines, as JSON; without what they say after a day
    refusals TEXT NOT NULL
  )${tableOptions};
`

/** Returns the statements that create all tables in an empty database. */
export const createTables = (dialect: Dialect): string =>
  [
    ledger(dialect),
    INDEXES_BY_TIME,
    ...[logos, deviceTables, staffTables, extension, explanations, imports].map((part) => part(dialect))
  ].join('')
