/** The table of batches. Their slips are rows like all others, each with its position in the batch. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import * as v from 'valibot'
import type { Failure } from '../../contract/failure.ts'
import { type Batch, type BatchState, canPrint, SLIP_STATES, type SlipState } from '../../contract/slips.ts'
import type { JournalListener } from './journal-listener.ts'
import { storedFailureSchema, type Scope, scopeValues, STATUS, TO_RAW_QUEUE } from './rows.ts'
import { BATCH_UNFINISHED } from './schema.ts'
import type { SlipRequest } from './slip-table.ts'

/** A new batch. */
export interface NewBatch extends Scope {
  readonly batchId: string
  readonly points: number
  readonly count: number
  readonly oneJob: boolean
  /** ISO 8601, UTC */
  readonly startedAt: string
}

/** A requested position of a batch, with its newest slip. */
export interface BatchItem {
  /** from 1 on */
  readonly position: number
  /** number of slips requested for the position so far */
  readonly attempt: number
  readonly intentId: string
  readonly state: SlipState
  readonly hasCode: boolean
  /** see `JournalRow.keyed` */
  readonly keyed: boolean
}

const flag = v.pipe(
  v.number(),
  v.transform((value) => value === 1)
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
  reason: v.nullable(storedFailureSchema),
  started_at: v.string(),
  ended_at: v.nullable(v.string()),
  issued: count,
  printed: count,
  saved: count,
  handed_over: count,
  sent: count,
  failed: count,
  ended: count,
  unknown: count
})
const itemSchema = v.object({
  position: v.number(),
  attempt: v.number(),
  intent_id: v.string(),
  state: v.picklist(SLIP_STATES),
  code: v.nullable(v.string()),
  keyed: flag
})

