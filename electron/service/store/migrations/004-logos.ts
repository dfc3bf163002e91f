/** Version 4: the businesses' own logos. */
import type { Dialect } from '../dialects.ts'

const schema = ({ tableOptions }: Dialect): string => `
  CREATE TABLE logos (
    -- of the file; another image has another name
    name TEXT PRIMARY KEY,
    -- base64
    data TEXT NOT NULL
  )${tableOptions};
  ALTER TABLE businesses ADD COLUMN logo TEXT;
`

export const logoMigration = { version: 4, script: schema }
