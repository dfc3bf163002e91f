/** The batches of the journal. Their slips are rows like all others, each with its place in the batch. */
import type { DatabaseSync } from 'node:sqlite'
import * as v from 'valibot'
import { SLIP_STATES, type Batch, type BatchState, type SlipState } from '../../../contract/slips.ts'
import type { Failure } from '../../../contract/failure.ts'
import { failureSchema, scopeValues, type Scope } from './rows.ts'
import { BATCH_UNFINISHED } from './schema.ts'

/** A batch that is asked for. */
export interface BatchRequest extends Scope {
  readonly batchId: string
  readonly points: number
  readonly count: number
  readonly oneJob: boolean
  /** ISO 8601, UTC */
  readonly startedAt: string
}

/** A place of a batch that was asked for, with the newest slip there. */
export interface BatchPlace {
  /** from 1 on */
  readonly position: number
  /** how often it was asked for, from 1 on */
  readonly attempt: number
  readonly intentId: string
  readonly state: SlipState
  readonly hasCode: boolean
}

/** Every method throws as SQLite does when the disk fails; what a method returned is on disk. */
export interface BatchRows {
  /** Writes a new batch, `running`. Throws when the batch id is there already. */
  startBatch(request: BatchRequest): Batch
  /** null when there is none with this id in the scope */
  batch(scope: Scope, batchId: string): Batch | null
  /** Sets how a batch stands; `endedAt` when it is over. */
  setBatch(batchId: string, state: BatchState, reason: Failure | null, endedAt: string | null): void
  /** Newest first. */
  unfinishedBatches(scope: Scope): Batch[]
  /** The places that were asked for, in their order. */
  places(batchId: string): BatchPlace[]
}

const flag = v.pipe(
  v.number(),
  v.transform((number) => number === 1)
)
/** A sum over no rows is null. */
const count = v.nullable(v.number(), 0)
const batchSchema = v.object({
  batch_id: v.string(),
  training: flag,
  points: v.number(),
  count: v.number(),
  one_job: flag,
  state: v.picklist(['running', 'paused', 'stopped', 'cancelled', 'finished']),
  reason: v.nullable(failureSchema),
  started_at: v.string(),
  ended_at: v.nullable(v.string()),
  issued: count,
  printed: count,
  saved: count,
  failed: count,
  ended: count,
  unknown: count
})
const placeSchema = v.object({
  position: v.number(),
  attempt: v.number(),
  intent_id: v.string(),
  state: v.picklist(SLIP_STATES),
  code: v.nullable(v.string())
})

/** The newest slip of each place; with `max`, SQLite takes the other columns from that very row (sqlite.org/lang_select.html). */
const NEWEST_OF_PLACES = `
  SELECT position, max(attempt) AS attempt, intent_id, state, code, destination FROM slips WHERE batch_id = ? GROUP BY position
`

function readBatch(columns: unknown): Batch {
  const row = v.parse(batchSchema, columns)
  return {
    batchId: row.batch_id,
    points: row.points,
    count: row.count,
    oneJob: row.one_job,
    state: row.state,
    reason: row.reason,
    issued: row.issued,
    printed: row.printed,
    saved: row.saved,
    failed: row.failed,
    ended: row.ended,
    unknown: row.unknown,
    waiting: row.count - row.issued - row.unknown,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    training: row.training
  }
}

/** Prepares the statements of the batches. */
export function createBatchRows(database: DatabaseSync): BatchRows {
  const insert = database.prepare(`
    INSERT INTO batches (batch_id, business_id, training, points, count, one_job, state, started_at)
    VALUES (:batchId, :businessId, :training, :points, :count, :oneJob, 'running', :startedAt)
  `)
  const selectBatch = database.prepare(
    'SELECT * FROM batches WHERE training = ? AND business_id = ? AND batch_id = ?'
  )
  const selectUnfinished = database.prepare(`
    SELECT * FROM batches WHERE training = ? AND business_id = ? AND ${BATCH_UNFINISHED} ORDER BY number DESC
  `)
  const selectCounts = database.prepare(`
    SELECT
      sum(code IS NOT NULL) AS issued,
      sum(state = 'printed') AS printed,
      sum(state = 'printed' AND destination ->> 'kind' = 'folder') AS saved,
      sum(state = 'print-failed') AS failed,
      sum(code IS NOT NULL AND state IN ('given', 'discarded')) AS ended,
      -- one that was discarded without a code still takes its place
      sum(state = 'unknown' OR (state = 'discarded' AND code IS NULL)) AS unknown
    FROM (${NEWEST_OF_PLACES})
  `)
  const selectPlaces = database.prepare(`${NEWEST_OF_PLACES} ORDER BY position`)
  const update = database.prepare('UPDATE batches SET state = ?, reason = ?, ended_at = ? WHERE batch_id = ?')

  const counted = (columns: Record<string, unknown>): Batch =>
    readBatch({ ...columns, ...selectCounts.get(String(columns['batch_id'])) })
  const batch = (scope: Scope, batchId: string): Batch | null => {
    const columns = selectBatch.get(...scopeValues(scope), batchId)
    return columns === undefined ? null : counted(columns)
  }

  return {
    startBatch({ batchId, businessId, training, points, count: slips, oneJob, startedAt }) {
      insert.run({
        batchId,
        businessId,
        training: Number(training),
        points,
        count: slips,
        oneJob: Number(oneJob),
        startedAt
      })
      const started = batch({ training, businessId }, batchId)
      if (started === null) throw new Error(`The batch ${batchId} is not there after it was written`)
      return started
    },
    batch,
    setBatch(batchId, state, reason, endedAt) {
      update.run(state, reason === null ? null : JSON.stringify(reason), endedAt, batchId)
    },
    unfinishedBatches: (scope) => selectUnfinished.all(...scopeValues(scope)).map(counted),
    places: (batchId) =>
      selectPlaces.all(batchId).map((columns) => {
        const { position, attempt, intent_id, state, code } = v.parse(placeSchema, columns)
        return { position, attempt, intentId: intent_id, state, hasCode: code !== null }
      })
  }
}
