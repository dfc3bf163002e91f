/** Points straight to a known customer, on the project's own service. Each test has a customer of its own. */
import type { Credit } from '../../electron/contract/credits.ts'
import { join } from 'node:path'
import { BusinessStore } from '../../electron/service/store/businesses.ts'
import { openSqlite } from '../../electron/service/store/sqlite.ts'
import { createGate } from '../support/faulty-network.ts'
import { FULL } from '../support/size.ts'
import { Keyboard, TouchScreen } from './page-objects/input-devices.ts'
import { StaffPage } from './page-objects/staff.ts'
import { slipsOf } from './support/bridge.ts'
import { expect } from './support/fixtures.ts'
import { known, type KnownCustomer, OperationsShop, startShop, testOf } from './support/operations-shop.ts'
import { shown } from './support/shown.ts'

const CREDIT = 'POST /ext/credits'

/** More than the other tests give together, and twice as much. */
const LIMITS = { creditApprovalLimit: 1000, creditLimit: 2000 }

class CreditingShop extends OperationsShop {
  /** With limits of the till's day, as the owner sets them. */
  override async openTill(): Promise<void> {
    const database = await openSqlite(join(this.folder, 'service.sqlite'))
    const businesses = new BusinessStore(database)
    for (const business of await businesses.list()) await businesses.update({ ...business, ...LIMITS })
    await database.close()
    await super.openTill()
  }

  /** Lets known customers get points in this way. */
  async setWay(knownCustomers: 'credit' | 'slip' | 'cashier'): Promise<void> {
    await this.page.evaluate(
      (way) => window.tillpoints?.till.set({ credits: { knownCustomers: way, slip: false } }),
      knownCustomers
    )
  }

  /** Returns the credits of a customer in the till's journal, the newest first. */
  async creditsOf(customer: KnownCustomer): Promise<readonly Credit[]> {
    const { id } = await this.read(customer)
    const answer = await this.page.evaluate((asked) => window.tillpoints?.credits.ofCustomer(asked), { id })
    if (!answer?.ok) throw new Error('The journal cannot be read')
    return answer.value
  }

  given(points: string) {
    return shown(this.page, new RegExp(`has received ${points} points`, 'u'))
  }
}

const test = testOf((parts) => new CreditingShop(parts)).extend<{
  /** of one test, which kills its till */
  readonly ownShop: CreditingShop
}>({
  ownShop: async ({}, use, testInfo) => {
    const shop = new CreditingShop(await startShop())
    await shop.openTill()
    await use(shop)
    await shop.attachIfFailed(testInfo)
    await shop.close()
  }
})

test.beforeEach(({ shop }) => shop.setWay('credit'))

test('points are given by keyboard alone, without a slip', async ({ shop }) => {
  const customer = known('+442079460321')
  const before = await shop.balanceOf(customer)
  const { page, cashier } = shop
  const slips = (await slipsOf(page)).length
  const keyboard = new Keyboard(page)
  await cashier.search.focus()
  await keyboard.type(customer.phone)
  await keyboard.press('Enter')
  await expect(cashier.points).toBeFocused()
  await keyboard.type('250')
  await expect(page.getByRole('button', { name: /^Give 250 points to / })).toBeVisible()
  await keyboard.press('Enter')
  await expect(shop.given('250')).toBeVisible()
  await expect(cashier.search).toBeFocused()
  expect(await shop.balanceOf(customer)).toBe(before + 250)
  expect((await shop.creditsOf(customer))[0]).toMatchObject({
    ...{ state: 'credited', balanceBefore: before, balance: before + 250 }
  })
  expect((await slipsOf(page)).length).toBe(slips)
})