/** The newest slip of each position: with `max`, SQLite takes the other columns from that row (sqlite.org/lang_select.html). */
const NEWEST_OF_POSITIONS = `
  SELECT position, max(attempt) AS attempt, intent_id, state, code, destination, failure, returned, keyed
  FROM slips WHERE batch_id = ? GROUP BY position
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
    handedOver: row.handed_over,
    sent: row.sent,
    failed: row.failed,
    ended: row.ended,
    unknown: row.unknown,
    waiting: row.count - row.issued - row.unknown,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    training: row.training
  }
}

/** Every method throws as SQLite does when the disk fails; a returned value is on disk. */
export class BatchTable {
  readonly #listeners: readonly JournalListener[]
  readonly #insert: StatementSync
  readonly #select: StatementSync
  readonly #selectUnfinished: StatementSync
  readonly #selectCounts: StatementSync
  readonly #selectItems: StatementSync
  readonly #updateState: StatementSync

  constructor(database: DatabaseSync, listeners: readonly JournalListener[]) {
    this.#listeners = listeners
    this.#insert = database.prepare(`
      INSERT INTO batches (batch_id, business_id, training, points, count, one_job, state, started_at)
      VALUES (:batchId, :businessId, :training, :points, :count, :oneJob, 'running', :startedAt)
    `)
    this.#select = database.prepare(
      'SELECT * FROM batches WHERE training = ? AND business_id = ? AND batch_id = ?'
    )
    this.#selectUnfinished = database.prepare(`
      SELECT * FROM batches WHERE training = ? AND business_id = ? AND ${BATCH_UNFINISHED} ORDER BY number DESC
    `)
    this.#selectCounts = database.prepare(`
      SELECT
        sum(code IS NOT NULL) AS issued,
        sum(state = 'printed') AS printed,
        sum(${STATUS} = 'saved') AS saved,
        sum(${STATUS} = 'handed-over') AS handed_over,
        sum(${STATUS} = 'handed-over' AND NOT ${TO_RAW_QUEUE}) AS sent,
        sum(state = 'print-failed') AS failed,
        sum(code IS NOT NULL AND state IN ('given', 'discarded')) AS ended,
        -- a slip that was discarded without a code keeps its position
        sum((state = 'unknown' AND NOT keyed) OR (state = 'discarded' AND code IS NULL)) AS unknown
      FROM (${NEWEST_OF_POSITIONS})
    `)
    this.#selectItems = database.prepare(`${NEWEST_OF_POSITIONS} ORDER BY position`)
    this.#updateState = database.prepare(
      'UPDATE batches SET state = ?, reason = ?, ended_at = ? WHERE batch_id = ?'
    )
  }

  /** Adds a batch in state `running`. Throws when the batch id exists already. */
  start({ batchId, businessId, training, points, count: slips, oneJob, startedAt }: NewBatch): Batch {
    this.#insert.run({
      batchId,
      businessId,
      training: Number(training),
      points,
      count: slips,
      oneJob: Number(oneJob),
      startedAt
    })
    const batch = this.get({ training, businessId }, batchId)
    if (batch === null) throw new Error(`The batch ${batchId} is not there after it was written`)
    for (const listener of this.#listeners) listener.batchStarted?.(batch)
    return batch
  }

  /** Returns a batch with the counts of its slips, or null when the scope has none with this id. */
  get(scope: Scope, batchId: string): Batch | null {
    const columns = this.#select.get(...scopeValues(scope), batchId)
    return columns === undefined ? null : this.#withCounts(columns)
  }

  /** Sets the state of a batch; `endedAt` (ISO 8601, UTC) when it is over. */
  setState(batchId: string, state: BatchState, reason: Failure | null, endedAt: string | null): void {
    this.#updateState.run(state, reason === null ? null : JSON.stringify(reason), endedAt, batchId)
    for (const listener of this.#listeners) listener.batchStateChanged?.(batchId, state, reason)
  }

  /** Returns the unfinished batches, newest first. */
  unfinished(scope: Scope): Batch[] {
    return this.#selectUnfinished.all(...scopeValues(scope)).map((columns) => this.#withCounts(columns))
  }

  /** Returns the requested positions of a batch, in order. */
  items(batchId: string): BatchItem[] {
    return this.#selectItems.all(batchId).map((columns) => {
      const { position, attempt, intent_id, state, code, keyed } = v.parse(itemSchema, columns)
      return { position, attempt, intentId: intent_id, state, hasCode: code !== null, keyed }
    })
  }

  #withCounts(columns: Record<string, unknown>): Batch {
    return readBatch({ ...columns, ...this.#selectCounts.get(String(columns['batch_id'])) })
  }
}

/** One slip of a batch to request. */
export type BatchItemRequest = NonNullable<SlipRequest['batch']>

// What is pending is derived from the rows each time, never cached.
/** Returns whether the outcome of a slip is unknown for good. */
const isLost = ({ state, keyed }: BatchItem): boolean => state === 'unknown' && !keyed

/** Returns whether the outcome of a slip is unknown for good, or was unknown when it was discarded. */
const isUnknown = (item: BatchItem): boolean => isLost(item) || (item.state === 'discarded' && !item.hasCode)

/**
 * Returns the items to request, in order of their positions: never requested, refused, or requested with a response
 * that is not on disk yet or is asked for again.
 *
 * @param includeUnknown also those whose outcome is unknown for good
 */
export function itemsToRequest(
  { batchId, count }: Pick<Batch, 'batchId' | 'count'>,
  items: readonly BatchItem[],
  includeUnknown: boolean
): BatchItemRequest[] {
  const byPosition = new Map(items.map((item) => [item.position, item]))
  return Array.from({ length: count }, (_, index) => index + 1).flatMap((position): BatchItemRequest[] => {
    const item = byPosition.get(position)
    if (item === undefined) return [{ batchId, position, attempt: 1 }]
    // The same intent again: the issuer still holds its response, or asks for it with the key.
    if (item.state === 'requested' || (item.state === 'unknown' && item.keyed))
      return [{ batchId, position, attempt: item.attempt }]
    if (item.state === 'refused' || (includeUnknown && isUnknown(item))) {
      return [{ batchId, position, attempt: item.attempt + 1 }]
    }
    return []
  })
}

/** Returns the intents whose outcome is unknown for good, and that no cashier discarded. */
export const unknownIntents = (items: readonly BatchItem[]): string[] =>
  items.filter(isLost).map(({ intentId }) => intentId)

/** Returns the intents with a code that were never sent to a printer. */
export const unsentIntents = (items: readonly BatchItem[]): string[] =>
  items.filter(({ state }) => state === 'issued').map(({ intentId }) => intentId)

/** Returns the intents with a code that are not printed, whether it was tried or not. */
export const unprintedIntents = (items: readonly BatchItem[]): string[] =>
  items.filter(canPrint).map(({ intentId }) => intentId)
