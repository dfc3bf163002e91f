/** Version 8: imports of customers and rewards from a file. */
import type { Dialect } from '../dialects.ts'

const schema = ({ integer, tableOptions }: Dialect): string => `
  CREATE TABLE imports (
    id         TEXT PRIMARY KEY,
    business   ${integer} NOT NULL REFERENCES businesses,
    kind       TEXT NOT NULL,
    -- previewed, running, stopped or done
    state      TEXT NOT NULL,
    made_by    TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    -- lines that can be imported, and lines that cannot
    usable     ${integer} NOT NULL,
    refused    ${integer} NOT NULL,
    -- all up to this line is done
    last_line  ${integer} NOT NULL DEFAULT 0,
    -- what was done, and before it begins what would be
    added      ${integer} NOT NULL,
    known      ${integer} NOT NULL,
    credited   ${integer} NOT NULL
  )${tableOptions};
  CREATE INDEX imports_of_business ON imports (business, created_at);

  -- Beside the progress, with which SQLite would write it again.
  CREATE TABLE import_files (
    id       TEXT PRIMARY KEY REFERENCES imports,
    -- empty when the import is done
    text     TEXT NOT NULL,
    -- JSON, without what the lines say
    refusals TEXT NOT NULL
  )${tableOptions};
`

export const importMigration = { version: 8, script: schema }
