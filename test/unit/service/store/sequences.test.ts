/** Random sequences of all that changes points and customers, backups and their restores too, with every invariant after each step. */
import { randomInt } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, inject, it, onTestFinished } from 'vitest'
import { Refusal } from '../../../../electron/service/domain/refusal.ts'
import { CodeStore } from '../../../../electron/service/store/codes.ts'
import { parseExpiry } from '../../../../electron/service/domain/last-days.ts'
import { CustomerStore } from '../../../../electron/service/store/customers.ts'
import { lotsOf } from '../../../../electron/service/store/lots.ts'
import { verifyLedger } from '../../../../electron/service/store/verify.ts'
import { FULL } from '../../../support/size.ts'
import {
  bring,
  expireBefore,
  giveBackTo,
  join,
  newPool,
  openLots,
  takeFrom,
  visitOn,
  type ModelLot,
  type ModelPool,
  type ModelTaken
} from './lot-model.ts'
import { createSequenceDatabase, type SequenceDatabase } from './sequence-database.ts'
import { Shop } from './shop.ts'

/** Random; `FUZZ_SEED=…` repeats a run that failed. */
const SEED = Number(process.env['FUZZ_SEED'] ?? randomInt(2 ** 31))

/** For a run that hangs: `TILLPOINTS_SEQUENCES` may ask for many. */
const TIMEOUT_MS = 60 * 60_000
const DAY_MS = 86_400_000
const REWARD_COST = 40
const CUSTOMERS = 5
/** Sequences on PostgreSQL, where each takes longer. */
const ON_POSTGRES = FULL ? 40 : 10
/** On PostgreSQL the invariants are looked at after so many steps and at the end: what is wrong in a ledger stays wrong. */
const REMOTE_STEPS = 8

/** What the sums have to be: a second implementation, in memory and without a ledger. */
class Model {
  /** by the place of the customer; those that were merged share an object; null after an erasure */
  customers: (Sums | null)[] = []
  codes: {
    points: number
    issuedAt: number
    state: 'active' | 'cancelled' | number
    purchase: Purchase
  }[] = []
  /** entries that can be named: whose, what they changed, and of which purchase they are */
  entries: (Change & {
    owner: Sums
    purchase: Purchase | null
    isCredit: boolean
    lot: ModelLot | null
    taken: ModelTaken
  })[] = []
  /** when points end that are given now */
  rule: string | null = null
  /** UTC day of the last daily run */
  lastRun: string | null = null
  now = Date.parse('2026-11-21T10:00:00.000Z')
  #backup: Pick<Model, 'customers' | 'codes' | 'entries' | 'rule' | 'lastRun'> | null = null

  get today(): string {
    return new Date(this.now).toISOString().slice(0, 10)
  }

  get hasBackup(): boolean {
    return this.#backup !== null
  }

  backUp(): void {
    const { customers, codes, entries, rule, lastRun } = this
    this.#backup = structuredClone({ customers, codes, entries, rule, lastRun })
  }

