/** Random sequences of all that changes points and customers, with every invariant after each step. */
import * as fc from 'fast-check'
import { expect, inject, it } from 'vitest'
import { Refusal } from '../../../../electron/service/domain/refusal.ts'
import { CodeStore } from '../../../../electron/service/store/codes.ts'
import { CustomerStore } from '../../../../electron/service/store/customers.ts'
import { verifyLedger } from '../../../../electron/service/store/verify.ts'
import { FULL } from '../../../support/size.ts'
import { createEmptyDatabase, Shop, type TestDatabase } from './shop.ts'

const DAY_MS = 86_400_000
const REWARD_COST = 40
const CUSTOMERS = 5
/** Sequences on PostgreSQL, where each takes four times as long. */
const ON_POSTGRES = FULL ? 25 : 6

/** What the sums have to be: a second implementation, in memory and without a ledger. */
class Model {
  /** by the place of the customer; those that were merged share an object; null after an erasure */
  readonly customers: ({ balance: number; lifetime: number } | null)[] = []
  readonly codes: { points: number; issuedAt: number; state: 'active' | 'cancelled' | number }[] = []
  /** entries that can be named: whose, and what they changed */
  readonly entries: { owner: Sums; points: number; lifetime: number; reversible: boolean }[] = []
  now = Date.parse('2026-11-21T10:00:00.000Z')
}
type Sums = NonNullable<Model['customers'][number]>

/** The store, and the ids of what the model knows by its place. */
class World {
  shop: Shop
  reward = ''
  readonly customers: string[] = []
  readonly codes: string[] = []
  readonly entries: string[] = []
  readonly #stored: TestDatabase

  constructor(stored: TestDatabase, shop: Shop) {
    this.#stored = stored
    this.shop = shop
  }

  async restart(): Promise<void> {
    await this.shop.database.close()
    const { business, now } = this.shop
    this.shop = new Shop(await this.#stored.open(), business)
    this.shop.now = now
  }
}

type Step = fc.AsyncCommand<Model, World>

/** A step that is described by its text, and runs whatever came before. */
const step = (text: string, run: (model: Model, world: World) => Promise<void>): Step => ({
  check: () => true,
  toString: () => text,
  async run(model, world) {
    await run(model, world)
    expect(await verifyLedger(world.shop.database)).toEqual([])
    for (const [place, sums] of model.customers.entries()) {
      const stored = await world.shop.customer(world.customers[place] ?? '')
      expect(stored && { balance: stored.balance, lifetime: stored.lifetimePoints }).toEqual(sums)
    }
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
  if (sums.balance + points < 0 || sums.lifetime + lifetime < sums.balance + points) return 'points-too-few'
  sums.balance += points
  sums.lifetime += lifetime
  return null
}

/** Runs a call that appends an entry, and compares its outcome with the model's. */
const append = async (
  { model, world, sums }: { model: Model; world: World; sums: Sums },
  entry: { points: number; lifetime: number; reversible: boolean },
  call: Promise<{ readonly entry: { readonly id: string } }>
): Promise<boolean> => {
  const expected = change(sums, entry.points, entry.lifetime)
  expect(await refusal(call)).toBe(expected)
  if (expected !== null) return false
  model.entries.push({ owner: sums, ...entry })
  world.entries.push((await call).entry.id)
  return true
}

const place = fc.nat(CUSTOMERS - 1)
/** A place in a list that grows: the list's length is the modulus. */
const anyPlace = fc.nat(1000)

const register = place.map((index) =>
  step(`register ${index}`, async (model, world) => {
    if (model.customers.length >= CUSTOMERS) return
    model.customers.push({ balance: 0, lifetime: 0 })
    world.customers.push(await world.shop.register(`+30694000000${world.customers.length}`))
  })
)

const issue = fc.integer({ min: 1, max: 100 }).map((points) =>
  step(`issue ${points}`, async (model, world) => {
    model.codes.push({ points, issuedAt: model.now, state: 'active' })
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
    model.entries.push({ owner: sums, points: known.points, lifetime: known.points, reversible: true })
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
    const entry = { points: -REWARD_COST, lifetime: 0, reversible: true }
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

const credit = fc.tuple(place, fc.integer({ min: 1, max: 60 })).map(([customer, points]) =>
  step(`credit ${points} to ${customer}`, async (model, world) => {
    const sums = model.customers[customer]
    if (sums === undefined || sums === null) return
    const entry = { points, lifetime: points, reversible: true }
    await append({ model, world, sums }, entry, world.shop.credit(world.customers[customer] ?? '', points))
  })
)

const reverse = anyPlace.map((place) =>
  step(`reverse entry ${place}`, async (model, world) => {
    const index = place % Math.max(1, model.entries.length)
    const reversed = model.entries[index]
    const customer = model.customers.findIndex((sums) => sums !== null && sums === reversed?.owner)
    if (reversed?.reversible !== true || customer < 0) return
    const entry = { points: -reversed.points, lifetime: -reversed.lifetime, reversible: false }
    const call = world.shop.reverse(world.customers[customer] ?? '', world.entries[index] ?? '')
    const isDone = await append({ model, world, sums: reversed.owner }, entry, call)
    if (isDone) reversed.reversible = false
  })
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
    for (const [index, owner] of model.customers.entries()) if (owner === sums) model.customers[index] = null
  })
)

const expire = fc.integer({ min: 1, max: 60 }).map((days) =>
  step(`wait ${days} days`, (model, world) => {
    model.now += days * DAY_MS
    world.shop.now = new Date(model.now)
    return Promise.resolve()
  })
)

const restart = fc.constant(step('restart', (_model, world) => world.restart()))

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
    adjust,
    adjust,
    reverse,
    merge,
    erase
  ]
    .map((arbitrary): fc.Arbitrary<Step> => arbitrary)
    .concat([expire, restart]),
  { maxCommands: 40, size: '+1' }
)

it('keeps every invariant, whatever the order', async () => {
  const numRuns = Number(
    process.env['TILLPOINTS_SEQUENCES'] ?? (inject('postgresUrl') === undefined ? 60 : ON_POSTGRES)
  )
  await fc.assert(
    fc.asyncProperty(steps, async (commands) => {
      const stored = await createEmptyDatabase()
      const shop = await Shop.addTo(await stored.open())
      const world = new World(stored, shop)
      try {
        world.reward = await shop.offer(REWARD_COST, 1)
        await fc.asyncModelRun(() => ({ model: new Model(), real: world }), commands)
        const count = (
          await new CustomerStore(world.shop.database).list(shop.business, { limit: 100, offset: 0 })
        ).length
        expect(count).toBeLessThanOrEqual(CUSTOMERS)
      } finally {
        await world.shop.database.close()
        await stored.remove()
      }
    }),
    { numRuns }
  )
})
