/** What the journal of a till and the ledger of its service say of credits, what undoes them and returns, and the invariants between the two. */
import { hash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import * as v from 'valibot'
import type { Invariant } from '../support/journal-invariants.ts'

const kind = v.picklist(['credit', 'reverse-credit', 'return'])

const journalRow = v.object({
  key: v.string(),
  kind,
  /** key of the credit that it undoes */
  undoes: v.nullable(v.string()),
  state: v.picklist(['requested', 'unknown', 'done', 'refused', 'discarded']),
  customer: v.nullable(v.string()),
  /** asked of a credit; answered to a return */
  points: v.nullable(v.number()),
  /** the service's id of a credit */
  credit: v.nullable(v.string())
})
const ledgerRow = v.object({
  id: v.string(),
  kind,
  customer: v.string(),
  /** given, or taken from the customer */
  points: v.number(),
  /** id of the credit */
  credit: v.string(),
  /** of the answer that was kept with it: a hash of the business and the till's key */
  keyHash: v.nullable(v.string())
})
/** What a till told a person, after it was answered. */
const shownRow = v.object({ intentId: v.string(), shown: v.picklist(['credited', 'undone', 'returned']) })

/** What is on the disks after a kill. */
export interface PurchaseFacts {
  readonly journal: readonly v.InferOutput<typeof journalRow>[]
  readonly ledger: readonly v.InferOutput<typeof ledgerRow>[]
  /** the service's hash of a key, with the key */
  readonly keys: ReadonlyMap<string, string>
  readonly shown: readonly v.InferOutput<typeof shownRow>[]
}

/**
 * Reads the journal of a till that was opened after the kill, and the ledger.
 * @param lines that the till wrote for what it showed
 */
export function readPurchases(
  journalFile: string,
  serviceFile: string,
  lines: readonly unknown[]
): PurchaseFacts {
  const journal = new DatabaseSync(journalFile, { readOnly: true })
  const service = new DatabaseSync(serviceFile, { readOnly: true })
  const rows = journal.prepare(
    `SELECT key, kind, undoes, state, customer_id AS customer,
       CASE kind WHEN 'return' THEN answer ELSE request END ->> 'points' AS points, answer ->> 'id' AS credit
     FROM operations WHERE kind IN ('credit', 'reverse-credit', 'return')`
  )
  const entries = service.prepare(
    `WITH credits AS (
       SELECT entries.id, customers.id AS customer, points FROM entries JOIN customers USING (customer)
       WHERE kind = 'credited' AND made_by LIKE 'till:%')
     SELECT id, 'credit' AS kind, customer, points, id AS credit FROM credits
     UNION ALL SELECT entries.id, 'reverse-credit', credits.customer, entries.points, reverses
       FROM credits JOIN entries ON reverses = credits.id
     UNION ALL SELECT returns.id, 'return', credits.customer, -returns.points, credit
       FROM credits JOIN returns ON credit = credits.id`
  )
  const answered = service.prepare(
    `SELECT answer ->> 'id' AS id, key FROM keyed_answers WHERE refusal IS NULL`
  )
  const hashes = new Map(answered.all().map(({ id, key }) => [id, key]))
  const business = service.prepare('SELECT business FROM businesses').get()?.['business']
  const read = v.parse(v.array(journalRow), rows.all())
  const facts = {
    journal: read,
    ledger: entries
      .all()
      .map((row) => v.parse(ledgerRow, { ...row, keyHash: hashes.get(row['id'] ?? null) ?? null })),
    keys: new Map(read.map(({ key }) => [hash('sha256', JSON.stringify([business, key])), key])),
    shown: v.parse(v.array(shownRow), lines)
  }
  journal.close()
  service.close()
  return facts
}

type LedgerRow = PurchaseFacts['ledger'][number]

const keyOf = ({ keys }: PurchaseFacts, { keyHash, id }: LedgerRow): string => keys.get(keyHash ?? '') ?? id
const byKey = (facts: PurchaseFacts) => new Map(facts.ledger.map((row) => [keyOf(facts, row), row]))

/** At any time, whatever was killed. */
export const PURCHASE_INVARIANTS = {
  nothingIsDoneTwice: (facts) =>
    facts.ledger
      .map((row) => keyOf(facts, row))
      .filter((key, index, keys) => keys.indexOf(key) !== index)
      .map((key) => `${key} was done twice`),

  theLedgerIsInTheJournal: (facts) => {
    const asked = new Map(facts.journal.map((row) => [row.key, row]))
    const done = byKey(facts)
    return facts.ledger
      .filter((row) => {
        const own = asked.get(keyOf(facts, row))
        if (own?.kind !== row.kind) return true
        if (row.kind === 'reverse-credit') return done.get(own.undoes ?? '')?.credit !== row.credit
        if (row.kind === 'credit') return own.customer !== row.customer || own.points !== row.points
        return own.state === 'done' && own.points !== -row.points
      })
      .map(({ id, kind }) => `${kind} ${id} is in the ledger only`)
  },

  whatIsDoneIsInTheLedger: (facts) => {
    const done = byKey(facts)
    const reversed = new Set(
      facts.ledger.flatMap((row) => (row.kind === 'reverse-credit' ? [row.credit] : []))
    )
    return facts.journal
      .filter((row) => {
        if (row.state !== 'done') return false
        // Another request may have undone it.
        if (row.kind === 'reverse-credit') return !reversed.has(done.get(row.undoes ?? '')?.credit ?? '')
        const own = done.get(row.key)
        return own?.kind !== row.kind || (row.kind === 'credit' && own.credit !== row.credit)
      })
      .map(({ key, kind }) => `${kind} ${key} is done in the journal only`)
  },

  whatIsRefusedIsNotInTheLedger: (facts) => {
    const done = byKey(facts)
    return facts.journal
      .filter(({ key, state }) => state === 'refused' && done.has(key))
      .map(({ key, kind }) => `${kind} ${key} was done and refused`)
  },

  whatWasShownIsInTheJournal: ({ journal, shown }) => {
    const done = journal.filter(({ state }) => state === 'done')
    const keys = new Set(done.map(({ key }) => key))
    const undone = new Set(done.map(({ undoes }) => undoes))
    return shown
      .filter(({ intentId, shown: as }) => !(as === 'undone' ? undone : keys).has(intentId))
      .map(({ intentId, shown: as }) => `${intentId} was shown as ${as}`)
  },

  // A part of the goods can be worth no point: the credit is undone all the same.
  noPurchaseGivesBackMore: ({ ledger }) =>
    [...Map.groupBy(ledger, ({ credit }) => credit)]
      .map(([credit, rows]) => ({ credit, points: rows.map(({ points }) => points) }))
      .filter(({ points }) => points.reduce((sum, each) => sum + each, 0) < 0)
      .map(({ credit, points }) => `more than it gave went back of ${credit}: ${points.join(' ')}`)
} as const satisfies Readonly<Record<string, Invariant<PurchaseFacts>>>

/** When each answer is known. */
export const WITHOUT_LOST_PURCHASES = {
  noPurchaseWaits: ({ journal }) =>
    journal
      .filter(({ state }) => state !== 'done' && state !== 'refused')
      .map(({ key, kind, state }) => `${kind} ${key} is ${state}`),

  allOfTheLedgerIsDone: (facts) => {
    const done = new Set(facts.journal.flatMap(({ key, state }) => (state === 'done' ? [key] : [])))
    return facts.ledger
      .filter((row) => !done.has(keyOf(facts, row)))
      .map(({ id, kind }) => `${kind} ${id} is not done in the journal`)
  }
} as const satisfies Readonly<Record<string, Invariant<PurchaseFacts>>>
