/** Entries of the ledger as rows: each is written with the sums of its customer, and none is changed. */
import { setImmediate } from 'node:timers/promises'
import * as v from 'valibot'
import { memoized } from '../../contract/memoized.ts'
import type { BusinessKey } from '../domain/businesses.ts'
import type { CustomerKey } from '../domain/customers.ts'
import { ENTRY_KINDS, type LedgerEntry } from '../domain/ledger.ts'
import { Refusal } from '../domain/refusal.ts'
import { ConflictError, type Queries } from './database.ts'
import type { SqlValue, Statement } from './rows.ts'

/** Whose entry it is. */
export interface EntryOwner {
  readonly business: BusinessKey
  readonly customer: CustomerKey
}

/** An entry and the points that the customer has after the call. */
export interface LedgerReceipt {
  readonly entry: LedgerEntry
  readonly balance: number
  readonly lifetimePoints: number
  /** welcome points that came with the entry, and are in the sums; none unless given */
  readonly welcomed?: number
  /** the entry is that of an earlier call */
  readonly isRepeated?: true
}

const ENTRY_COLUMNS = `id, kind, points, lifetime_points AS "lifetimePoints", at, made_by AS "by", code, reward, reason,
  reverses, reference, cashier`

/** An entry. */
export const entryRow = v.object({
  id: v.string(),
  kind: v.picklist(ENTRY_KINDS),
  points: v.number(),
  lifetimePoints: v.number(),
  at: v.string(),
  by: v.string(),
  code: v.nullable(v.string()),
  reward: v.nullable(v.string()),
  reason: v.nullable(v.string()),
  reverses: v.nullable(v.string()),
  reference: v.nullable(v.string()),
  cashier: v.nullable(v.number())
})

const wholeRow = v.object({
  entry: v.number(),
  ...entryRow.entries,
  rules: v.nullable(v.number()),
  bill: v.nullable(v.string()),
  lot: v.nullable(v.string()),
  expiry: v.nullable(v.string())
})

const ownedEntryRow = v.object({ ...entryRow.entries, customer: v.number() })
const sumsRow = v.object({ balance: v.number(), lifetimePoints: v.number() })

/** Entries that are read at a time, in which others are answered in between: a few milliseconds' work. */
export const ENTRIES_PART = 1000

/** Entries of one customer, with those of the customers merged into it: in parts, outside of transactions. */
export const entriesOf = async (queries: Queries, customer: CustomerKey): Promise<readonly LedgerEntry[]> => {
  const entries: LedgerEntry[] = []
  for (let last = 0; ;) {
    const rows = await queries.read(
      `SELECT entry, ${ENTRY_COLUMNS}, rules, bill, lot, expiry FROM entries
       WHERE customer IN (SELECT customer FROM customers WHERE customer = $1 OR merged_into = $1) AND entry > $2
       ORDER BY entry LIMIT ${String(ENTRIES_PART)}`,
      [customer, last]
    )
    for (const row of rows) {
      const { entry, ...read } = v.parse(wholeRow, row)
      entries.push(read)
      last = entry
    }
    if (rows.length < ENTRIES_PART) return entries
    await setImmediate()
  }
}

/** The newest entries of one customer, with those of the customers merged into it, the newest first. */
export const newestEntriesOf = async (
  queries: Queries,
  customer: CustomerKey,
  limit: number
): Promise<readonly LedgerEntry[]> => {
  // The rows of the others are not read: their places are in the index.
  const rows = await queries.read(
    `SELECT ${ENTRY_COLUMNS} FROM entries WHERE entry IN (
       SELECT entry FROM entries
       WHERE customer IN (SELECT customer FROM customers WHERE customer = $1 OR merged_into = $1)
       ORDER BY entry DESC LIMIT $2
     ) ORDER BY entry DESC`,
    [customer, limit]
  )
  return rows.map((row) => v.parse(entryRow, row))
}

/** The points of a customer. */
export const sumsOf = async (
  queries: Queries,
  customer: CustomerKey
): Promise<v.InferOutput<typeof sumsRow>> => {
  const [sums] = await queries.read(
    'SELECT balance, lifetime_points AS "lifetimePoints" FROM customers WHERE customer = $1',
    [customer]
  )
  return v.parse(sumsRow, sums)
}

/** An entry with its owner. */
interface OwnedEntry {
  readonly owner: EntryOwner
  readonly entry: LedgerEntry
}

const valuesOf = ({ owner: { business, customer }, entry }: OwnedEntry): readonly SqlValue[] => {
  const { id, kind, points, lifetimePoints, at, by, code, reward, reason, reverses, reference, cashier } =
    entry
  const { rules = null, bill = null, lot = null } = entry
  return [
    ...[business, customer, id, kind, points, lifetimePoints, at, by],
    ...[code, reward, reason, reverses, reference, cashier, rules, bill, lot]
  ]
}

/** The values of an entry in `insertionSql`: each says when its points end, by the rule that holds when it is written. */
const entryValues = (index: number): string => {
  const values = Array.from({ length: 17 }, (_, column) => `$${String(17 * index + column + 1)}`)
  const [business = ''] = values
  return `(${values.join(', ')}, (SELECT expiry FROM businesses WHERE business = ${business}))`
}

