/** What a shop has, as comma-separated values: read in pages, so that a million rows need the memory of one page. */
import { setImmediate } from 'node:timers/promises'
import * as v from 'valibot'
import type { CsvFormat, CsvValue } from '../../contract/text.ts'
import type { StoredBusiness } from '../domain/businesses.ts'
import { cashierMaker } from './cashiers.ts'
import { customerKeys } from './customers.ts'
import type { Queries } from './database.ts'
import { RewardStore } from './rewards.ts'

/** Rows of one read. */
const PAGE = 1000

const customerRow = v.object({
  key: v.number(),
  id: v.string(),
  name: v.string(),
  phone: v.string(),
  email: v.nullable(v.string()),
  balance: v.number(),
  lifetimePoints: v.number(),
  createdAt: v.string()
})

const entryRow = v.object({
  key: v.number(),
  at: v.string(),
  kind: v.string(),
  points: v.number(),
  lifetimePoints: v.number(),
  by: v.string(),
  code: v.nullable(v.string()),
  reward: v.nullable(v.string()),
  reason: v.nullable(v.string()),
  reference: v.nullable(v.string()),
  cashier: v.nullable(v.number()),
  customer: v.string(),
  name: v.string()
})

/** Returns how moments (ISO 8601) are written, which spreadsheets read in every language. */
const localTime = ({ timeZone }: StoredBusiness): ((at: string) => string) => {
  const format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone })
  return (at) => format.format(new Date(at))
}

export class ExportStore {
  readonly #queries: Queries
  readonly #business: StoredBusiness
  readonly #format: CsvFormat
  readonly #time: (at: string) => string

  constructor(queries: Queries, business: StoredBusiness, format: CsvFormat) {
    this.#queries = queries
    this.#business = business
    this.#format = format
    this.#time = localTime(business)
  }

  /** The customers, in the order of registration. An import of the file, in this shop or another, knows its columns. */
  async *customers(): AsyncGenerator<string> {
    yield this.#header('name', 'phone', 'email', 'balance', 'lifetimePoints', 'joined', 'id')
    const [first, last] = customerKeys(this.#business.key)
    for (let after = first - 1; ;) {
      const rows = await this.#queries.read(
        `SELECT customer AS key, id, name, phone, email, balance, lifetime_points AS "lifetimePoints",
           created_at AS "createdAt"
         FROM customers WHERE customer > $1 AND customer <= $2 AND erased_at IS NULL AND merged_into IS NULL
         ORDER BY customer LIMIT ${String(PAGE)}`,
        [after, last]
      )
      const customers = rows.map((row) => v.parse(customerRow, row))
      yield* this.#records(customers, ({ name, phone, email, balance, lifetimePoints, createdAt, id }) => [
        ...[name, phone, email, balance, lifetimePoints],
        ...[this.#time(createdAt), id]
      ])
      const end = customers.at(-1)
      if (end === undefined || customers.length < PAGE) return
      after = end.key
      await setImmediate()
    }
  }

  /** The rewards, in their order. An import of the file knows its columns. */
  async *rewards(): AsyncGenerator<string> {
    yield this.#header('name', 'points', 'enabled', 'id')
    yield* this.#records(
      await new RewardStore(this.#queries).all(this.#business.key),
      ({ name, cost, isEnable, id }) => [name, cost, isEnable ? 1 : 0, id]
    )
  }

  /** The entries, the oldest first. @param makers names of staff, tills and cashiers by id */
  async *entries(makers: ReadonlyMap<string, string>): AsyncGenerator<string> {
    yield this.#header(
      ...['time', 'customer', 'name', 'kind', 'points', 'lifetimePoints', 'code', 'reward', 'reason', 'by'],
      ...['reference', 'cashier']
    )
    let [at, key] = ['', 0]
    for (;;) {
      const rows = await this.#queries.read(
        `SELECT entries.entry AS key, entries.at AS at, entries.kind AS kind, entries.points AS points,
           entries.lifetime_points AS "lifetimePoints", entries.made_by AS "by", entries.code AS code,
           rewards.name AS reward, entries.reason AS reason, entries.reference AS reference,
           entries.cashier AS cashier, kept.id AS customer, kept.name AS name
         FROM entries JOIN customers AS named ON named.customer = entries.customer
           JOIN customers AS kept ON kept.customer = coalesce(named.merged_into, named.customer)
           LEFT JOIN rewards ON rewards.id = entries.reward
         WHERE entries.business = $1 AND (entries.at, entries.entry) > ($2, $3)
         ORDER BY entries.at, entries.entry LIMIT ${String(PAGE)}`,
        [this.#business.key, at, key]
      )
      const entries = rows.map((row) => v.parse(entryRow, row))
      yield* this.#records(entries, (entry) => {
        const { customer, name, kind, points, lifetimePoints, code, reward, reason, by, reference } = entry
        const who = makers.get(by.replace(/^(?:staff|till):/, '')) ?? by
        return [
          this.#time(entry.at),
          ...[customer, name, kind, points, lifetimePoints, code, reward, reason, who],
          ...[reference, makers.get(cashierMaker(entry.cashier)) ?? null]
        ]
      })
      const end = entries.at(-1)
      if (end === undefined || entries.length < PAGE) return
      ;[at, key] = [end.at, end.key]
      await setImmediate()
    }
  }

  #header(...columns: readonly string[]): string {
    return this.#format.start + this.#format.record(columns)
  }

  *#records<Row>(rows: readonly Row[], valuesOf: (row: Row) => readonly CsvValue[]): Generator<string> {
    if (rows.length > 0) yield rows.map((row) => this.#format.record(valuesOf(row))).join('')
  }
}