test('a sale takes two keys besides digits, credited or with a slip, and one more where the cashier switches', async ({
  shop
}) => {
  const { name, phone } = known('+306942345678')
  const { page, cashier } = shop
  const keyboard = new Keyboard(page)
  /** Returns the keys of a sale, from the search to the search. @param keys of the choice that the cashier makes */
  const keysOfSale = async (way: 'credit' | 'slip' | 'cashier', keys: readonly string[] = []) => {
    await shop.setWay(way)
    await cashier.search.focus()
    await keyboard.type(phone.replace('+30', ''))
    await keyboard.press('Enter')
    await expect(cashier.customer).toContainText(name)
    await expect(cashier.points).toBeFocused()
    await keyboard.type('12')
    await keyboard.press(...keys, 'Enter')
    await expect(cashier.search).toBeFocused()
    return keyboard.count()
  }
  expect(await keysOfSale('credit')).toBe(2)
  await expect(shop.given('12')).toBeVisible()
  expect(await keysOfSale('cashier')).toBe(2)
  const slips = (await slipsOf(page)).length
  expect(await keysOfSale('slip')).toBe(2)
  expect(await keysOfSale('cashier', ['Alt+9'])).toBe(3)
  // A customer who is not known gets a slip.
  await keyboard.press('F4')
  await keyboard.type('12')
  await keyboard.press('Enter')
  await expect.poll(async () => (await slipsOf(page)).length).toBe(slips + 3)
  expect(keyboard.count()).toBe(2)
  expect((await slipsOf(page))[0]).toMatchObject({ points: 12, customer: null })
})

test('the cashier switches one sale to a slip, and a touch gives the next at once', async ({ shop }) => {
  const customer = known('+201001299001')
  const before = await shop.balanceOf(customer)
  const { page, cashier } = shop
  await shop.setWay('cashier')
  await cashier.choose(customer.phone, customer.name)
  await cashier.points.fill('40')
  await page.keyboard.press('Alt+9')
  await expect(cashier.printButton).toBeVisible()
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await slipsOf(page))[0]).toMatchObject({ points: 40, state: 'printed' })
  expect(await shop.balanceOf(customer)).toBe(before)

  await cashier.choose(customer.phone, customer.name)
  await cashier.points.fill('60')
  const touch = await TouchScreen.enable(page)
  await touch.tap(page.getByRole('button', { name: /^Give 60 points to / }))
  await expect(shop.given('60')).toBeVisible()
  expect(await shop.balanceOf(customer)).toBe(before + 60)
})

test('a lost answer is asked for again with the same key, and nothing is called given before it', async ({
  shop
}) => {
  const customer = known('+306941234567')
  const before = await shop.balanceOf(customer)
  const { page, cashier, network } = shop
  const first = shop.keysOf('credits').length
  const gate = createGate()
  network.fail(gate.fault, CREDIT)
  await cashier.choose(customer.phone, customer.name)
  await cashier.points.fill('70')
  await page.keyboard.press('Enter')
  // The service has given the points, and its answer is on its way.
  await expect.poll(() => shop.balanceOf(customer)).toBe(before + 70)
  await expect(page.getByRole('button', { name: 'Giving points' })).toBeVisible()
  await network.unplug()
  await expect(shown(page, /We don’t know yet whether .* has received the points/u)).toBeVisible()
  await expect(shop.given('70')).toBeHidden()
  expect((await shop.creditsOf(customer))[0]).toMatchObject({ state: 'unknown', balance: null })
  network.fail('pass', CREDIT)
  await network.plugIn()
  // The till asks by itself.
  await expect(shop.given('70')).toBeVisible()
  gate.open()
  expect(new Set(shop.keysOf('credits', first)).size).toBe(1)
  expect(shop.keysOf('credits', first).length).toBeGreaterThan(1)
  expect(await shop.balanceOf(customer)).toBe(before + 70)
  await expect(cashier.points).toHaveValue('')
})