const insertionSql = memoized(
  (count: string): string =>
    `INSERT INTO entries
       (business, customer, id, kind, points, lifetime_points, at, made_by, code, reward, reason, reverses,
       reference, cashier, rules, bill, lot, expiry)
     VALUES ${Array.from({ length: Number(count) }, (_, index) => entryValues(index)).join(', ')}
     ON CONFLICT DO NOTHING RETURNING id`
)

/** Writes entries, but those that the ledger has or others of their code or reversal; RETURNING a row for each. */
const insertionOf = (entries: readonly OwnedEntry[]): Statement => ({
  sql: insertionSql(String(entries.length)),
  values: entries.flatMap(valuesOf)
})

/** Writes an entry, unless the ledger has it or another of its code or reversal; RETURNING a row if it is written. */
export const insertion = (owner: EntryOwner, entry: LedgerEntry): Statement => insertionOf([{ owner, entry }])

/** Writes entries whose customers have their points already. Throws a `ConflictError` if the ledger has one of them. */
export const insertEntries = async (queries: Queries, entries: readonly OwnedEntry[]): Promise<void> => {
  const { rowsPerInsert } = queries.dialect
  for (let from = 0; from < entries.length; from += rowsPerInsert) {
    const part = entries.slice(from, from + rowsPerInsert)
    const { sql, values } = insertionOf(part)
    const inserted = await queries.write(sql, values)
    if (inserted.length < part.length) throw new ConflictError('an entry was written meanwhile')
  }
}

/** Writes an entry. Returns false if the ledger has it, from a run whose answer was lost. */
const insertEntry = async (queries: Queries, owner: EntryOwner, entry: LedgerEntry): Promise<boolean> => {
  const { sql, values } = insertion(owner, entry)
  const inserted = await queries.write(sql, values)
  if (inserted.length > 0) return true
  const existing = await queries.read('SELECT id FROM entries WHERE id = $1', [entry.id])
  if (existing.length === 0) throw new ConflictError('the code was collected or the entry reversed meanwhile')
  return false
}

/**
 * Writes an entry and adds it to the customer's sums, in a transaction of the caller. Throws a `Refusal` if it
 * takes more points than there are, unless they are returned, and a `ConflictError` if the customer was merged or erased since it was read.
 */
export const appendEntry = async (
  queries: Queries,
  owner: EntryOwner,
  entry: LedgerEntry
): Promise<LedgerReceipt> => {
  const { customer } = owner
  if (!(await insertEntry(queries, owner, entry))) return { entry, ...(await sumsOf(queries, customer)) }
  // Goods that come back take what was spent, and of whom is erased, too.
  const isReturn = entry.kind === 'returned'
  const [sums] = await queries.write(
    `UPDATE customers SET balance = balance + $2, lifetime_points = lifetime_points + $3
     WHERE customer = $1 AND merged_into IS NULL ${isReturn ? '' : 'AND erased_at IS NULL'}
       ${entry.points < 0 && !isReturn ? 'AND balance + $2 >= 0' : ''} AND lifetime_points + $3 >= balance + $2
     RETURNING balance, lifetime_points AS "lifetimePoints"`,
    [customer, entry.points, entry.lifetimePoints]
  )
  if (sums !== undefined) return { entry, ...v.parse(sumsRow, sums) }
  const listed = await queries.read(
    'SELECT customer FROM customers WHERE customer = $1 AND erased_at IS NULL AND merged_into IS NULL',
    [customer]
  )
  if (listed.length === 0) throw new ConflictError('the customer was merged or erased meanwhile')
  const { balance } = await sumsOf(queries, customer)
  throw new Refusal('points-too-few', `The customer has ${balance} points; this takes ${-entry.points}.`)
}

/** The entry with this id, of this code or that reverses this one, with its customer at the time. */
export const entryWhere = async (
  queries: Queries,
  business: BusinessKey,
  column: 'id' | 'code' | 'reverses',
  value: string
): Promise<v.InferOutput<typeof ownedEntryRow> | null> => {
  const [row] = await queries.read(
    `SELECT ${ENTRY_COLUMNS}, customer FROM entries WHERE business = $1 AND ${column} = $2`,
    [business, value]
  )
  return row === undefined ? null : v.parse(ownedEntryRow, row)
}

/** The points of an entry that have expired; 0 for none. */
export const expiredOf = async (queries: Queries, entry: string): Promise<number> => {
  const [row] = await queries.read('SELECT points FROM entries WHERE lot = $1', [entry])
  return row === undefined ? 0 : -v.parse(v.object({ points: v.number() }), row).points
}

/** The customer that a customer was merged into, or itself. */
export const ownerOf = async (queries: Queries, customer: CustomerKey): Promise<CustomerKey> => {
  const [row] = await queries.read(
    'SELECT coalesce(merged_into, customer) AS key FROM customers WHERE customer = $1',
    [customer]
  )
  return v.parse(v.object({ key: v.number() }), row).key
}
