/** Brings customers and rewards of another system. */
import { hash } from 'node:crypto'
import * as v from 'valibot'
import type { BusinessKey } from '../domain/businesses.ts'
import type { CustomerKey } from '../domain/customers.ts'
import { newIdentifier, newOrderedIdentifier, type RandomBytes } from '../domain/identifiers.ts'
import { NO_DETAILS, type LedgerEntry } from '../domain/ledger.ts'
import type { ImportedCustomer, ImportedReward, ParsedImport } from '../domain/imports.ts'
import { CustomerStore } from './customers.ts'
import { ConflictError, type Queries } from './database.ts'
import { appendEntry, insertEntries } from './ledger-entries.ts'
import { RewardStore } from './rewards.ts'

/** What became of lines. */
export interface ImportCounts {
  readonly added: number
  readonly known: number
  /** those of the known that got the points of their line */
  readonly credited: number
  /** the points that came, added to balances */
  readonly points: number
}

/** Lines of one kind, each with the id that it gets if it is added. */
export type ImportBatch =
  | { readonly kind: 'customers'; readonly rows: readonly (ImportedCustomer & { readonly id: string })[] }
  | { readonly kind: 'rewards'; readonly rows: readonly (ImportedReward & { readonly id: string })[] }

/** Who imports, and when. */
interface Made {
  readonly at: string
  readonly by: string
}

/** Lines of one transaction, after which others can write. */
const IMPORT_BATCH = 200

const idRow = v.object({ id: v.string() })
const foundRow = v.object({ phone: v.string(), id: v.string(), key: v.number() })

/** The index of the first row behind a line. Rows are in the order of their lines, so it looks at few of a million. */
const indexAfter = (rows: readonly { readonly line: number }[], lastLine: number): number => {
  let [from, to] = [0, rows.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((rows[middle]?.line ?? Infinity) > lastLine) to = middle
    else from = middle + 1
  }
  return from
}

/** Takes up to `IMPORT_BATCH` lines that follow a line. The ids are made here, before the transaction. */
export const batchAfter = (
  { kind, rows }: ParsedImport,
  lastLine: number,
  { now, random }: { readonly now: () => Date; readonly random: RandomBytes }
): ImportBatch => {
  const take = <Row extends { readonly line: number }>(all: readonly Row[], newId: () => string) => {
    const from = indexAfter(all, lastLine)
    return all.slice(from, from + IMPORT_BATCH).map((row) => ({ ...row, id: newId() }))
  }
  return kind === 'customers'
    ? { kind, rows: take(rows, () => newOrderedIdentifier('cus', now(), random)) }
    : { kind, rows: take(rows, () => newIdentifier('rew', random)) }
}

const placeholders = (values: readonly unknown[]): string =>
  values.map((_, index) => `$${String(index + 2)}`).join(', ')

/** Which of the ids a table has. */
const knownIds = async (
  queries: Queries,
  table: 'customers' | 'entries',
  business: BusinessKey,
  ids: readonly string[]
): Promise<ReadonlySet<string>> => {
  if (ids.length === 0) return new Set()
  const rows = await queries.read(
    `SELECT id FROM ${table} WHERE business = $1 AND id IN (${placeholders(ids)})`,
    [business, ...ids]
  )
  return new Set(rows.map((row) => v.parse(idRow, row).id))
}

/** Finds who has a phone: the id under which they registered, and the customer that they were merged into. */
const findByPhone = async (
  queries: Queries,
  business: BusinessKey,
  phones: readonly string[]
): Promise<ReadonlyMap<string, { readonly id: string; readonly key: CustomerKey }>> => {
  if (phones.length === 0) return new Map()
  const rows = await queries.read(
    `SELECT phone, id, coalesce(merged_into, customer) AS key FROM customers
     WHERE business = $1 AND phone IN (${placeholders(phones)})`,
    [business, ...phones]
  )
  return new Map(rows.map((row) => v.parse(foundRow, row)).map(({ phone, ...found }) => [phone, found]))
}

/**
 * The id of the entry that brings a customer's points, once for each customer, whatever the file. It is that of the customer, so
 * that the entries of a batch are neighbours in the index, too: see `newOrderedIdentifier`.
 */
const entryIdOf = (customerId: string): string => customerId.replace(/^cus/, 'ent')

/** The id that such an entry had in version 0.1.0. */
const formerEntryIdOf = (customerId: string): string =>
  `ent_${hash('sha256', `imported ${customerId}`).slice(0, 16)}`