test('a manager undoes a credit with a reason, and the points are gone again', async ({ shop }) => {
  const customer = known('+84912990001')
  const before = await shop.balanceOf(customer)
  const { page, cashier } = shop
  const staff = new StaffPage(page)
  await page.evaluate(() => window.tillpoints?.staff.setManagerPin({ current: null, pin: '246810' }))
  await page.evaluate(() => window.tillpoints?.staff.lockManager())
  await cashier.choose(customer.phone, customer.name)
  await cashier.points.fill('500')
  await cashier.points.press('Enter')
  await expect(shop.given('500')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  const dialog = page.getByRole('alertdialog', { name: /500 points/ })
  await dialog.getByRole('button', { name: 'Wrong customer' }).click()
  await dialog.getByRole('button', { name: 'Undo' }).click()
  await expect(staff.managerDialog).toBeVisible()
  expect(await shop.balanceOf(customer)).toBe(before + 500)
  await staff.enterManagerPin('246810')
  await expect(page.getByRole('alertdialog', { name: 'Taken back: 500 points' })).toBeVisible()
  expect(await shop.balanceOf(customer)).toBe(before)
  expect((await shop.creditsOf(customer))[0]).toMatchObject({
    ...{ state: 'undone', undo: { reason: 'Wrong customer' } }
  })
  await page.keyboard.press('Escape')
  await page.evaluate(() => window.tillpoints?.staff.setManagerPin({ current: '246810', pin: null }))
})

const KILLS = [
  ['before its answer', createGate().fault, 60],
  ['before the request arrived', 'silence', 0]
] as const
for (const [moment, fault, given] of FULL ? KILLS : KILLS.slice(0, 1)) {
  test(`a till that is killed ${moment} gives the points once at its next start`, async ({ ownShop }) => {
    const customer = known('+33639980117')
    const { network } = ownShop
    const keys = () => ownShop.keysOf('credits')
    const stateOfCredit = async () => (await ownShop.creditsOf(customer))[0]?.state
    network.fail(fault, CREDIT)
    await ownShop.setWay('credit')
    await ownShop.cashier.choose(customer.phone, customer.name)
    await ownShop.cashier.points.fill('60')
    await ownShop.page.keyboard.press('Enter')
    await expect.poll(() => keys().length).toBe(1)
    await expect.poll(() => ownShop.balanceOf(customer)).toBe(customer.balance + given)
    await ownShop.till.kill()
    network.fail('silence', CREDIT)
    await ownShop.openTill()
    await expect.poll(() => keys().length).toBe(2)
    // No answer has come, so nothing is called given.
    expect(await stateOfCredit()).toBe('unknown')
    await ownShop.cashier.choose(customer.phone, customer.name)
    await expect(ownShop.given('60')).toBeHidden()
    await ownShop.till.kill()
    network.fail('pass', CREDIT)
    await ownShop.openTill()
    await expect.poll(stateOfCredit).toBe('credited')
    expect(new Set(keys()).size).toBe(1)
    expect(await ownShop.balanceOf(customer)).toBe(customer.balance + 60)
  })
}

// The last one: the till has given what it may on its day.
test('above the limit of a day a manager’s PIN is needed, and the service refuses above its own', async ({
  shop
}) => {
  const customer = known('+12125550142')
  const before = await shop.balanceOf(customer)
  const { page, cashier } = shop
  const staff = new StaffPage(page)
  const first = shop.keysOf('credits').length
  const give = async (points: number): Promise<void> => {
    await cashier.choose(customer.phone, customer.name)
    await cashier.points.fill(String(points))
    await cashier.points.press('Enter')
  }
  await page.evaluate(() => window.tillpoints?.staff.setManagerPin({ current: null, pin: '246810' }))
  await page.evaluate(() => window.tillpoints?.staff.lockManager())
  await give(1001)
  await expect(staff.managerDialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(
    shown(page, 'Nothing was given. Press again, and let the manager enter the PIN.')
  ).toBeVisible()
  expect(await shop.balanceOf(customer)).toBe(before)
  await expect(cashier.points).toBeFocused()
  await page.keyboard.press('Enter')
  await staff.enterManagerPin('246810')
  await expect(shop.given('1,001')).toBeVisible()
  expect(await shop.balanceOf(customer)).toBe(before + 1001)
  // Each press has a key of its own, and the second one is sent again, approved.
  expect(new Set(shop.keysOf('credits', first)).size).toBe(2)
  await give(1000)
  await expect(shown(page, 'Nothing was given. Ask the manager.')).toBeVisible()
  expect(await shop.balanceOf(customer)).toBe(before + 1001)
  await page.evaluate(() => window.tillpoints?.staff.setManagerPin({ current: '246810', pin: null }))
})
