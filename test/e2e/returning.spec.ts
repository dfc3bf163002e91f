/** Points that go back with the goods, on the project's own service. Each test has a slip of its own. */
import type { Page } from '@playwright/test'
import { join } from 'node:path'
import * as v from 'valibot'
import { groupedCode } from '../../electron/contract/code-groups.ts'
import { createGate } from '../support/faulty-network.ts'
import { pdfsShowing } from '../support/read-slip.ts'
import { CashierPage } from './page-objects/cashier.ts'
import { Keyboard, Scanner, TouchScreen } from './page-objects/input-devices.ts'
import { slipsOf } from './support/bridge.ts'
import { expect, test as tillTest, TOKENS } from './support/fixtures.ts'
import { known, type KnownCustomer, OperationsShop, testOf } from './support/operations-shop.ts'
import { collect } from './support/collect.ts'
import { ShopService } from './support/shop-service.ts'
import { shown } from './support/shown.ts'
import { openTill } from './support/till.ts'

const RETURN = 'POST /ext/returns'

class ReturningShop extends OperationsShop {
  /** Issues a slip and returns its code. */
  async issue(points: number): Promise<string> {
    const { page, cashier } = this
    const before = (await slipsOf(page)).length
    await cashier.goTo('Till')
    await cashier.print(points)
    await expect.poll(async () => (await slipsOf(page)).length).toBe(before + 1)
    await expect.poll(async () => (await slipsOf(page))[0]).toMatchObject({ points, state: 'printed' })
    return (await slipsOf(page))[0]?.code ?? ''
  }

  /** A customer redeems the dearest reward at another till. Returns its cost. */
  async redeemDearest(customer: KnownCustomer): Promise<number> {
    const catalogue = await this.page.evaluate(() => window.tillpoints?.rewards.read())
    if (!catalogue?.ok) throw new Error('The rewards cannot be read')
    const { rewards } = catalogue.value
    const [dearest] = rewards.toSorted((one, other) => (other.cost ?? 0) - (one.cost ?? 0))
    const { id } = await this.read(customer)
    const cost = dearest?.cost ?? 0
    expect(await this.askExtension('redemptions', { customer: id, reward: dearest?.id, cost })).toBe(200)
    return cost
  }

  /** Opens the details of the newest slip, and the dialog that takes its points back. */
  async openReturn(): Promise<void> {
    const { page, cashier } = this
    await cashier.goTo('Slips')
    await page.getByRole('list', { name: 'History' }).getByRole('button').first().click()
    await page.getByRole('button', { name: 'Take points back' }).click()
  }
}

const dialogOf = (page: Page) => page.getByRole('alertdialog')

/** Takes back what was found at the counter, by keyboard alone. */
async function takeBackByKeyboard(page: Page, name: RegExp | string): Promise<void> {
  const button = page.getByRole('button', { name })
  await expect(button).toBeVisible()
  const keyboard = new Keyboard(page)
  // From the search over what stands before it.
  for (let tabs = 0; tabs < 3 && !(await button.evaluate((each) => each === document.activeElement)); tabs++)
    await keyboard.press('Tab')
  await expect(button).toBeFocused()
  await keyboard.press('Enter')
  await expect(dialogOf(page).getByRole('radio', { name: 'All' })).toBeFocused()
  await keyboard.press('Enter')
}

const test = testOf((parts) => new ReturningShop(parts))

test('an uncollected slip is cancelled by Enter alone', async ({ shop }) => {
  const { page } = shop
  const code = await shop.issue(250)
  await shop.openReturn()
  await expect(dialogOf(page)).toContainText('250 points')
  await expect(dialogOf(page).getByRole('radio', { name: 'All' })).toBeFocused()
  await new Keyboard(page).press('Enter')
  await expect(shown(page, 'The slip is cancelled: its code is worth nothing now.')).toBeVisible()
  await new Keyboard(page).press('Escape')
  await expect(dialogOf(page)).toBeHidden()
  expect((await slipsOf(page)).find((slip) => slip.code === code)).toMatchObject({
    points: 250,
    remaining: 0
  })
})

test('a part goes back by touch, and the slip is printed again with the rest', async ({ shop }) => {
  const { page } = shop
  const code = await shop.issue(310)
  await shop.openReturn()
  const touch = await TouchScreen.enable(page)
  await touch.tap(dialogOf(page).getByText('By points', { exact: true }))
  await dialogOf(page).getByRole('textbox', { name: 'Points', exact: true }).fill('110')
  await touch.tap(dialogOf(page).getByRole('button', { name: 'Take points back' }))
  await expect(
    shown(page, 'The slip is now worth 200 points. Print it again for the customer.')
  ).toBeVisible()
  await touch.tap(dialogOf(page).getByRole('button', { name: 'Close' }))
  await expect(page.getByText('110 points taken back').first()).toBeVisible()
  expect((await slipsOf(page)).find((slip) => slip.code === code)).toMatchObject({
    points: 310,
    remaining: 200
  })
  await page.getByRole('button', { name: 'Save a copy' }).click()
  await expect
    .poll(() => pdfsShowing(join(shop.folder, 'till', 'slips'), 'Your points 200'))
    .toEqual([expect.stringContaining(code)])
})

