/** The table of redemptions: one row per intent, with the keys of its requests, and its state machine. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import * as v from 'valibot'
import type { Failure } from '../../contract/failure.ts'
import {
  REDEMPTION_STATES,
  type Redemption,
  type RedemptionState,
  type RedeemRequest
} from '../../contract/redemptions.ts'
import type { RemovalStep } from './row-removal.ts'
import { failureSchema, type JournalListener, person, scopeValues, type Scope } from './rows.ts'
import { REDEMPTION_UNANSWERED } from './schema.ts'
import { InvalidTransitionError } from './slip-table.ts'

/** A redemption with the columns that the page does not need. */
export interface RedemptionRow {
  readonly redemption: Redemption
  readonly businessId: string
  /** the service's id; null until it answered */
  readonly redemptionId: string | null
  /** the key of the last undo; null: none */
  readonly undoKey: string | null
  /** hash of the request of a program; null: of a person, or removed by the retention */
  readonly contentHash: string | null
}

/** Returns the name of the PDF of a redemption, without extension. It may name the customer, and goes with the row. */
export const redemptionFileName = (intentId: string): string => `redemption-${intentId}`

/** A new redemption, before the service is called. */
export interface NewRedemption extends Scope, RedeemRequest {
  readonly cashier: Redemption['cashier']
  /** null: a person requests it */
  readonly program: {
    readonly caller: NonNullable<Redemption['caller']>
    readonly reference: string
    readonly contentHash: string
  } | null
  /** ISO 8601, UTC */
  readonly requestedAt: string
}

/** The states that follow a state. */
const NEXT: Readonly<Record<RedemptionState, readonly RedemptionState[]>> = {
  requested: ['redeemed', 'refused', 'unknown'],
  unknown: ['redeemed', 'refused', 'unknown', 'discarded'],
  redeemed: ['undo-requested'],
  'undo-requested': ['undone', 'redeemed', 'undo-unknown'],
  'undo-unknown': ['undone', 'redeemed', 'undo-unknown'],
  // What the service did not refuse by name may be requested again with its key: see `request`.
  refused: [],
  undone: [],
  discarded: []
}

/** Columns that a change of state sets. Others keep their values, except `failure`: every change sets or clears it. */
export interface RedemptionChange {
  readonly redemptionId?: string
  readonly balance?: number | null
  readonly redeemedAt?: string
  readonly reversibleUntil?: string | null
  readonly undo?: {
    readonly key: string
    readonly reason: string
    readonly requestedAt: string
    readonly cashier: Redemption['cashier']
  }
  readonly undoneAt?: string
  readonly ending?: { readonly at: string; readonly note: string }
  readonly failure?: Failure
}

const text = v.nullable(v.string())
const columnsSchema = v.object({
  intent_id: v.string(),
  business_id: v.string(),
  training: v.number(),
  state: v.picklist(REDEMPTION_STATES),
  revision: v.number(),
  customer_id: text,
  customer_name: text,
  reward_id: v.string(),
  reward_name: v.string(),
  cost: v.number(),
  balance_before: v.nullable(v.number()),
  balance: v.nullable(v.number()),
  cashier_id: text,
  cashier_name: text,
  caller_id: text,
  caller_name: text,
  reference: text,
  content_hash: text,
  requested_at: v.string(),
  redemption_id: text,
  redeemed_at: text,
  reversible_until: text,
  undo_key: text,
  undo_reason: text,
  undo_requested_at: text,
  undo_cashier_id: text,
  undo_cashier_name: text,
  undone_at: text,
  ended_at: text,
  note: text,
  failure: v.nullable(failureSchema)
})

function readRow(columns: unknown): RedemptionRow {
  const row = v.parse(columnsSchema, columns)
  return {
    redemption: {
      intentId: row.intent_id,
      state: row.state,
      revision: row.revision,
      customer: person(row.customer_id, row.customer_name),
      reward: { id: row.reward_id, name: row.reward_name },
      cost: row.cost,
      balanceBefore: row.balance_before,
      balance: row.balance,
      cashier: person(row.cashier_id, row.cashier_name),
      caller: person(row.caller_id, row.caller_name),
      reference: row.reference,
      requestedAt: row.requested_at,
      redeemedAt: row.redeemed_at,
      reversibleUntil: row.reversible_until,
      undo:
        row.undo_requested_at === null
          ? null
          : {
              requestedAt: row.undo_requested_at,
              reason: row.undo_reason ?? '',
              cashier: person(row.undo_cashier_id, row.undo_cashier_name)
            },
      undoneAt: row.undone_at,
      failure: row.failure,
      ending: row.ended_at === null ? null : { at: row.ended_at, note: row.note ?? '' },
      training: row.training === 1
    },
    businessId: row.business_id,
    redemptionId: row.redemption_id,
    undoKey: row.undo_key,
    contentHash: row.content_hash
  }
}

