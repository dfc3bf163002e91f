/** Version 9: the codes by which a till finds the customer of a device. */
import type { Dialect } from '../dialects.ts'

const schema = ({ integer, tableOptions }: Dialect): string => `
  CREATE TABLE customer_codes (
    -- SHA-256 of the secret
    hash       TEXT PRIMARY KEY,
    device     TEXT NOT NULL REFERENCES devices,
    business   ${integer} NOT NULL REFERENCES businesses,
    expires_at TEXT NOT NULL,
    -- the request that has used it
    used_by    TEXT
  )${tableOptions};
  CREATE INDEX customer_codes_of_device ON customer_codes (device, expires_at);
  CREATE INDEX customer_codes_by_age ON customer_codes (expires_at);
`

export const customerCodeMigration = { version: 9, script: schema }
