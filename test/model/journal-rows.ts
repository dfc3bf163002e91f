/** Reads the journal's file beside the till that has it open. */
import { DatabaseSync } from 'node:sqlite'
import * as v from 'valibot'
import { SLIP_STATES } from '../../electron/contract/slips.ts'
import type { JournalRow } from '../support/journal-invariants.ts'

const slipSchema = v.pipe(
  v.object({
    intent_id: v.string(),
    business_id: v.string(),
    training: v.number(),
    state: v.picklist(SLIP_STATES),
    points: v.number(),
    code: v.nullable(v.string()),
    failure: v.nullable(v.string()),
    copies_printing: v.number()
  }),
  v.transform(({ intent_id, business_id, training, copies_printing, ...rest }) => ({
    intentId: intent_id,
    businessId: business_id,
    training: training === 1,
    isCopyPrinting: copies_printing > 0,
    ...rest
  }))
)

/** Returns the rows on disk; none of a file without tables. */
export function readJournal(file: string): readonly JournalRow[] {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 1000 })
  try {
    const hasTables = database.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'slips'`).get() !== undefined
    if (!hasTables) return []
    const slips = database
      .prepare(
        `SELECT intent_id, business_id, training, state, points, code, failure,
           (SELECT count(*) FROM copies WHERE slip = slips.number AND copies.state = 'printing') AS copies_printing
         FROM slips ORDER BY number`
      )
      .all()
    return v.parse(v.array(slipSchema), slips)
  } finally {
    database.close()
  }
}
