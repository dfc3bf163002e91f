/** Version 3: the devices by which customers collect, what links them to a customer, and counts of attempts. */
import type { Dialect } from '../dialects.ts'

const schema = ({ integer, tableOptions }: Dialect): string => `
  CREATE TABLE devices (
    id           TEXT PRIMARY KEY,
    business     ${integer} NOT NULL REFERENCES businesses,
    -- SHA-256 of the cookie
    hash         TEXT NOT NULL UNIQUE,
    -- whom staff have linked it to
    customer     ${integer} REFERENCES customers,
    created_at   TEXT NOT NULL,
    last_seen_at TEXT NOT NULL
  )${tableOptions};
  CREATE INDEX devices_of_customer ON devices (customer) WHERE customer IS NOT NULL;

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

  -- What was collected with a device, whoever got the points.
  CREATE TABLE device_codes (
    device TEXT NOT NULL REFERENCES devices,
    code   TEXT NOT NULL REFERENCES codes,
    PRIMARY KEY (device, code)
  )${tableOptions};

  -- How often something was tried, such as a code from one address, since a moment.
  CREATE TABLE attempts (
    -- SHA-256
    key   TEXT PRIMARY KEY,
    since TEXT NOT NULL,
    count ${integer} NOT NULL
  )${tableOptions};
  CREATE INDEX attempts_by_age ON attempts (since);
`

export const deviceMigration = { version: 3, script: schema }