  /** @param keepsEnded whether who was erased and what was cancelled since stays so */
  restore(keepsEnded: boolean): void {
    const ended = { customers: this.customers, codes: this.codes }
    Object.assign(this, structuredClone(this.#backup))
    if (!keepsEnded) return
    for (const [index, code] of this.codes.entries()) {
      if (code.state === 'active' && ended.codes[index]?.state === 'cancelled') code.state = 'cancelled'
    }
    for (const [index, sums] of this.customers.entries()) {
      if (sums !== null && ended.customers[index] === null) this.erase(sums)
    }
  }

  /** Erases a customer, and those who were merged into it. */
  erase(erased: Sums | null): void {
    this.customers = this.customers.map((sums) => (sums === erased ? null : sums))
  }
}

interface Sums {
  balance: number
  lifetime: number
  pool: ModelPool
}

interface Change {
  points: number
  lifetime: number
  reversible: boolean
}

/** What was given, and what went back of it: by points, and tenths of the goods. */
interface Purchase {
  readonly given: number
  returned: number
  points: number
  tenths: number
  /** of what was given, when it was */
  lot: ModelLot | null
}
const purchaseOf = (given: number): Purchase => ({
  ...{ given, returned: 0, points: 0, tenths: 0 },
  lot: null
})

/** The store, and the ids of what the model knows by its place. */
class World {
  shop: Shop
  reward = ''
  readonly customers: string[] = []
  readonly codes: string[] = []
  readonly entries: string[] = []
  /** that were asked, also before a backup was restored */
  returns = 0
  registrations = 0
  steps = 0
  readonly stored: SequenceDatabase

  constructor(stored: SequenceDatabase, shop: Shop) {
    this.stored = stored
    this.shop = shop
  }

  async restart(whileClosed: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    await this.shop.database.close()
    await whileClosed()
    const { business, now } = this.shop
    this.shop = new Shop(await this.stored.open(), business)
    this.shop.now = now
  }

  async verify({ customers }: Model): Promise<void> {
    expect(await verifyLedger(this.shop.database)).toEqual([])
    for (const [place, sums] of customers.entries()) {
      const stored = await this.shop.customer(this.customers[place] ?? '')
      const expected = sums && { balance: sums.balance, lifetime: sums.lifetime }
      expect(stored && { balance: stored.balance, lifetime: stored.lifetimePoints }).toEqual(expected)
      if (sums === null) continue
      const { database, business } = this.shop
      const key = await new CustomerStore(database).findKey(business, 'id', this.customers[place] ?? '')
      const lots = await lotsOf(database, key ?? 0)
      const open = lots.all.filter(({ left }) => left > 0)
      expect(open.map(({ left, lastDay }) => [left, lastDay]).toSorted()).toEqual(
        openLots(sums.pool).toSorted()
      )
      expect(lots.debt).toBe(sums.pool.debt)
    }
  }
}

type Step = fc.AsyncCommand<Model, World>

/** A step that is described by its text, and runs whatever came before. */
const step = (text: string, run: (model: Model, world: World) => Promise<void>): Step => ({
  check: () => true,
  toString: () => text,
  async run(model, world) {
    await run(model, world)
    world.steps += 1
    if (!world.stored.isRemote || world.steps % REMOTE_STEPS === 0) await world.verify(model)
  }
})

/** The reason of a refusal; null for a call that was done. */
const refusal = async (call: Promise<unknown>): Promise<string | null> => {
  try {
    await call
    return null
  } catch (error) {
    if (error instanceof Refusal) return error.reason
    throw error
  }
}

/** Adds a change to the model, unless the sums would be impossible. Returns the reason, or null. */
const change = (sums: Sums, points: number, lifetime: number): string | null => {
  if (points < 0 && sums.balance + points < 0) return 'points-too-few'
  sums.balance += points
  sums.lifetime += lifetime
  return null
}

/** Runs a call that appends an entry, and compares its outcome with the model's. */
const append = async (
  { model, world, sums }: { model: Model; world: World; sums: Sums },
  entry: Change & { purchase?: Purchase; isVisit?: boolean; reversed?: Model['entries'][number] },
  call: Promise<{ readonly entry: { readonly id: string } }>
): Promise<boolean> => {
  const expected = change(sums, entry.points, entry.lifetime)
  expect(await refusal(call)).toBe(expected)
  if (expected !== null) return false
  const { points, lifetime, reversible, purchase = null, isVisit = false, reversed } = entry
  const { pool } = sums
  const { rule, today } = model
  if (isVisit) visitOn(pool, today)
  const taken = points < 0 ? takeFrom(pool, -points, { first: reversed?.lot ?? null }) : []
  if (points > 0 && reversed !== undefined) giveBackTo(pool, reversed.taken, rule, today)
  const lot = points > 0 && reversed === undefined ? bring(pool, points, rule, today) : null
  if (purchase !== null) purchase.lot = lot
  const isCredit = purchase !== null
  model.entries.push({ owner: sums, points, lifetime, reversible, purchase, isCredit, lot, taken })
  world.entries.push((await call).entry.id)
  return true
}

const place = fc.nat(CUSTOMERS - 1)
/** A place in a list that grows: the list's length is the modulus. */
const anyPlace = fc.nat(1000)

const registerNext = async (model: Model, world: World): Promise<void> => {
  if (model.customers.length >= CUSTOMERS) return
  model.customers.push({ balance: 0, lifetime: 0, pool: newPool() })
  world.registrations += 1
  world.customers.push(await world.shop.register(`+30${6940000000 + world.registrations}`))
}

const register = place.map((index) => step(`register ${index}`, registerNext))

const issue = fc.integer({ min: 1, max: 100 }).map((points) =>
  step(`issue ${points}`, async (model, world) => {
    model.codes.push({ points, issuedAt: model.now, state: 'active', purchase: purchaseOf(points) })
    world.codes.push(await world.shop.issue(points))
  })
)

const collect = fc.tuple(place, anyPlace, fc.boolean()).map(([customer, code, isRepeated]) =>
  step(`collect code ${code} by ${customer}${isRepeated ? ' twice' : ''}`, async (model, world) => {
    const index = code % Math.max(1, model.codes.length)
    const [known, id] = [model.codes[index], world.codes[index]]
    const by = world.customers[customer]
    if (known === undefined || id === undefined || by === undefined) return
    const sums = model.customers[customer] ?? null
    const call = world.shop.collect(by, id)
    const again = isRepeated ? world.shop.collect(by, id) : null
    const [outcome, repeated] = await Promise.all([refusal(call), again && refusal(again)])
    if (again !== null) expect(repeated).toBe(outcome)
    if (sums === null) {
      expect(outcome).toBe('customer-unknown')
      return
    }
    if (typeof known.state === 'number') {
      const collected = model.entries[known.state]
      expect(outcome).toBe(collected?.owner === sums ? null : 'code-used')
      return
    }
    if (known.state === 'cancelled') {
      expect(outcome).toBe('code-cancelled')
      return
    }
    if (known.issuedAt + 90 * DAY_MS <= model.now) {
      expect(outcome).toBe('code-expired')
      return
    }
    expect(outcome).toBeNull()
    const { entry } = await call
    if (again !== null) expect((await again).entry.id).toBe(entry.id)
    known.state = model.entries.length
    change(sums, known.points, known.points)
    const { points, purchase } = known
    visitOn(sums.pool, model.today)
    const lot = (purchase.lot = bring(sums.pool, points, model.rule, model.today))
    const given = { points, lifetime: points, reversible: true, lot, taken: [] }
    model.entries.push({ owner: sums, ...given, purchase, isCredit: false })
    world.entries.push(entry.id)
  })
)

const cancel = anyPlace.map((code) =>
  step(`cancel code ${code}`, async (model, world) => {
    const index = code % Math.max(1, model.codes.length)
    const known = model.codes[index]
    if (known === undefined) return
    const { database, business, now } = world.shop
    const isCancelled = await new CodeStore(database).cancel(
      business,
      world.codes[index] ?? '',
      now.toISOString()
    )
    expect(isCancelled).toBe(typeof known.state !== 'number')
    if (isCancelled) known.state = 'cancelled'
  })
)

const redeem = place.map((customer) =>
  step(`redeem by ${customer}`, async (model, world) => {
    const sums = model.customers[customer]
    if (sums === undefined || sums === null) return
    const entry = { points: -REWARD_COST, lifetime: 0, reversible: true, isVisit: true }
    await append(
      { model, world, sums },
      entry,
      world.shop.redeem(world.customers[customer] ?? '', world.reward)
    )
  })
)

const adjust = fc.tuple(place, fc.integer({ min: -60, max: 60 })).map(([customer, points]) =>
  step(`adjust ${customer} by ${points}`, async (model, world) => {
    const sums = model.customers[customer]
    if (sums === undefined || sums === null || points === 0) return
    const entry = { points, lifetime: points, reversible: true }
    await append({ model, world, sums }, entry, world.shop.adjust(world.customers[customer] ?? '', points))
  })
)

const creditTo = async (model: Model, world: World, customer: number, points: number): Promise<void> => {
  const sums = model.customers[customer]
  if (sums === undefined || sums === null) return
  const sale = { purchase: purchaseOf(points), isVisit: true }
  const entry = { points, lifetime: points, reversible: true, ...sale }
  await append({ model, world, sums }, entry, world.shop.credit(world.customers[customer] ?? '', points))
}

const credit = fc
  .tuple(place, fc.integer({ min: 1, max: 60 }))
  .map(([customer, points]) =>
    step(`credit ${points} to ${customer}`, (model, world) => creditTo(model, world, customer, points))
  )

const reverse = anyPlace.map((place) =>
  step(`reverse entry ${place}`, async (model, world) => {
    const index = place % Math.max(1, model.entries.length)
    const reversed = model.entries[index]
    const customer = model.customers.findIndex((sums) => sums !== null && sums === reversed?.owner)
    if (reversed?.reversible !== true || customer < 0) return
    const entry = { points: -reversed.points, lifetime: -reversed.lifetime, reversible: false, reversed }
    const call = world.shop.reverse(world.customers[customer] ?? '', world.entries[index] ?? '')
    if (reversed.lot !== null && reversed.lot.expired !== null) {
      expect(await refusal(call)).toBe('points-expired')
      return
    }
    if ((reversed.purchase?.returned ?? 0) > 0) {
      expect(await refusal(call)).toBe('purchase-returned')
      return
    }
    const isDone = await append({ model, world, sums: reversed.owner }, entry, call)
    if (isDone) reversed.reversible = false
  })
)

const PART_KINDS = ['points', 'tenths', 'rest'] as const
type PartKind = (typeof PART_KINDS)[number]

/** What a return takes: the refusal, or the points that went back then. */
const returnOf = (purchase: Purchase, size: number, of: PartKind): string | number => {
  const { given, returned, points, tenths } = purchase
  const remaining = given - returned - (purchase.lot?.expired ?? 0)
  if (remaining <= 0) return 'purchase-returned'
  if (of === 'rest') {
    purchase.returned += remaining
    return remaining
  }
  const isAmount = of === 'tenths'
  const all = isAmount ? (tenths + size) * given + points * 10 : 0
  if (isAmount ? all > 10 * given : size > remaining) return 'return-too-much'
  if (isAmount) purchase.tenths += size
  else purchase.points += size
  const went = isAmount ? Math.min(Math.floor(all / 10) - returned, remaining) : size
  purchase.returned += went
  return went
}

const giveBack = fc
  .tuple(anyPlace, fc.integer({ min: 1, max: 10 }), fc.constantFrom(...PART_KINDS), fc.boolean())
  .map(([place, size, of, isRepeated]) =>
    step(
      `return ${of === 'rest' ? of : `${size} ${of}`} of ${place}${isRepeated ? ' twice' : ''}`,
      async (model, world) => {
        const purchases = [
          ...model.codes.map((code, index) => ({ by: 'code' as const, code, name: world.codes[index] })),
          ...model.entries.flatMap((entry, index) =>
            entry.isCredit ? [{ by: 'credit' as const, entry, name: world.entries[index] }] : []
          )
        ]
        const chosen = purchases[place % Math.max(1, purchases.length)]
        if (chosen?.name === undefined) return
        const key = `return-${String((world.returns += 1))}`
        const parts = {
          points: { points: size },
          tenths: { amount: { returned: (size / 10).toFixed(2), total: '1' } },
          rest: { rest: true }
        } as const
        const part = parts[of]
        const take = () => world.shop.giveBack({ by: chosen.by, name: chosen.name ?? '' }, part, key)
        const calls = [take(), ...(isRepeated ? [take()] : [])]
        const outcomes = await Promise.all(calls.map(refusal))
        expect(new Set(outcomes).size).toBe(1)
        const [outcome = null] = outcomes
        const code = 'code' in chosen ? chosen.code : null
        const entry =
          code === null ? ('entry' in chosen ? chosen.entry : undefined) : model.entries[Number(code.state)]
        const purchase = code?.purchase ?? entry?.purchase ?? purchaseOf(0)
        if (code?.state === 'cancelled' && purchase.returned < purchase.given) {
          expect(outcome).toBe('code-cancelled')
          return
        }
        if (code?.state === 'active' && code.issuedAt + 90 * DAY_MS <= model.now) {
          expect(outcome).toBe('code-expired')
          return
        }
        if (entry?.reversible === false) {
          expect(outcome).toBe('purchase-returned')
          return
        }
        const expected = returnOf(purchase, size, of)
        expect(outcome).toBe(typeof expected === 'string' ? expected : null)
        if (typeof expected === 'string') return
        const answers = await Promise.all(calls)
        for (const answer of answers)
          expect(answer).toMatchObject({
            points: expected,
            remaining: Math.max(0, purchase.given - purchase.returned - (purchase.lot?.expired ?? 0)),
            ...{ target: chosen.by, purchase: chosen.name, given: purchase.given }
          })
        if (entry !== undefined) {
          entry.owner.balance -= expected
          entry.owner.lifetime -= expected
          takeFrom(entry.owner.pool, expected, { first: purchase.lot, use: 'returned' })
        } else if (code !== null) {
          code.points -= expected
          if (code.points === 0) code.state = 'cancelled'
        }
      }
    )
  )

const merge = fc.tuple(place, place).map(([kept, merged]) =>
  step(`merge ${merged} into ${kept}`, async (model, world) => {
    const [keptId, mergedId] = [world.customers[kept], world.customers[merged]]
    if (keptId === undefined || mergedId === undefined) return
    const [sums, joined] = [model.customers[kept] ?? null, model.customers[merged] ?? null]
    const outcome = await refusal(world.shop.identities.merge(world.shop.business, keptId, mergedId))
    if (sums === null || joined === null) {
      expect(outcome).toBe('customer-unknown')
      return
    }
    if (kept === merged) {
      expect(outcome).toBe('customers-identical')
      return
    }
    expect(outcome).toBeNull()
    if (sums === joined) return
    sums.balance += joined.balance
    sums.lifetime += joined.lifetime
    join(sums.pool, joined.pool)
    for (const entry of model.entries) if (entry.owner === joined) entry.owner = sums
    for (const [index, owner] of model.customers.entries())
      if (owner === joined) model.customers[index] = sums
  })
)

const erase = place.map((customer) =>
  step(`erase ${customer}`, async (model, world) => {
    const sums = model.customers[customer]
    if (sums === undefined) return
    const { identities, business } = world.shop
    const outcome = await refusal(identities.erase(business, world.customers[customer] ?? ''))
    expect(outcome).toBeNull()
    model.erase(sums)
  })
)

const expire = fc.tuple(fc.integer({ min: -3, max: 35 }), fc.nat(2)).map(([days, runs]) =>
  step(`wait ${days} days, and run on ${runs} of the next`, async (model, world) => {
    model.now += days * DAY_MS
    world.shop.now = new Date(model.now)
    for (let run = 0; run < runs; run += 1) {
      model.now += DAY_MS
      world.shop.now = new Date(model.now)
      await world.shop.runDaily()
      const { lastRun, today } = model
      model.lastRun = today
      if (lastRun === null || lastRun === today) continue
      const cut = lastRun < today ? lastRun : today
      for (const sums of new Set(model.customers))
        if (sums !== null) sums.balance -= expireBefore(sums.pool, cut)
    }
  })
)

const setRule = async (model: Model, world: World, rule: string | null): Promise<void> => {
  model.rule = rule
  const expiry = rule === null ? null : parseExpiry(rule)
  await world.shop.saveRules({ expiry: expiry && { ...expiry, onSlips: false } })
}

const changeRule = fc
  .constantFrom(null, 'earned 1', 'earned 2', 'visit 1', 'visit 2')
  .map((rule) => step(`let points end by ${String(rule)}`, (model, world) => setRule(model, world, rule)))

/** Customers with points that end, so that a short sequence meets their end. */
const begin = async (model: Model, world: World): Promise<void> => {
  await world.shop.runDaily()
  model.lastRun = model.today
  for (const [customer, rule] of ['earned 2', 'visit 1', 'earned 1'].entries()) {
    await registerNext(model, world)
    await setRule(model, world, rule)
    await creditTo(model, world, customer % 2, 50)
    await creditTo(model, world, customer % 2, 15)
  }
}

const restart = fc.constant(step('restart', (_model, world) => world.restart()))

const backUp = fc.constant(
  step('back up', async (model, world) => {
    await world.restart(() => world.stored.backUp())
    model.backUp()
  })
)

const restore = fc.constant(
  step('restore', async (model, world) => {
    if (!model.hasBackup) return
    await world.restart(() => world.stored.restore())
    model.restore(world.stored.keepsEnded)
    // What came after the backup has no name any more.
    for (const names of ['customers', 'codes', 'entries'] as const) world[names].length = model[names].length
  })
)

// Erasures are rare, and customers many enough that something is left to do.
const steps = fc.commands(
  [
    register,
    register,
    issue,
    issue,
    collect,
    collect,
    collect,
    cancel,
    redeem,
    credit,
    credit,
    giveBack,
    giveBack,
    giveBack,
    adjust,
    adjust,
    reverse,
    reverse,
    redeem,
    merge,
    erase
  ]
    .map((arbitrary): fc.Arbitrary<Step> => arbitrary)
    .concat([expire, expire, expire, changeRule, changeRule, restart, backUp, restore]),
  { maxCommands: 50, size: '+1' }
)

it('keeps every invariant, whatever the order', { timeout: TIMEOUT_MS }, async () => {
  const numRuns = Number(
    process.env['TILLPOINTS_SEQUENCES'] ?? (inject('postgresUrl') === undefined ? 60 : ON_POSTGRES)
  )
  const stored = await createSequenceDatabase()
  onTestFinished(() => stored.remove())
  await fc.assert(
    fc.asyncProperty(steps, async (commands) => {
      await stored.empty()
      const shop = await Shop.addTo(await stored.open())
      const world = new World(stored, shop)
      const model = new Model()
      try {
        world.reward = await shop.offer(REWARD_COST, 1)
        await begin(model, world)
        await fc.asyncModelRun(() => ({ model, real: world }), commands)
        await world.verify(model)
        const count = (
          await new CustomerStore(world.shop.database).list(shop.business, { limit: 100, offset: 0 })
        ).length
        expect(count).toBeLessThanOrEqual(CUSTOMERS)
      } finally {
        await world.shop.database.close()
      }
    }),
    { numRuns, seed: SEED }
  )
})
