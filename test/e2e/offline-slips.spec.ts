/** A till at the project's own service whose line is cut: its slip is collected before the till is back. */
import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { FIRST_RULES, type EarningRules } from '../../electron/contract/earning-rules.ts'
import { dataFile } from '../../electron/service/cli/place.ts'
import { RulesStore } from '../../electron/service/store/rules.ts'
import { openSqlite } from '../../electron/service/store/sqlite.ts'
import { openFaultyNetwork, type FaultyNetwork } from '../support/faulty-network.ts'
import { readSlip } from '../support/read-slip.ts'
import { changeSettings, slipsOf, stateOf } from './support/bridge.ts'
import { collect } from './support/collect.ts'
import { expect, test as base, type Counter } from './support/fixtures.ts'
import { ShopService } from './support/shop-service.ts'
import { shown } from './support/shown.ts'

interface Shop {
  readonly service: ShopService
  /** between the till and the service; phones reach the service without it */
  readonly line: FaultyNetwork
  /** Resolves with whether the till has a key for slips without a connection. */
  readonly hasKey: () => Promise<boolean>
}

const storedSchema = v.object({ offlineKey: v.nullish(v.object({ key: v.string() })) })

const PHONE = '690 123 4567'

interface Fixtures {
  readonly shop: Shop
  /** Opens a till, pairs it, and serves Maria with 40 points. */
  readonly openPaired: () => Promise<Counter>
}

const test = base.extend<Fixtures>({
  shop: async ({ userData }, use) => {
    const service = await ShopService.start(join(userData, 'shop'))
    const line = await openFaultyNetwork(service.origin)
    const hasKey = async () => {
      const stored = await readFile(join(userData, 'till', 'settings.json'), 'utf8')
      return Boolean(v.parse(storedSchema, JSON.parse(stored)).offlineKey)
    }
    await use({ service, line, hasKey })
    await line.close()
    await service.close()
  },
  openPaired: async ({ open, shop: { service, line, hasKey } }, use) => {
    await use(async () => {
      const { code } = await service.run(v.object({ code: v.string() }), 'till', 'pair', '--name', 'Till 1')
      const till = await open()
      const { cashier, manager, page } = till
      await manager.connect(new URL(line.url).origin, code.toLowerCase())
      await expect(page.getByRole('banner')).toContainText('Corner Café')
      await expect.poll(hasKey).toBe(true)
      await cashier.searchFor(PHONE)
      await cashier.register('Maria')
      await cashier.print(40)
      await expect.poll(async () => (await slipsOf(page))[0]).toMatchObject({ points: 40, state: 'printed' })
      return till
    })
  }
})

test('a slip that was made without a connection is collected at once, and counted when the till is back', async ({
  open,
  openPaired,
  shop: { line }
}) => {
  const first = await openPaired()
  const { cashier, page } = first

  await line.unplug()
  await cashier.searchFor('maria')
  await expect(cashier.offline).toContainText(/Slips still work: 20,000 points left today\./)
  await expect(shown(page, /may be old/)).toBeVisible()
  await cashier.result('Maria').click()
  await cashier.print(250)
  await expect.poll(async () => (await slipsOf(page))[0]).toMatchObject({ points: 250, state: 'printed' })
  await expect(cashier.offline).toContainText(/19,750 points left today\./)
  const [slip] = await slipsOf(page)
  expect(slip).toMatchObject({ customer: { name: 'Maria' }, offline: { reportedAt: null, refusal: null } })

  // What the QR code of the paper says, opened on a phone that reaches the service.
  const pdf = await readFile(join(first.userData, 'slips', `${String(slip?.code)}.pdf`))
  const { codes } = await readSlip(new Uint8Array(pdf))
  expect(codes).toEqual([slip?.url])
  await collect(String(codes[0]), PHONE)

  await line.plugIn()
  await expect(cashier.offline).toBeHidden()
  await expect.poll(async () => (await slipsOf(page))[0]?.offline?.reportedAt).toEqual(expect.any(String))
  await cashier.choose(PHONE, 'Maria')
  await expect(cashier.customer).toContainText('250')
  await first.close()

  // A till that starts reads at once what happened meanwhile.
  const till = await open()
  await expect.poll(async () => (await stateOf(till.page)).collectionsAsOf).not.toBeNull()
  await expect
    .poll(async () => (await slipsOf(till.page))[0])
    .toMatchObject({
      code: slip?.code,
      collectedAt: expect.stringMatching(/Z$/),
      takenBackAt: null
    })
  await till.cashier.goTo('Slips')
  const row = till.page.getByRole('list', { name: 'History' }).getByRole('button')
  await expect(row.filter({ hasText: '250 points' })).toContainText(/Collected \d/)
  await row.filter({ hasText: '250 points' }).click()
  await expect(till.page.getByRole('complementary')).toContainText('Made without a connection')
  await till.page.getByRole('button', { name: 'Day report' }).click()
  await expect(till.page.getByRole('region', { name: 'Collected or not' })).toContainText('50%')
  await expect(till.page.getByRole('main')).toContainText('290')
})

