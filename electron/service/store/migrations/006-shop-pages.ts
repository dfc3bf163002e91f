/** Version 6: what the shop's pages read by time, and rules that a shop sets. */

import type { Dialect } from '../dialects.ts'

/** Each index has all columns of its queries: entries and codes are not read beside it. */
const schema = ({ integer }: Dialect): string => `
  ALTER TABLE businesses ADD COLUMN collect_pause_minutes ${integer} NOT NULL DEFAULT 0;
  CREATE INDEX entries_by_time ON entries (business, at, entry, kind, points, customer);
  CREATE INDEX reversals_by_time ON entries (business, at) WHERE kind = 'reversed';
  CREATE INDEX codes_by_time ON codes (business, created_at, code, points, cancelled_at);
  CREATE INDEX customers_by_time ON customers (business, created_at, merged_into);
`

export const shopPagesMigration = { version: 6, script: schema }