/** What the store has of customers. */
const standingOf = async (queries: Queries, business: BusinessKey, rows: readonly ImportedCustomer[]) => {
  // A file that this shop exported: its points are the ledger's, and whom it erased stays so.
  const exported = rows.flatMap(({ exportedId }) => (exportedId === null ? [] : [exportedId]))
  const own = await knownIds(queries, 'customers', business, exported)
  const others = rows.filter(({ exportedId }) => exportedId === null || !own.has(exportedId))
  const found = await findByPhone(
    queries,
    business,
    others.map(({ phone }) => phone)
  )
  const entries = [...found.values()].flatMap(({ id }) => [entryIdOf(id), formerEntryIdOf(id)])
  const brought = await knownIds(queries, 'entries', business, entries)
  const isBrought = (id: string): boolean => brought.has(entryIdOf(id)) || brought.has(formerEntryIdOf(id))
  const isCredited = ({ phone, lifetimePoints }: ImportedCustomer): boolean => {
    const customer = found.get(phone)
    return customer !== undefined && lifetimePoints > 0 && !isBrought(customer.id)
  }
  const missing = others.filter(({ phone }) => !found.has(phone))
  const credited = others.filter(isCredited)
  return {
    missing,
    credited,
    found,
    counts: {
      added: missing.length,
      known: rows.length - missing.length,
      credited: credited.length,
      points: sumOfPoints([...missing, ...credited])
    }
  }
}

/** The points of lines. */
export const sumOfPoints = (rows: readonly Pick<ImportedCustomer, 'balance'>[]): number =>
  rows.reduce((sum, { balance }) => sum + balance, 0)

const importCustomers = async (
  queries: Queries,
  business: BusinessKey,
  rows: readonly (ImportedCustomer & { readonly id: string })[],
  { at, by }: Made
): Promise<ImportCounts> => {
  const { missing, credited, found, counts } = await standingOf(queries, business, rows)
  const lines = new Set(missing.map(({ line }) => line))
  const added = rows.filter(({ line }) => lines.has(line))
  const keys = added.length === 0 ? [] : await new CustomerStore(queries).addImported(business, added, at)
  const entryOf = (id: string, { balance: points, lifetimePoints }: ImportedCustomer): LedgerEntry => ({
    ...{ id: entryIdOf(id), kind: 'imported', points, lifetimePoints, at, by },
    ...NO_DETAILS
  })
  const entries = added.flatMap((row, index) => {
    const customer = keys[index] ?? null
    if (customer === null) throw new ConflictError('a customer of the file joined meanwhile')
    return row.lifetimePoints > 0 ? [{ owner: { business, customer }, entry: entryOf(row.id, row) }] : []
  })
  await insertEntries(queries, entries)
  for (const row of credited) {
    const customer = found.get(row.phone)
    if (customer === undefined) continue
    await appendEntry(queries, { business, customer: customer.key }, entryOf(customer.id, row))
  }
  return counts
}

/** The rewards that the catalogue does not have by their name. */
const missingRewards = async <Row extends ImportedReward>(
  queries: Queries,
  business: BusinessKey,
  rows: readonly Row[]
): Promise<readonly Row[]> => {
  const names = new Set((await new RewardStore(queries).all(business)).map(({ name }) => name))
  return rows.filter(({ name }) => !names.has(name))
}

const rewardCounts = (rows: readonly unknown[], missing: readonly unknown[]): ImportCounts => ({
  added: missing.length,
  known: rows.length - missing.length,
  credited: 0,
  points: 0
})

/**
 * Adds what the business does not have, in a transaction of the caller: customers by their phone, with their points, and
 * rewards by their name. A customer who is known gets the points, too, unless points were brought before or the file is an
 * export of this shop.
 */
export const importBatch = async (
  queries: Queries,
  business: BusinessKey,
  { kind, rows }: ImportBatch,
  made: Made
): Promise<ImportCounts> => {
  if (kind === 'customers') return importCustomers(queries, business, rows, made)
  const rewards = new RewardStore(queries)
  // Another import may be adding rewards of the same names.
  await rewards.lock(business)
  const missing = await missingRewards(queries, business, rows)
  for (const { id, ...terms } of missing) await rewards.append(business, id, terms, made.at)
  return rewardCounts(rows, missing)
}

/** Returns what `importBatch` would do. */
export const previewBatch = async (
  queries: Queries,
  business: BusinessKey,
  { kind, rows }: ImportBatch
): Promise<ImportCounts> => {
  if (kind === 'rewards') return rewardCounts(rows, await missingRewards(queries, business, rows))
  return (await standingOf(queries, business, rows)).counts
}

/** The sum of counts. */
export const addCounts = (one: ImportCounts, other: ImportCounts): ImportCounts => ({
  added: one.added + other.added,
  known: one.known + other.known,
  credited: one.credited + other.credited,
  points: one.points + other.points
})

/** Nothing yet. */
export const NO_COUNTS: ImportCounts = { added: 0, known: 0, credited: 0, points: 0 }