/** The redemptions that neither wait for an answer nor for a person. */
const FINAL = `state IN ('redeemed', 'refused', 'undone', 'discarded')`

/** Ends the requests that a stopped process left pending: their answers are lost. */
export function endRedemptions(database: DatabaseSync, reason: string): void {
  database
    .prepare(
      `UPDATE redemptions SET state = CASE state WHEN 'requested' THEN 'unknown' ELSE 'undo-unknown' END,
         failure = ?, revision = revision + 1 WHERE state IN ('requested', 'undo-requested')`
    )
    .run(reason)
}

/** Every method throws as SQLite does when the disk fails; a returned value is on disk. */
export class RedemptionTable {
  readonly #database: DatabaseSync
  readonly #listeners: readonly JournalListener[]
  readonly #insert: StatementSync
  readonly #change: StatementSync
  readonly #byIntent: StatementSync
  readonly #liveOfProgram: StatementSync
  readonly #ofCustomer: StatementSync
  readonly #unanswered: StatementSync
  readonly #countUnanswered: StatementSync

  constructor(database: DatabaseSync, listeners: readonly JournalListener[]) {
    this.#database = database
    this.#listeners = listeners
    this.#insert = database.prepare(`
      INSERT INTO redemptions (intent_id, business_id, training, state, customer_id, customer_name, reward_id, reward_name,
        cost, balance_before, cashier_id, cashier_name, caller_id, caller_name, reference, content_hash, requested_at)
      VALUES (:intentId, :businessId, :training, 'requested', :customerId, :customerName, :rewardId, :rewardName,
        :cost, :balanceBefore, :cashierId, :cashierName, :callerId, :callerName, :reference, :contentHash, :requestedAt)
      ON CONFLICT (intent_id) DO UPDATE SET state = excluded.state, revision = revision + 1, failure = NULL,
        customer_id = excluded.customer_id, customer_name = excluded.customer_name,
        reward_id = excluded.reward_id, reward_name = excluded.reward_name,
        cost = excluded.cost, balance_before = excluded.balance_before,
        cashier_id = excluded.cashier_id, cashier_name = excluded.cashier_name,
        caller_id = excluded.caller_id, caller_name = excluded.caller_name,
        reference = excluded.reference, content_hash = excluded.content_hash, requested_at = excluded.requested_at
      WHERE state = 'refused'
    `)
    this.#change = database.prepare(`
      UPDATE redemptions SET state = :next, revision = revision + 1, failure = :failure,
        redemption_id = coalesce(:redemptionId, redemption_id), balance = CASE :isAnswered WHEN 1 THEN :balance ELSE balance END,
        redeemed_at = coalesce(:redeemedAt, redeemed_at),
        reversible_until = coalesce(:reversibleUntil, reversible_until),
        undo_key = coalesce(:undoKey, undo_key), undo_reason = coalesce(:undoReason, undo_reason),
        undo_requested_at = coalesce(:undoRequestedAt, undo_requested_at),
        undo_cashier_id = CASE WHEN :undoKey IS NULL THEN undo_cashier_id ELSE :undoCashierId END,
        undo_cashier_name = CASE WHEN :undoKey IS NULL THEN undo_cashier_name ELSE :undoCashierName END,
        undone_at = coalesce(:undoneAt, undone_at),
        ended_at = coalesce(:endedAt, ended_at), note = coalesce(:note, note)
      WHERE intent_id = :intentId AND state = :state
    `)
    this.#byIntent = database.prepare('SELECT * FROM redemptions WHERE intent_id = ?')
    this.#liveOfProgram = database.prepare(
      `SELECT * FROM redemptions WHERE training = 0 AND business_id = ? AND caller_id = ? AND reference = ?
         AND state <> 'refused' ORDER BY number DESC LIMIT 1`
    )
    this.#ofCustomer = database.prepare(`
      SELECT * FROM redemptions WHERE training = ? AND business_id = ? AND customer_id = ? ORDER BY number DESC LIMIT ?
    `)
    const unanswered = `FROM redemptions WHERE training = ? AND business_id = ? AND (${REDEMPTION_UNANSWERED})`
    this.#unanswered = database.prepare(`SELECT * ${unanswered} ORDER BY number DESC LIMIT ?`)
    this.#countUnanswered = database.prepare(`SELECT count(*) AS count ${unanswered}`)
  }

  byIntent(intentId: string): RedemptionRow | null {
    const columns = this.#byIntent.get(intentId)
    return columns === undefined ? null : readRow(columns)
  }

  /** Returns the newest redemption of a program's reference at a business, unless nothing was taken. */
  liveOfProgram(businessId: string, callerId: string, reference: string): RedemptionRow | null {
    const columns = this.#liveOfProgram.get(businessId, callerId, reference)
    return columns === undefined ? null : readRow(columns)
  }

  /** Returns the newest redemptions of a customer, newest first. */
  ofCustomer(scope: Scope, customerId: string, limit: number): readonly RedemptionRow[] {
    return this.#ofCustomer.all(...scopeValues(scope), customerId, limit).map(readRow)
  }

  /** Returns the newest redemptions whose answer was lost, newest first. */
  unanswered(scope: Scope, limit: number): readonly RedemptionRow[] {
    return this.#unanswered.all(...scopeValues(scope), limit).map(readRow)
  }

  countUnanswered(scope: Scope): number {
    return Number(this.#countUnanswered.get(...scopeValues(scope))?.['count'])
  }

  /** Adds a redemption in state `requested`, or replaces a refused one. Throws when the intent id has another one. */
  request(request: NewRedemption): RedemptionRow {
    const { intentId, customer, reward, cashier, program } = request
    const { changes } = this.#insert.run({
      intentId,
      businessId: request.businessId,
      training: Number(request.training),
      customerId: customer.id,
      customerName: customer.name,
      rewardId: reward.id,
      rewardName: reward.name,
      cost: request.cost,
      balanceBefore: request.balanceBefore,
      cashierId: cashier?.id ?? null,
      cashierName: cashier?.name ?? null,
      callerId: program?.caller.id ?? null,
      callerName: program?.caller.name ?? null,
      reference: program?.reference ?? null,
      contentHash: program?.contentHash ?? null,
      requestedAt: request.requestedAt
    })
    if (changes !== 1) throw new InvalidTransitionError(`The redemption ${intentId} was requested before`)
    return this.#changed(intentId)
  }

  /** Changes the state of a redemption. Throws `InvalidTransitionError` when its state has no such change. */
  change(intentId: string, next: RedemptionState, details: RedemptionChange = {}): RedemptionRow {
    const state = this.byIntent(intentId)?.redemption.state
    if (state === undefined || !NEXT[state].includes(next)) {
      throw new InvalidTransitionError(`No change from ${String(state)} to ${next}`)
    }
    const { undo, ending, failure } = details
    const values: Record<string, SQLInputValue> = {
      intentId,
      state,
      next,
      failure: failure === undefined ? null : JSON.stringify(failure),
      redemptionId: details.redemptionId ?? null,
      isAnswered: Number(details.balance !== undefined),
      balance: details.balance ?? null,
      redeemedAt: details.redeemedAt ?? null,
      reversibleUntil: details.reversibleUntil ?? null,
      undoKey: undo?.key ?? null,
      undoReason: undo?.reason ?? null,
      undoRequestedAt: undo?.requestedAt ?? null,
      undoCashierId: undo?.cashier?.id ?? null,
      undoCashierName: undo?.cashier?.name ?? null,
      undoneAt: details.undoneAt ?? null,
      endedAt: ending?.at ?? null,
      note: ending?.note ?? null
    }
    const { changes } = this.#change.run(values)
    if (changes !== 1) throw new InvalidTransitionError(`Another process changed the redemption ${intentId}`)
    return this.#changed(intentId)
  }

  /** Removes who redeemed, bills and reasons of redemptions from before a moment (ISO 8601, UTC). */
  *removeNames(before: string): Generator<RemovalStep> {
    const old = `coalesce(redeemed_at, requested_at) < ? AND ${FINAL}
      AND (customer_id IS NOT NULL OR reference IS NOT NULL OR undo_reason <> '' OR note <> '')`
    yield this.#removal(
      before,
      old,
      `UPDATE redemptions SET customer_id = NULL, customer_name = NULL, reference = NULL, content_hash = NULL,
         undo_reason = CASE WHEN undo_reason IS NULL THEN NULL ELSE '' END,
         note = CASE WHEN note IS NULL THEN NULL ELSE '' END, revision = revision + 1`
    )
  }

  /** Removes redemptions from before a moment (ISO 8601, UTC). Those whose answer was lost stay. */
  *remove(before: string): Generator<RemovalStep> {
    yield this.#removal(
      before,
      `coalesce(redeemed_at, requested_at) < ? AND ${FINAL}`,
      'DELETE FROM redemptions'
    )
  }

  #removal(before: string, old: string, statement: string): RemovalStep {
    const named = this.#database.prepare(
      `SELECT intent_id FROM redemptions WHERE ${old} AND customer_id IS NOT NULL`
    )
    return {
      codes: named.all(before).map(({ intent_id: intentId }) => redemptionFileName(String(intentId))),
      remove: () => Number(this.#database.prepare(`${statement} WHERE ${old}`).run(before).changes)
    }
  }

  #changed(intentId: string): RedemptionRow {
    const row = this.byIntent(intentId)
    if (row === null) throw new InvalidTransitionError(`No redemption has the intent id ${intentId}`)
    for (const listener of this.#listeners) listener.redemptionChanged?.(row.redemption, row.businessId)
    return row
  }
}
