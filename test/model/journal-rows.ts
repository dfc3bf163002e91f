/** Reads the journal's file beside the till that has it open. */
import { DatabaseSync } from 'node:sqlite'
import * as v from 'valibot'
import { SLIP_STATES } from '../../electron/contract/slips.ts'

const slipSchema = v.pipe(
  v.object({
    intent_id: v.string(),
    business_id: v.string(),
    training: v.number(),
    state: v.picklist(SLIP_STATES),
    points: v.number(),
    code: v.nullable(v.string())
  }),
  v.transform(({ intent_id, business_id, training, ...rest }) => ({
    intentId: intent_id,
    businessId: business_id,
    training: training === 1,
    ...rest
  }))
)
/** A row of the journal on disk. */
type StoredSlip = v.InferOutput<typeof slipSchema>

export interface StoredJournal {
  readonly slips: readonly StoredSlip[]
  /** intent ids of the slips with a copy in state `printing` */
  readonly printingCopies: readonly string[]
}

export const EMPTY_JOURNAL: StoredJournal = { slips: [], printingCopies: [] }

/** Returns the rows on disk; none of a file without tables. */
export function readJournal(file: string): StoredJournal {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 1000 })
  try {
    const hasTables = database.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'slips'`).get() !== undefined
    if (!hasTables) return EMPTY_JOURNAL
    const slips = database
      .prepare('SELECT intent_id, business_id, training, state, points, code FROM slips ORDER BY number')
      .all()
    const copies = database
      .prepare(
        `SELECT intent_id FROM copies JOIN slips ON slips.number = copies.slip WHERE copies.state = 'printing'`
      )
      .all()
    return {
      slips: v.parse(v.array(slipSchema), slips),
      printingCopies: copies.map(({ intent_id }) => String(intent_id))
    }
  } finally {
    database.close()
  }
}
