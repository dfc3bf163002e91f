/** The owner's preview: many bills as a plain calculation with fractions has them, in parts, and no more than it says. */
import { expect, it } from 'vitest'
import { FIRST_RULES, type EarningRules } from '../../../../electron/contract/earning-rules.ts'
import type { BillAmounts } from '../../../../electron/contract/points-calculation.ts'
import { MAX_PREVIEWED, RulesPreviewer } from '../../../../electron/service/store/rules-preview.ts'
import { RulesStore } from '../../../../electron/service/store/rules.ts'
import { seededRandom } from '../../../support/seeded-random.ts'
import { FULL } from '../../../support/size.ts'
import { plainPoints, randomCases } from '../../contract/plain-calculation.ts'
import { openShop, type Shop } from './shop.ts'

const NOW = new Date('2026-11-21T10:00:00.000Z')
const MONTH_MS = 30 * 24 * 60 * 60_000

/** A purchase that a till has sent. */
interface Sent {
  readonly at: string
  readonly points: number
  readonly rules: number | null
  readonly bill: BillAmounts | null
}

/** Adds rows, as many tills would in a month, faster than one by one. */
const addRows = async (
  { database }: Shop,
  into: string,
  rows: readonly (readonly (string | number | null)[])[]
): Promise<void> => {
  for (let from = 0; from < rows.length; from += 500) {
    const part = rows.slice(from, from + 500)
    let place = 0
    const lines = part.map((row) => `(${row.map(() => `$${String((place += 1))}`).join(', ')})`)
    await database.write(`INSERT INTO ${into} VALUES ${lines.join(', ')}`, part.flat())
  }
}

const textOf = (bill: BillAmounts | null): string | null => (bill === null ? null : JSON.stringify(bill))

const addCodes = (shop: Shop, sent: readonly Sent[], prefix: string, cancelledAt: string | null = null) =>
  addRows(
    shop,
    'codes (business, code, image, created_at, updated_at, expires_at, cancelled_at, points, rules, bill)',
    sent.map(({ at, points, rules, bill }, index) => [
      ...[shop.business, `${prefix}${String(index)}`, 0, at, at, at, cancelledAt],
      ...[points, rules, textOf(bill)]
    ])
  )

const addEntries = async (shop: Shop, sent: readonly Sent[], prefix: string, kind = 'credited') => {
  const rows = await shop.database.read('SELECT customer FROM customers WHERE business = $1', [shop.business])
  const { customer } = rows[0] as { readonly customer: number }
  await addRows(
    shop,
    'entries (business, customer, id, kind, at, made_by, points, lifetime_points, rules, bill)',
    sent.map(({ at, points, rules, bill }, index) => [
      ...[shop.business, customer, `${prefix}${String(index)}`, kind, at, 'till:till_1'],
      ...[points, points, rules, textOf(bill)]
    ])
  )
}

const previewOf = (shop: Shop, rules: EarningRules, timeZone = 'Europe/Athens') =>
  new RulesPreviewer(shop.database).preview(shop.business, { version: 0, timeZone, rules }, NOW)

it('calculates 100,000 random bills as fractions do, and counts what it cannot calculate', async () => {
  const shop = await openShop()
  await shop.register('+306901234567')
  const random = seededRandom(20_261_129)
  const cases = randomCases(random)
  const sent = Array.from({ length: 2 * MAX_PREVIEWED }, (): Sent => ({
    at: new Date(NOW.getTime() - 1 - Math.floor(random() * MONTH_MS)).toISOString(),
    points: Math.floor(random() * 300),
    rules: null,
    bill: random() < 0.02 ? null : cases.bill()
  }))
  await addCodes(shop, sent.slice(0, MAX_PREVIEWED), 'C')
  await addEntries(shop, sent.slice(MAX_PREVIEWED), 'ent_')
  for (let set = 0; set < (FULL ? 3 : 1); set += 1) {
    const [rules, timeZone] = [cases.rules(), cases.timeZone()]
    const expected = { bills: 0, earned: 0, wouldEarn: 0, without: 0, isCut: false, open: 0 }
    for (const { bill, at, points } of sent) {
      const plain = bill === null ? null : plainPoints(bill, rules, timeZone, new Date(at))
      if (plain === null) expected.without += 1
      else {
        expected.bills += 1
        expected.earned += points
        expected.wouldEarn += plain
      }
    }
    expect(await previewOf(shop, rules, timeZone)).toEqual(expected)
  }
  // One more slip and one more credit, the oldest of all.
  const oldest = { at: new Date(NOW.getTime() - MONTH_MS).toISOString(), points: 1, rules: null, bill: null }
  const before = await previewOf(shop, FIRST_RULES)
  await addCodes(shop, [oldest], 'D')
  expect(await previewOf(shop, FIRST_RULES)).toEqual({ ...before, isCut: true })
})

