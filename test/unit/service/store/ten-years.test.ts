/** Ten years of a shop whose points end: every lot and every customer against a model that knows no ledger. */
import { randomInt } from 'node:crypto'
import { expect, inject, it, onTestFinished } from 'vitest'
import { parseExpiry } from '../../../../electron/service/domain/last-days.ts'
import { Refusal } from '../../../../electron/service/domain/refusal.ts'
import { readLots } from '../../../../electron/service/store/lots.ts'
import { openSqlite } from '../../../../electron/service/store/sqlite.ts'
import { customerKeys } from '../../../../electron/service/store/customers.ts'
import { verifyLedger } from '../../../../electron/service/store/verify.ts'
import { seededRandom } from '../../../support/seeded-random.ts'
import {
  bring,
  endOf,
  expireBefore,
  giveBackTo,
  newPool,
  takeFrom,
  visitOn,
  type ModelLot,
  type ModelPool,
  type ModelTaken
} from './lot-model.ts'
import { openShop, Shop } from './shop.ts'

const SEED = Number(process.env['FUZZ_SEED'] ?? randomInt(2 ** 31))

/** For a test that hangs. */
const TEST_TIMEOUT_MS = 900_000

const DAY_MS = 86_400_000
const FIRST = Date.parse('2027-01-01T10:00:00.000Z')
/** The shop is open every third day: a year has 122 of them. */
const STEP = 3
const YEAR = 122 * STEP
/** On PostgreSQL, where each statement is a message, a part unless `TILLPOINTS_TEN_YEARS` asks for the whole. */
const IS_WHOLE = inject('postgresUrl') === undefined || process.env['TILLPOINTS_TEN_YEARS'] !== undefined
const YEARS = IS_WHOLE ? 10 : 3
const CUSTOMERS = IS_WHOLE ? 2000 : 300
const COST = 20
const CHANGES_OF_DAY = 16

/** When points end, by year; the last one holds on. */
const RULES = [null, 'earned 12', 'visit 6', 'earned 1', 'earned 24', null, 'visit 12', 'earned 6']

/** Days on which a clock is wrong, by so many. */
const WRONG_CLOCKS = new Map([
  [YEAR + 102, 900],
  [YEAR + 201, -50],
  [2 * YEAR + 42, 3650]
])
/** Days on which the service is off. */
const isOff = (day: number): boolean => day >= 2 * YEAR + 100 && day < 2 * YEAR + 131

interface Purchase {
  readonly id: string
  readonly lot: ModelLot
  returned: number
  isReversed: boolean
}

interface Spending {
  readonly id: string
  readonly points: number
  readonly taken: ModelTaken
}

/** Without a disk, which would be what takes the time. */
const openInMemory = async (): Promise<Shop> => {
  const database = await openSqlite(':memory:')
  onTestFinished(() => database.close())
  return Shop.addTo(database)
}

/** A customer, and what the model knows of it. */
class Regular {
  readonly id: string
  readonly pool: ModelPool = newPool()
  readonly purchases: Purchase[] = []
  readonly spendings: Spending[] = []
  /** the last day of the points that end next; empty where it is not known, after a change */
  soonest = ''

  constructor(id: string) {
    this.id = id
  }

  get balance(): number {
    return this.pool.lots.reduce((sum, { left }) => sum + left, 0) - this.pool.debt
  }

  expire(until: string): void {
    if (this.soonest >= until) return
    expireBefore(this.pool, until)
    const ends = this.pool.lots.filter(({ left }) => left > 0).map((lot) => endOf(lot, this.pool))
    this.soonest = ends.toSorted()[0] ?? '9999'
  }
}

class Decade {
  readonly shop: Shop
  readonly reward: string
  readonly customers: readonly Regular[]
  readonly #random = seededRandom(SEED)
  rule: string | null = null
  today = ''
  returns = 0

  constructor(shop: Shop, reward: string, customers: readonly Regular[]) {
    this.shop = shop
    this.reward = reward
    this.customers = customers
  }

  below(count: number): number {
    return Math.floor(this.#random() * count)
  }

  async setRule(rule: string | null): Promise<void> {
    this.rule = rule
    const expiry = rule === null ? null : parseExpiry(rule)
    await this.shop.saveRules({ expiry: expiry && { ...expiry, onSlips: false } })
  }

  /** A random change of a customer. */
  async change(regular: Regular): Promise<void> {
    const { shop, rule, today } = this
    const { id, pool } = regular
    regular.soonest = ''
    const chance = this.below(20)
    if (chance < 9) {
      const points = 1 + this.below(30)
      visitOn(pool, today)
      const lot = bring(pool, points, rule, today)
      const { entry } = await shop.credit(id, points)
      regular.purchases.push({ id: entry.id, lot, returned: 0, isReversed: false })
    } else if (chance < 10) {
      bring(pool, 5, rule, today)
      await shop.adjust(id, 5)
    } else if (chance < 15) await this.#spend(regular)
    else if (chance < 18) await this.#giveBack(regular)
    else await this.#reverse(regular)
  }

  async #spend(regular: Regular): Promise<void> {
    const { id, pool, spendings } = regular
    if (this.below(5) === 0) {
      if (regular.balance < 3) return
      const taken = takeFrom(pool, 3)
      spendings.push({ id: (await this.shop.adjust(id, -3)).entry.id, points: 3, taken })
      return
    }
    const redeemed = this.shop.redeem(id, this.reward)
    if (regular.balance < COST) {
      await expect(redeemed).rejects.toMatchObject({ reason: 'points-too-few' })
      return
    }
    visitOn(pool, this.today)
    const taken = takeFrom(pool, COST)
    spendings.push({ id: (await redeemed).entry.id, points: COST, taken })
  }