test('a till that was killed without a connection starts without one, goes on within the day, and tells both slips', async ({
  open,
  openPaired,
  shop: { line }
}) => {
  const killed = await openPaired()
  await line.unplug()
  await killed.cashier.searchFor('maria')
  await killed.cashier.result('Maria').click()
  await killed.cashier.print(250)
  await expect
    .poll(async () => (await slipsOf(killed.page))[0])
    .toMatchObject({ points: 250, state: 'printed' })
  await killed.kill()

  const { cashier, page } = await open()
  await expect(cashier.offline).toContainText(/Slips still work: 19,750 points left today\./)
  // Of those served before, the journal has the name.
  await cashier.searchFor('mar')
  await cashier.result('Maria').click()
  await cashier.print(60)
  await expect.poll(async () => (await slipsOf(page))[0]).toMatchObject({ points: 60, state: 'printed' })
  await line.plugIn()
  await expect
    .poll(async () => (await slipsOf(page)).map(({ offline }) => offline && offline.reportedAt !== null))
    .toEqual([true, true, null])
})

const GOLD_RULES: EarningRules = {
  ...FIRST_RULES,
  levels: [{ name: 'Gold', from: 40, factor: '1.5' }],
  expiry: { months: 12, since: 'earned', onSlips: true }
}

/** Saves rules as the owner does on the service's pages. */
async function saveRules(folder: string, rules: EarningRules): Promise<void> {
  const database = await openSqlite(dataFile(folder))
  const rows = await database.read('SELECT business FROM businesses')
  const [{ business }] = v.parse(v.tuple([v.object({ business: v.number() })]), rows)
  const change = { request: randomUUID(), at: new Date().toISOString(), by: 'Ana' }
  await new RulesStore(database).save(business, { ...change, rules })
  await database.close()
}

test('the level that a customer has by her history counts at the till within a minute, also without a connection, and slips say when points end', async ({
  openPaired,
  userData,
  shop: { line }
}) => {
  const { cashier, page, userData: tillData } = await openPaired()
  const newest = async () => (await slipsOf(page))[0]
  await collect(String((await newest())?.url), PHONE)
  await saveRules(join(userData, 'shop'), GOLD_RULES)

  const amount = page.getByRole('textbox', { name: 'Amount' })
  await amount.waitFor({ timeout: 90_000 })
  await amount.fill('45.20')
  await expect(page.getByText(/^€45\.20 × 1 = 45 points$/)).toBeVisible()
  // The amount is there before the level.
  await cashier.choose(PHONE, 'Maria')
  await expect(cashier.customer).toContainText('Gold')
  await expect(page.getByText(/^€45\.20 × 1, .?Gold.? × 1\.5 = 67 points$/)).toBeVisible()
  await amount.press('Enter')
  await expect.poll(newest).toMatchObject({ points: 67, state: 'printed', offline: null })
  const pdf = await readFile(join(tillData, 'slips', `${String((await newest())?.code)}.pdf`))
  const { text } = await readSlip(new Uint8Array(pdf))
  expect(text.replaceAll(/\s+/g, ' ')).toContain('Points end 12 months after they are collected')

  // Points of before these rules do not end.
  await collect(String((await newest())?.url), PHONE)
  await cashier.choose(PHONE, 'Maria')
  await expect(cashier.customer).toContainText(/67 points end on \d/)
  await changeSettings(page, { credits: { knownCustomers: 'credit', slip: true } })
  await amount.fill('20')
  await amount.press('Enter')
  const credited = async () =>
    (await readdir(join(tillData, 'slips'))).find((name) => name.startsWith('credit'))
  await expect.poll(credited).toEqual(expect.any(String))
  const credit = await readSlip(
    new Uint8Array(await readFile(join(tillData, 'slips', String(await credited()))))
  )
  expect(credit.text.replaceAll(/\s+/g, ' ')).toMatch(/Points added 30 .*\b\d+ points end on \d/)
  await changeSettings(page, { credits: { knownCustomers: 'slip', slip: false } })

  await line.unplug()
  await cashier.searchFor('maria')
  await expect(cashier.offline).toContainText('Slips still work')
  await cashier.result('Maria').click()
  await expect(cashier.customer).toContainText('Gold')
  await amount.fill('10')
  await expect(page.getByText(/^€10\.00 × 1, .?Gold.? × 1\.5 = 15 points$/)).toBeVisible()
  await amount.press('Enter')
  await expect.poll(newest).toMatchObject({ points: 15, state: 'printed', offline: { reportedAt: null } })
  await line.plugIn()
  await expect.poll(async () => (await newest())?.offline?.reportedAt).toEqual(expect.any(String))
  const database = await openSqlite(dataFile(join(userData, 'shop')))
  const rows = await database.read('SELECT bill FROM codes WHERE bill IS NOT NULL')
  await database.close()
  const bills = v.parse(v.array(v.object({ bill: v.pipe(v.string(), v.parseJson()) })), rows)
  expect(bills.map(({ bill }) => bill)).toEqual(
    expect.arrayContaining([
      { amount: '45.20', level: 'Gold' },
      { amount: '10', level: 'Gold' }
    ])
  )
})