it('takes bills of the last 30 days, in the currency of the rules, that were not undone', async () => {
  const shop = await openShop()
  const customer = await shop.register('+306901234567')
  const at = NOW.toISOString()
  const store = new RulesStore(shop.database)
  for (const [index, currency] of ['BGN', 'EUR'].entries()) {
    const rules = { ...FIRST_RULES, currency }
    await store.save(shop.business, { rules, request: String(index), at, by: 'test' })
  }
  const bill = { amount: '10' }
  const first = new Date(NOW.getTime() - MONTH_MS).toISOString()
  const tooOld = new Date(NOW.getTime() - MONTH_MS - 1).toISOString()
  const counted: readonly Sent[] = [
    { at: first, points: 1, rules: null, bill },
    { at, points: 2, rules: 2, bill },
    // A version of another service, before a backup was restored.
    { at, points: 4, rules: 99, bill }
  ]
  const uncounted: readonly Sent[] = [
    { at, points: 8, rules: 1, bill },
    { at, points: 16, rules: 2, bill: null }
  ]
  await addCodes(shop, [...counted, ...uncounted, { at: tooOld, points: 32, rules: 2, bill }], 'C')
  await addEntries(shop, [...counted, ...uncounted, { at: tooOld, points: 32, rules: 2, bill }], 'ent_')
  await addCodes(shop, [{ at, points: 64, rules: 2, bill }], 'X', at)
  await addEntries(shop, [{ at, points: 64, rules: 2, bill }], 'adj_', 'adjusted')
  shop.by = 'till:till_1'
  const { entry } = await shop.credit(customer, 128)
  await shop.reverse(customer, entry.id)
  await shop.adjust(customer, 77)
  // A return leaves what a slip had given; a debt is no point that a customer has.
  const returned = await shop.issue(5)
  await shop.database.write(
    'UPDATE codes SET points = 3, returned_points = 2, bill = $2, created_at = $3 WHERE code = $1',
    [returned, textOf(bill), at]
  )
  const other = await shop.register('+306907654321')
  await shop.database.write('UPDATE customers SET balance = -5 WHERE id = $1', [other])
  expect(await previewOf(shop, { ...FIRST_RULES, pointsPerUnit: '3' })).toEqual({
    ...{ bills: 7, earned: 2 * (1 + 2 + 4) + 5, wouldEarn: 7 * 30, without: 4 },
    ...{ isCut: false, open: 77 }
  })
})

it('adds up the points of more customers than are read at a time', async () => {
  const shop = await openShop()
  await shop.register('+306901234567')
  const key = (await shop.database.read('SELECT max(customer) AS key FROM customers')) as { key: number }[]
  await addRows(
    shop,
    'customers (customer, business, id, name, search_text, balance, lifetime_points, created_at)',
    Array.from({ length: 10_001 }, (_, index) => [
      ...[(key[0]?.key ?? 0) + 1 + index, shop.business, `cus_${String(index)}`, '', ''],
      ...[index, index, NOW.toISOString()]
    ])
  )
  expect(await previewOf(shop, FIRST_RULES)).toMatchObject({ bills: 0, open: (10_000 * 10_001) / 2 })
})