  async #giveBack({ pool, purchases }: Regular): Promise<void> {
    const purchase = purchases[this.below(purchases.length)]
    if (purchase === undefined || purchase.isReversed) return
    const { lot, returned } = purchase
    const remaining = lot.brought - returned - (lot.expired ?? 0)
    if (remaining <= 0) return
    const points = 1 + this.below(remaining)
    this.returns += 1
    takeFrom(pool, points, { first: lot, use: 'returned' })
    purchase.returned += points
    const key = `return-${String(this.returns)}`
    const receipt = await this.shop.giveBack({ by: 'credit', name: purchase.id }, { points }, key)
    expect(receipt).toMatchObject({ points, remaining: remaining - points })
  }

  async #reverse(regular: Regular): Promise<void> {
    const { id, pool, spendings, purchases } = regular
    const [spending] = spendings.splice(this.below(spendings.length), 1)
    if (spending !== undefined) {
      const before = regular.balance
      giveBackTo(pool, spending.taken, this.rule, this.today)
      const { balance } = await this.shop.reverse(id, spending.id)
      // Points that are given back are not lost.
      expect(balance).toBe(before + spending.points)
      return
    }
    const purchase = purchases[this.below(purchases.length)]
    if (purchase === undefined || purchase.isReversed || purchase.returned > 0) return
    const reversed = this.shop.reverse(id, purchase.id)
    if (purchase.lot.expired !== null || regular.balance < purchase.lot.brought) {
      const reason = purchase.lot.expired === null ? 'points-too-few' : 'points-expired'
      await expect(reversed).rejects.toEqual(expect.any(Refusal))
      await expect(reversed).rejects.toMatchObject({ reason })
      return
    }
    purchase.isReversed = true
    takeFrom(pool, purchase.lot.brought, { first: purchase.lot, use: 'returned' })
    await reversed
  }

  /** Compares every lot and every customer. */
  async compare(): Promise<void> {
    const { shop, customers } = this
    expect(await verifyLedger(shop.database)).toEqual([])
    const rows = await shop.database.read(`SELECT lot, points FROM entries WHERE kind = 'expired'`)
    const expired = new Map(
      (rows as { lot: string; points: number }[]).map(({ lot, points }) => [lot, -points])
    )
    expect(expired.size).toBe(rows.length)
    const keys = await shop.database.read('SELECT customer, id, balance FROM customers ORDER BY customer')
    const stored = await readLots(shop.database, customerKeys(shop.business))
    const byId = new Map(customers.map((regular) => [regular.id, regular]))
    for (const { customer, id, balance } of keys as { customer: number; id: string; balance: number }[]) {
      const regular = byId.get(id)
      const known = regular?.pool.lots ?? []
      for (const lot of known) {
        expect(lot.brought).toBe(lot.spent + lot.returned + (lot.expired ?? 0) + lot.left)
      }
      expect(balance).toBe(regular?.balance)
      const lots = stored.get(customer)?.lots.all ?? []
      expect(lots.map((lot) => [lot.brought, lot.left, expired.get(lot.id) ?? null])).toEqual(
        known.map((lot) => [lot.brought, lot.left, lot.expired])
      )
    }
  }
}

it(
  `keeps ${String(YEARS)} years of ${String(CUSTOMERS)} customers, seed ${String(SEED)}`,
  async () => {
    const shop = inject('postgresUrl') === undefined ? await openInMemory() : await openShop()
    const reward = await shop.offer(COST, 1)
    shop.now = new Date(FIRST)
    const ids = await Promise.all(
      Array.from({ length: CUSTOMERS }, (_, index) => shop.register(`+30${String(6_940_000_000 + index)}`))
    )
    const decade = new Decade(
      shop,
      reward,
      ids.map((id) => new Regular(id))
    )
    let lastRun = ''
    const run = async (): Promise<void> => {
      const today = shop.now.toISOString().slice(0, 10)
      await shop.runDaily()
      const until = lastRun < today ? lastRun : today
      if (lastRun !== '' && lastRun !== today) for (const regular of decade.customers) regular.expire(until)
      lastRun = today
    }
    for (let day = 0; day < YEARS * YEAR; day += STEP) {
      if (isOff(day)) continue
      shop.now = new Date(FIRST + day * DAY_MS)
      decade.today = shop.now.toISOString().slice(0, 10)
      if (day % YEAR === 0) await decade.setRule(RULES[day / YEAR] ?? decade.rule)
      const wrong = WRONG_CLOCKS.get(day)
      if (wrong !== undefined) {
        shop.now = new Date(FIRST + (day + wrong) * DAY_MS)
        await run()
        // What has ended by the right clock, and nothing else.
        await decade.compare()
        shop.now = new Date(FIRST + day * DAY_MS)
      }
      await run()
      const chosen = new Set(Array.from({ length: CHANGES_OF_DAY }, () => decade.below(CUSTOMERS)))
      await Promise.all(
        Array.from(chosen, (index) => decade.change(decade.customers[index] ?? new Regular('')))
      )
      if (day % YEAR === YEAR - STEP) await decade.compare()
    }
    const [row] = await shop.database.read(
      `SELECT CAST(count(*) AS BIGINT) AS count FROM entries WHERE kind = 'expired'`
    )
    expect((row as { count: number }).count).toBeGreaterThan(CUSTOMERS / 10)
  },
  TEST_TIMEOUT_MS
)
