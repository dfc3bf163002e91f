/** What the journals of tills and the ledger of their service say of redemptions, and the invariants between the two. */
import { hash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import * as v from 'valibot'
import { REDEMPTION_STATES } from '../../electron/contract/redemptions.ts'
import type { Invariant } from '../support/journal-invariants.ts'

const journalRow = v.object({
  intentId: v.string(),
  state: v.picklist(REDEMPTION_STATES),
  customer: v.string(),
  reward: v.string(),
  cost: v.number(),
  redemptionId: v.nullable(v.string())
})
const ledgerRow = v.object({
  id: v.string(),
  customer: v.string(),
  reward: v.nullable(v.string()),
  points: v.number(),
  reverses: v.nullable(v.string()),
  /** of the answer that was kept with the entry: a hash of the business and the till's key */
  keyHash: v.nullable(v.string())
})
const balanceRow = v.object({ id: v.string(), balance: v.number(), sum: v.number() })

/** What a till told a person: the outcome of a press, after it was answered. */
const shownSchema = v.object({ intentId: v.string(), shown: v.picklist(['redeemed', 'undone']) })

/** What is on the disks after a kill. */
export interface RedemptionFacts {
  readonly journal: readonly v.InferOutput<typeof journalRow>[]
  /** redemptions and their reversals by tills */
  readonly ledger: readonly v.InferOutput<typeof ledgerRow>[]
  readonly balances: readonly v.InferOutput<typeof balanceRow>[]
  /** ids of redemptions after which the customer's points were below zero */
  readonly overdrawn: readonly string[]
  /** the service's hash of an intent as key, with the intent */
  readonly intents: ReadonlyMap<string, string>
  readonly shown: readonly v.InferOutput<typeof shownSchema>[]
}

/**
 * Reads the journal of a till that was opened after the kill, and the ledger.
 * @param lines that the till wrote for what it showed
 */
export function readRedemptions(
  journalFile: string,
  serviceFile: string,
  lines: readonly unknown[]
): RedemptionFacts {
  const journal = new DatabaseSync(journalFile, { readOnly: true })
  const rows = journal.prepare(
    `SELECT key AS intentId, customer_id AS customer, request ->> '$.reward.id' AS reward, request ->> 'cost' AS cost,
       answer ->> 'id' AS redemptionId,
       CASE WHEN state <> 'done' THEN state ELSE coalesce((
         SELECT CASE state WHEN 'done' THEN 'undone' WHEN 'refused' THEN 'redeemed' ELSE 'undo-' || state END
         FROM operations AS undo WHERE undo.undoes = operations.key ORDER BY number DESC LIMIT 1
       ), 'redeemed') END AS state
     FROM operations WHERE kind = 'redeem'`
  )
  const service = new DatabaseSync(serviceFile, { readOnly: true })
  const entries = service.prepare(
    `SELECT entries.id, customers.id AS customer, reward, points, reverses, keyed_answers.key AS keyHash
     FROM entries JOIN customers USING (customer) LEFT JOIN keyed_answers ON answer ->> 'id' = entries.id
     WHERE made_by LIKE 'till:%' AND kind IN ('redeemed', 'reversed')`
  )
  const balances = service.prepare(
    `SELECT customers.id, balance, sum(points) AS sum FROM customers JOIN entries USING (customer) GROUP BY customer`
  )
  const overdrawn = service.prepare(
    `SELECT id FROM (
       SELECT id, kind, sum(points) OVER (PARTITION BY customer ORDER BY entry) AS points FROM entries)
     WHERE kind = 'redeemed' AND points < 0`
  )
  const business = service.prepare('SELECT business FROM businesses').get()?.['business']
  const read = v.parse(v.array(journalRow), rows.all())
  const facts = {
    journal: read,
    ledger: v.parse(v.array(ledgerRow), entries.all()),
    balances: v.parse(v.array(balanceRow), balances.all()),
    overdrawn: overdrawn.all().map(({ id }) => String(id)),
    intents: new Map(
      read.map(({ intentId }) => [hash('sha256', JSON.stringify([business, intentId])), intentId])
    ),
    shown: v.parse(v.array(shownSchema), lines)
  }
  journal.close()
  service.close()
  return facts
}

const HOLDS: ReadonlySet<string> = new Set(['redeemed', 'undo-requested', 'undo-unknown'])

const redeemedIn = ({ ledger }: RedemptionFacts) => ledger.filter(({ reverses }) => reverses === null)
const repeatedIn = (items: readonly string[]): string[] =>
  items.filter((item, index) => items.indexOf(item) !== index)

/** At any time, whatever was killed. */
export const REDEMPTION_INVARIANTS = {
  nothingIsRedeemedTwice: (facts) =>
    repeatedIn(redeemedIn(facts).map(({ keyHash, id }) => facts.intents.get(keyHash ?? '') ?? id)).map(
      (intentId) => `${intentId} was redeemed twice`
    ),

  theLedgerIsInTheJournal: (facts) => {
    const asked = new Map(facts.journal.map((row) => [row.intentId, row]))
    return redeemedIn(facts)
      .filter(({ keyHash, customer, reward, points }) => {
        const row = asked.get(facts.intents.get(keyHash ?? '') ?? '')
        return row?.customer !== customer || row.reward !== reward || row.cost !== -points
      })
      .map(({ id }) => `${id} is in the ledger only`)
  },

  whatIsRedeemedIsInTheLedger: (facts) => {
    const entries = new Map(redeemedIn(facts).map((entry) => [entry.id, entry]))
    const reversed = new Set(facts.ledger.map(({ reverses }) => reverses))
    return facts.journal
      .filter(({ intentId, state, redemptionId }) => {
        const entry = entries.get(redemptionId ?? '')
        const isOwn = facts.intents.get(entry?.keyHash ?? '') === intentId
        if (state === 'undone') return !isOwn || !reversed.has(redemptionId)
        // The answer to an undo can be lost.
        return HOLDS.has(state) && (!isOwn || (state === 'redeemed' && reversed.has(redemptionId)))
      })
      .map(({ intentId, state }) => `${intentId} is ${state} in the journal only`)
  },

  whatIsRefusedIsNotInTheLedger: (facts) => {
    const redeemed = new Set(redeemedIn(facts).map(({ keyHash }) => facts.intents.get(keyHash ?? '')))
    return facts.journal
      .filter(({ intentId, state }) => state === 'refused' && redeemed.has(intentId))
      .map(({ intentId }) => `${intentId} was redeemed and refused`)
  },

  whatWasShownIsInTheJournal: ({ journal, shown }) => {
    const states = new Map(journal.map(({ intentId, state }) => [intentId, state]))
    return shown
      .filter(({ intentId, shown: as }) => {
        const state = states.get(intentId) ?? ''
        return state !== 'undone' && (as === 'undone' || !HOLDS.has(state))
      })
      .map(({ intentId, shown: as }) => `${intentId} was shown as ${as}`)
  },

  balancesAreSums: ({ balances }) =>
    balances
      .filter(({ balance, sum }) => balance !== sum)
      .map(({ id, balance, sum }) => `${id} has ${String(balance)} points, and entries of ${String(sum)}`),

  // Returns may take more than is left.
  nothingIsRedeemedBelowZero: ({ overdrawn }) => overdrawn.map((id) => `${id} was redeemed below zero`)
} as const satisfies Readonly<Record<string, Invariant<RedemptionFacts>>>

/** When each answer is known. */
export const WITHOUT_LOST_ANSWERS = {
  nothingWaits: ({ journal }) =>
    journal
      .filter(({ state }) => !['redeemed', 'refused', 'undone'].includes(state))
      .map(({ intentId, state }) => `${intentId} is ${state}`),

  theLedgerIsWhatTheJournalSays: (facts) => {
    const redeemed = new Set(
      facts.journal.flatMap(({ state, redemptionId }) => (state === 'redeemed' ? [redemptionId] : []))
    )
    const reversed = new Set(facts.ledger.map(({ reverses }) => reverses))
    return redeemedIn(facts)
      .filter(({ id }) => redeemed.has(id) === reversed.has(id))
      .map(({ id }) => `${id} is ${reversed.has(id) ? 'reversed' : 'redeemed'} in the ledger only`)
  }
} as const satisfies Readonly<Record<string, Invariant<RedemptionFacts>>>