test('a lost answer is asked for again with the same key, and is not called taken back before', async ({
  shop
}) => {
  const { page, network } = shop
  const code = await shop.issue(90)
  await shop.openReturn()
  const first = shop.keysOf('returns').length
  const gate = createGate()
  network.fail(gate.fault, RETURN)
  await dialogOf(page).getByRole('button', { name: 'Take points back' }).click()
  await expect.poll(() => shop.keysOf('returns').length).toBe(first + 1)
  await network.unplug()
  await expect(dialogOf(page).getByRole('alert')).toContainText(
    'We don’t know yet whether the points were taken back.'
  )
  network.fail('pass', RETURN)
  await network.plugIn()
  // The till asks by itself.
  await expect(shown(page, 'The slip is cancelled: its code is worth nothing now.')).toBeVisible()
  gate.open()
  expect(new Set(shop.keysOf('returns', first)).size).toBe(1)
  expect(shop.keysOf('returns', first).length).toBeGreaterThan(1)
  await dialogOf(page).getByRole('button', { name: 'Close' }).click()
  expect((await slipsOf(page)).find((slip) => slip.code === code)).toMatchObject({ remaining: 0 })
})

test('a slip goes back at the counter where it is scanned, or its code typed', async ({ shop }) => {
  const { page, cashier } = shop
  const code = await shop.issue(120)
  // The copy has the same code.
  await page.keyboard.press('F9')
  await expect.poll(async () => (await slipsOf(page))[0]?.copies).toBe(1)
  const url = (await slipsOf(page)).find((slip) => slip.code === code)?.url ?? ''
  await new Scanner(page).scan(url)
  await takeBackByKeyboard(page, 'Take points back')
  await expect(shown(page, 'The slip is cancelled: its code is worth nothing now.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(cashier.search).toBeFocused()
  await expect(cashier.search).toHaveValue('')

  const typed = await shop.issue(130)
  await cashier.search.focus()
  await new Keyboard(page).type(groupedCode(typed))
  await takeBackByKeyboard(page, 'Take points back')
  await expect(page.getByRole('alertdialog', { name: 'Taken back: 130 points' })).toBeVisible()
  await page.keyboard.press('Escape')

  await new Scanner(page).scan(url)
  await expect(shown(page, '0 points').first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Take points back' })).toBeHidden()
  await cashier.search.fill('')
})

test('a bill of another till goes back by its scanned number, and what went back before is not asked again', async ({
  shop
}) => {
  const customer = known('+84912990001')
  const { page, cashier } = shop
  const before = await shop.balanceOf(customer)
  const { id } = await shop.read(customer)
  const reference = '2026-11-23/R-1041'
  expect(await shop.askExtension('credits', { customer: id, points: 250, reference })).toBe(200)
  expect(
    await shop.askExtension('returns', { reference, amount: { returned: '1', total: '3' }, reason: null })
  ).toBe(200)
  await cashier.goTo('Till')
  await new Scanner(page).scan(reference)
  await takeBackByKeyboard(page, /^Take back the points of bill/u)
  const done = page.getByRole('alertdialog', { name: 'Taken back: 167 points' })
  await expect(done).toContainText(/Given\s*250 points\s*Taken back before\s*83 points\s*Left\s*0 points/u)
  expect(await shop.balanceOf(customer)).toBe(before)
  await page.keyboard.press('Escape')
  await expect(cashier.search).toHaveValue('')
})

test('points of a credit that are spent go back by touch, and the customer owes them', async ({ shop }) => {
  const customer = known('+4917604069042')
  const { page, cashier } = shop
  await cashier.goTo('Till')
  await page.evaluate(() =>
    window.tillpoints?.till.set({ credits: { knownCustomers: 'credit', slip: false } })
  )
  await cashier.choose(customer.phone, customer.name)
  await cashier.points.fill('250')
  await cashier.points.press('Enter')
  await expect(shown(page, /has received 250 points/u)).toBeVisible()
  const cost = await shop.redeemDearest(customer)

  await cashier.goTo('Customers')
  await page.getByRole('searchbox', { name: 'Search customers' }).fill(customer.phone)
  const touch = await TouchScreen.enable(page)
  await touch.tap(page.getByRole('list', { name: 'Customers' }).getByRole('button', { name: customer.name }))
  await touch.tap(page.getByRole('button', { name: /^Take points back: .*250 points/u }))
  await touch.tap(dialogOf(page).getByRole('button', { name: 'Take points back' }))
  const owed = `Owes ${cost} points: the next points fill this.`
  await expect(dialogOf(page)).toContainText(owed)
  await touch.tap(dialogOf(page).getByRole('button', { name: 'Close' }))
  const details = page.getByRole('complementary', { name: 'Details' })
  await expect(details).toContainText('250 points taken back')
  await expect(details.getByRole('button', { name: /^(Undo|Take points back)/u })).toBeHidden()
  await expect(details).toContainText(owed)
  expect(await shop.balanceOf(customer)).toBe(-cost)
  await touch.disable()
  await page.evaluate(() => window.tillpoints?.till.set({ credits: { knownCustomers: 'slip', slip: false } }))
})

test('two tills take the same bill back at once, and only what was given is taken', async ({ shop }) => {
  const customer = known('+66811990001')
  const before = await shop.balanceOf(customer)
  const { id } = await shop.read(customer)
  const reference = 'R-2042'
  expect(await shop.askExtension('credits', { customer: id, points: 90, reference })).toBe(200)
  const second = await openTill({
    userData: join(shop.folder, 'second-till'),
    size: { width: 1024, height: 768 },
    env: { TILLPOINTS_BASE_URL: shop.network.url, TILLPOINTS_TOKEN: TOKENS.good }
  })
  try {
    const pages = [shop.page, second.page]
    await shop.cashier.goTo('Till')
    for (const page of pages) {
      await new CashierPage(page).searchFor(reference)
      await page.getByRole('button', { name: /^Take back the points of bill/u }).click()
    }
    await Promise.all(
      pages.map((page) => dialogOf(page).getByRole('button', { name: 'Take points back' }).click())
    )
    const taken = pages.map((page) => page.getByRole('alertdialog', { name: 'Taken back: 90 points' }))
    const refused = pages.map((page) =>
      shown(dialogOf(page), /All points of this purchase were taken back already/u)
    )
    for (const [index, each] of taken.entries()) await expect(each.or(refused[index] ?? each)).toBeVisible()
    const counts = await Promise.all(taken.map((each) => each.count()))
    expect(counts.toSorted()).toEqual([0, 1])
    expect(await shop.balanceOf(customer)).toBe(before)
    await shop.page.keyboard.press('Escape')
    await shop.cashier.search.fill('')
  } finally {
    await second.close()
  }
})

tillTest('a collected slip goes back from the customer at the counter', async ({ open, userData }) => {
  const shop = await ShopService.start(join(userData, 'shop'))
  try {
    const { code: pairing } = await shop.run(
      v.object({ code: v.string() }),
      'till',
      'pair',
      '--name',
      'Till 1'
    )
    const { page, cashier, manager } = await open()
    await manager.connect(shop.origin, pairing.toLowerCase())
    await cashier.print(80)
    await expect.poll(async () => (await slipsOf(page))[0]).toMatchObject({ points: 80, state: 'printed' })
    const url = String((await slipsOf(page))[0]?.url)
    await collect(url, '690 123 4567')
    await cashier.choose('690 123 4567', '+30 690 123 4567')
    await expect(cashier.customer).toContainText('80 points')
    await new Scanner(page).scan(url)
    await expect(shown(page, /This code has been used/u)).toBeVisible()
    await page.getByRole('button', { name: 'Take points back' }).click()
    await dialogOf(page).getByRole('button', { name: 'Take points back' }).click()
    await expect(page.getByRole('alertdialog', { name: 'Taken back: 80 points' })).toContainText(
      /: .?0 points/u
    )
    await page.keyboard.press('Escape')
    await expect(cashier.search).toHaveValue('')
    await expect(cashier.customer).toContainText(/\b0 points/u)
  } finally {
    await shop.close()
  }
})

tillTest.describe('with a service of a vendor', () => {
  tillTest.use({ isVendors: true })

  tillTest('nothing at the counter takes points back', async ({ openConnected }) => {
    const { page, cashier } = await openConnected()
    await cashier.print(120)
    await expect.poll(async () => (await slipsOf(page))[0]).toMatchObject({ state: 'printed' })
    await new Scanner(page).scan(String((await slipsOf(page))[0]?.url))
    await expect(shown(page, 'This code has not been used')).toBeVisible()
    const takeBack = page.getByRole('button', { name: /take .*back/iu })
    await expect(takeBack).toBeHidden()
    await cashier.search.fill('R-1041')
    await expect(page.getByRole('button', { name: 'Register customer' })).toBeVisible()
    await expect(takeBack).toBeHidden()
    await cashier.goTo('Customers')
    await page.getByRole('list', { name: 'Customers' }).getByRole('button').first().click()
    await expect(page.getByRole('button', { name: 'Serve at the till' })).toBeVisible()
    await expect(takeBack).toBeHidden()
  })
})
