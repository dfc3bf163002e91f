import * as v from 'valibot'
import { expect, it } from 'vitest'
import {
  unusualActivity,
  type UnusualActivity
} from '../../../../electron/service/domain/unusual-activity.ts'
import type { Queries } from '../../../../electron/service/store/database.ts'
import { ActivityStore } from '../../../../electron/service/store/activity.ts'
import { dateOf, simulateShop, THEFTS, weekOf, type SimulatedShop } from '../../../support/simulated-shop.ts'
import { openShop, Shop } from './shop.ts'

/** Hours of the shop are half an hour beside those of UTC. */
const TIME_ZONE = 'Asia/Kolkata'
const OFFSET_MS = 5.5 * 3_600_000
/** Customers of the simulation by their keys. */
const FIRST_CUSTOMER = 1_000
const ROWS = 200
const MADE_AT = '2026-08-01T08:00:00.000Z'

const cashierRow = v.object({ cashier: v.number() })

const insert = async (
  queries: Queries,
  into: string,
  rows: readonly (readonly (string | number | null)[])[]
): Promise<void> => {
  for (let from = 0; from < rows.length; from += ROWS) {
    const some = rows.slice(from, from + ROWS)
    const width = some[0]?.length ?? 0
    const places = some.map(
      (_, row) =>
        `(${Array.from({ length: width }, (_value, column) => `$${row * width + column + 1}`).join(', ')})`
    )
    await queries.write(`INSERT INTO ${into} VALUES ${places.join(', ')}`, some.flat())
  }
}

/** Writes a simulation into the store. Returns the keys of its cashiers. */
const write = async ({ database, business }: Shop, { events }: SimulatedShop): Promise<readonly number[]> =>
  database.transaction(async (queries) => {
    const at = ({ day, hour }: (typeof events)[number], index: number): string =>
      new Date(
        Date.parse(`${dateOf(day)}T00:00Z`) + hour * 3_600_000 + (index % 3_600) * 1_000 - OFFSET_MS
      ).toISOString()
    const tills = [...new Set(events.map(({ till }) => till))]
    await insert(
      queries,
      'tokens (id, business, hash, name, created_at)',
      tills.map((till) => [String(till), business, `hash ${till}`, `Till ${till}`, MADE_AT])
    )
    const cashiers: number[] = []
    for (let number = 0; number <= Math.max(...events.map(({ cashier }) => cashier)); number += 1) {
      const [row] = await queries.write(
        'INSERT INTO cashiers (business, number, name) VALUES ($1, $2, $3) RETURNING cashier',
        [business, number + 1, `Cashier ${number}`]
      )
      cashiers.push(v.parse(cashierRow, row).cashier)
    }
    const customers = [...new Set(events.map(({ customer }) => customer))].filter(
      (customer) => customer !== null
    )
    await insert(
      queries,
      'customers (customer, business, id, name, search_text, created_at)',
      customers.map((customer) => [
        FIRST_CUSTOMER + customer,
        business,
        `cus_${customer}`,
        `Customer ${customer}`,
        '',
        MADE_AT
      ])
    )
    const codes = events.flatMap((event, index) => {
      const made = at(event, index)
      return event.kind === 'issued'
        ? [
            [
              `code ${index}`,
              business,
              event.points,
              0,
              made,
              made,
              made,
              String(event.till),
              cashiers[event.cashier] ?? null
            ]
          ]
        : []
    })
    await insert(
      queries,
      'codes (code, business, points, image, created_at, updated_at, expires_at, till, cashier)',
      codes
    )
    const entries = events.flatMap((event, index) => {
      if (event.customer === null) return []
      const isCollected = event.kind === 'issued'
      const by = isCollected ? 'customer' : `till:${event.till}`
      const kind = isCollected ? 'collected' : event.kind === 'undone' ? 'reversed' : event.kind
      const cashier = isCollected ? null : (cashiers[event.cashier] ?? null)
      const code = isCollected ? `code ${index}` : null
      return [
        [
          `entry ${index}`,
          business,
          FIRST_CUSTOMER + event.customer,
          kind,
          event.points,
          0,
          at(event, index),
          by,
          code,
          cashier
        ]
      ]
    })
    await insert(
      queries,
      'entries (id, business, customer, kind, points, lifetime_points, at, made_by, code, cashier)',
      entries
    )
    return cashiers
  })

const sorted = (found: readonly UnusualActivity[]): readonly string[] =>
  found.map((each) => JSON.stringify(each)).toSorted()

it.each(THEFTS)('finds in the rows of a shop what its sales show: %s', async (theft) => {
  const shop = await openShop()
  const simulated = simulateShop(3, 42, theft, 35)
  const cashiers = await write(shop, simulated)
  // Another shop's sales are not looked at.
  const other = await Shop.addTo(shop.database)
  await other.credit(await other.register('+306940000001'), 100)
  const asStored = (text: string): string =>
    text.startsWith('cashier:') ? `cashier:${String(cashiers[Number(text.slice(8))])}` : text
  // What needs a manager is what a thief stays below.
  const limits = { creditLimit: null, creditApprovalLimit: simulated.creditLimit }
  const business = { key: shop.business, timeZone: TIME_ZONE, ...limits }
  for (const day of [38, 41]) {
    const now = new Date(Date.parse(`${dateOf(day)}T23:59Z`) - OFFSET_MS)
    const expected = unusualActivity(weekOf(simulated, day)).map((found) => ({
      ...found,
      maker: asStored(found.maker),
      ...('customer' in found ? { customer: found.customer + FIRST_CUSTOMER } : {}),
      ...('customers' in found
        ? { customers: found.customers.map((customer) => customer + FIRST_CUSTOMER) }
        : {})
    }))
    expect(sorted(await new ActivityStore(shop.database).unusual(business, now))).toEqual(sorted(expected))
    if (day === 41) expect(expected).not.toEqual([])
  }
})
