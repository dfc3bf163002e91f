/** How much is in the journal, for diagnostics: numbers of all businesses together, and no row. */
import type { DatabaseSync } from 'node:sqlite'
import type { JournalNumbers } from '../../../contract/diagnostics.ts'
import { SLIP_STATES, type SlipState } from '../../../contract/till.ts'
import { versionOf } from './schema.ts'

/** Reads the numbers. */
export interface Numbers {
  numbers(): JournalNumbers
}

/** Prepares the counting. It walks an index of all slips: some milliseconds in a journal of many years. */
export function createNumbers(database: DatabaseSync): Numbers {
  const states = database.prepare(
    'SELECT state, count(*) AS count FROM slips INDEXED BY slips_state GROUP BY state'
  )
  const rest = database.prepare(`
    SELECT (SELECT count(*) FROM copies) AS copies, (SELECT count(*) FROM batches) AS batches,
      (SELECT requested_at FROM slips ORDER BY number LIMIT 1) AS first,
      (SELECT requested_at FROM slips ORDER BY number DESC LIMIT 1) AS last,
      (SELECT page_count * page_size FROM pragma_page_count, pragma_page_size) AS bytes
  `)
  const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)
  return {
    numbers() {
      const counted = new Map(states.all().map((row) => [row['state'], Number(row['count'])]))
      const row = rest.get() ?? {}
      return {
        version: versionOf(database),
        bytes: Number(row['bytes']),
        slips: Object.fromEntries(SLIP_STATES.map((state) => [state, counted.get(state) ?? 0])) as Record<
          SlipState,
          number
        >,
        copies: Number(row['copies']),
        batches: Number(row['batches']),
        first: textOrNull(row['first']),
        last: textOrNull(row['last'])
      }
    }
  }
}
