/**
 * Redeeming at the counter, on the project's own service. The till of most tests is opened once: each has a customer of its
 * own, and leaves the network and the till as it found them.
 */
import { chromium } from '@playwright/test'
import { PNG } from 'pngjs'
import { join } from 'node:path'
import * as v from 'valibot'
import type { Redemption } from '../../electron/contract/redemptions.ts'
import { findChromium } from '../support/chromium.ts'
import { createGate } from '../support/faulty-network.ts'
import { scan } from '../support/read-slip.ts'
import { Keyboard, Scanner, TouchScreen } from './page-objects/input-devices.ts'
import { StaffPage } from './page-objects/staff.ts'
import { slipsOf } from './support/bridge.ts'
import { FULL } from '../support/size.ts'
import { expect } from './support/fixtures.ts'
import { ShopService } from './support/shop-service.ts'
import { known, type KnownCustomer, OperationsShop, startShop, testOf } from './support/operations-shop.ts'
import { shown } from './support/shown.ts'

const REDEEM = 'POST /ext/redemptions'

class RedeemingShop extends OperationsShop {
  /** Returns the redemptions of a customer in the till's journal, the newest first. */
  async redemptionsOf(customer: KnownCustomer): Promise<readonly Redemption[]> {
    const { id } = await this.read(customer)
    const answer = await this.page.evaluate((asked) => window.tillpoints?.redemptions.ofCustomer(asked), {
      id
    })
    if (!answer?.ok) throw new Error('The journal cannot be read')
    return answer.value
  }

  /** Returns the key of each request to redeem that the network has seen since `first`. */
  keys(first = 0): readonly unknown[] {
    return this.keysOf('redemptions', first)
  }

  /** Chooses a customer and asks to redeem the dearest reward that the customer can have. */
  async ask({ phone, name }: KnownCustomer): Promise<void> {
    await this.cashier.choose(phone, name)
    await this.page.getByRole('button', { name: /^Redeem / }).click()
    await expect(this.dialog(/^Redeem .*\?$/)).toBeVisible()
  }

  dialog(name: RegExp) {
    return this.page.getByRole('dialog', { name })
  }
}

const test = testOf((parts) => new RedeemingShop(parts)).extend<{
  /** of one test, which kills its till */
  readonly ownShop: RedeemingShop
}>({
  ownShop: async ({}, use, testInfo) => {
    const shop = new RedeemingShop(await startShop())
    await shop.openTill()
    await use(shop)
    await shop.attachIfFailed(testInfo)
    await shop.close()
  }
})

const isFocused = (element: Element): boolean => document.activeElement === element

test('a reward is redeemed by keyboard alone', async ({ shop }) => {
  const customer = known('+442079460321')
  const { page, cashier } = shop
  const keyboard = new Keyboard(page)
  await cashier.search.focus()
  await keyboard.type(customer.phone)
  await keyboard.press('Enter')
  await expect(cashier.points).toBeFocused()
  const redeem = page.getByRole('button', { name: /^Redeem / })
  for (let presses = 0; presses < 6 && !(await redeem.evaluate(isFocused)); presses++) {
    await keyboard.press('Shift+Tab')
  }
  await expect(redeem).toBeFocused()
  await keyboard.press('Enter')
  await expect(shop.dialog(/^Redeem .*\?$/)).toContainText('5,200 points')
  await keyboard.press('Enter')
  await expect(shop.dialog(/^Redeemed: /)).toContainText('5,000 points')
  expect(await shop.balanceOf(customer)).toBe(5000)
  await keyboard.press('Enter')
  await expect(cashier.points).toBeFocused()
  await expect(cashier.customer).toContainText('5,000')
})

test('a reward of the list is redeemed on the screen of the rewards', async ({ shop }) => {
  const customer = known('+201001299001')
  const { page, cashier } = shop
  await cashier.choose(customer.phone, customer.name)
  await cashier.goTo('Rewards')
  await cashier.rewards.filter({ hasText: 'Koulouri' }).getByRole('button').click()
  await page.getByRole('button', { name: 'Redeem', exact: true }).click()
  await expect(shop.dialog(/^Redeem .*\?$/)).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(shop.dialog(/^Redeemed: .?Koulouri/)).toContainText('700 points')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('complementary')).toContainText(/60 points · .* · Redeemed/)
  expect(await shop.balanceOf(customer)).toBe(700)
  await cashier.goTo('Till')
})

test('a phone that was linked at the till shows a code, and a scan of it selects its customer', async ({
  open,
  userData
}) => {
  const service = await ShopService.start(join(userData, 'shop'))
  const browser = await chromium.launch({
    executablePath: findChromium() ?? '',
    args: ['--no-sandbox', '--disable-gpu']
  })
  try {
    await service.run(v.unknown(), 'reward', 'add', '--name', 'Espresso', '--points', '60')
    const pairing = await service.run(v.object({ code: v.string() }), 'till', 'pair', '--name', 'Till 1')
    const { page, cashier, manager } = await open()
    await manager.connect(service.origin, pairing.code.toLowerCase())
    await cashier.print(250)
    await expect.poll(async () => (await slipsOf(page))[0]?.state).toBe('printed')

    const phone = await browser.newPage({ viewport: { width: 390, height: 844 }, locale: 'en-GB' })
    await phone.goto(String((await slipsOf(page))[0]?.url))
    await phone.getByLabel('Phone number').fill('690 123 4567')
    await phone.getByRole('button', { name: 'Collect' }).click()
    await phone.getByRole('link', { name: 'My points' }).click()
    await phone.getByRole('button', { name: 'Link this phone' }).click()
    const digits = await phone.getByText(/^\d{6}$/).innerText()

    await cashier.choose('690 123 4567', '+30 690 123 4567')
    await page.getByRole('button', { name: 'Link phone' }).click()
    await page.getByRole('textbox', { name: 'Six digits' }).fill(digits)
    await page.keyboard.press('Enter')
    await expect(shown(page, 'The phone is linked.')).toBeVisible()
    await page.keyboard.press('Enter')
    await cashier.clearCustomer()

    await phone.getByRole('link', { name: 'Show my points' }).click()
    await expect(phone.frameLocator('iframe').locator('svg.qr')).toBeVisible()
    const { width, height, data } = PNG.sync.read(await phone.screenshot())
    const pixels = Uint8Array.from({ length: width * height }, (_, index) => data[index * 4] ?? 0)
    const [code = ''] = await scan({ width, height, pixels })
    const scanner = new Scanner(page)
    await scanner.scan(code)
    await expect(cashier.customer).toContainText('250')
    await page.getByRole('button', { name: /^Redeem .?Espresso/u }).click()
    await expect(page.getByRole('dialog', { name: /^Redeem .?Espresso/u })).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: /^Redeemed: .?Espresso/u })).toContainText('190 points')
    await page.keyboard.press('Enter')

    // Valid once.
    await cashier.clearCustomer()
    await scanner.scan(code)
    await expect(cashier.alert).toContainText(/used/)
    await expect(cashier.customer).toBeHidden()
  } finally {
    await browser.close()
    await service.close()
  }
})

test('a manager undoes a redemption with a reason, a cashier does not', async ({ shop }) => {
  const customer = known('+84912990001')
  const { page } = shop
  const staff = new StaffPage(page)
  await page.evaluate(() => window.tillpoints?.staff.setManagerPin({ current: null, pin: '246810' }))
  await page.evaluate(() => window.tillpoints?.staff.lockManager())
  await shop.ask(customer)
  await page.keyboard.press('Enter')
  await expect(shop.dialog(/^Redeemed: /)).toBeVisible()
  const left = await shop.balanceOf(customer)
  expect(left).toBe(customer.balance - 200)

  await shop
    .dialog(/^Redeemed: /)
    .getByRole('button', { name: 'Undo' })
    .click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('Wrong reward')
  await page.keyboard.press('Enter')
  await expect(staff.managerDialog).toBeVisible()
  expect(await shop.balanceOf(customer)).toBe(left)
  await staff.enterManagerPin('246810')
  await expect(shop.dialog(/^Undone: /)).toContainText('2,480 points')
  expect(await shop.balanceOf(customer)).toBe(customer.balance)
  expect((await shop.redemptionsOf(customer))[0]).toMatchObject({
    state: 'undone',
    undo: { reason: 'Wrong reward' }
  })
  await page.keyboard.press('Escape')
  await page.evaluate(() => window.tillpoints?.staff.setManagerPin({ current: '246810', pin: null }))
})

test('offline the button says why, and works again when the service answers', async ({ shop }) => {
  const customer = known('+442079460321')
  const { page, cashier, network } = shop
  await cashier.choose(customer.phone, customer.name)
  await network.unplug()
  await cashier.searchFor('+30 694 000 0001')
  await page.keyboard.press('Enter')
  await expect(cashier.offline).toBeVisible()
  await cashier.search.fill('')
  const button = page.getByRole('button', { name: 'Redeem when online' })
  await expect(button).toBeDisabled()
  await network.plugIn()
  await page.getByRole('button', { name: 'Try again' }).first().click()
  await expect(page.getByRole('button', { name: /^Redeem .?[A-Z]/ })).toBeEnabled()
  await expect(button).toBeHidden()
})

test('a touch on Redeem, and one on the question, are enough', async ({ shop }) => {
  const customer = known('+201001299001')
  const before = await shop.balanceOf(customer)
  const { page, cashier } = shop
  const touch = await TouchScreen.enable(page)
  await cashier.choose(customer.phone, customer.name)
  await touch.tap(page.getByRole('button', { name: /^Redeem / }))
  await touch.tap(shop.dialog(/^Redeem .*\?$/).getByRole('button', { name: /^Redeem for/ }))
  await expect(shop.dialog(/^Redeemed: /)).toBeVisible()
  await touch.tap(shop.dialog(/^Redeemed: /).getByRole('button', { name: 'Done' }))
  expect(await shop.balanceOf(customer)).toBe(before - 200)
})

const KILLS = [
  ['before its answer', createGate().fault, 200],
  ['before the request arrived', 'silence', 0]
] as const
// `test/crash/operation-kills.test.ts` kills at more moments, without a window.
for (const [moment, fault, taken] of FULL ? KILLS : KILLS.slice(0, 1)) {
  test(`a till that is killed ${moment} asks with the same key at its next start`, async ({ ownShop }) => {
    const customer = known('+33639980117')
    const { network } = ownShop
    network.fail(fault, REDEEM)
    await ownShop.ask(customer)
    await ownShop.page.keyboard.press('Enter')
    await expect.poll(() => ownShop.keys().length).toBe(1)
    await expect.poll(() => ownShop.balanceOf(customer)).toBe(customer.balance - taken)
    await ownShop.till.kill()
    network.fail('silence', REDEEM)
    await ownShop.openTill()
    await expect.poll(() => ownShop.keys().length).toBe(2)
    // No answer has come, so nothing is called redeemed.
    const { cashier, page } = ownShop
    await cashier.choose(customer.phone, customer.name)
    await cashier.goTo('Rewards')
    const list = page.getByRole('complementary')
    await expect(list).toContainText('Redeemed at this till')
    await expect(list).not.toContainText(/· Redeemed/)
    await ownShop.till.kill()
    network.fail('pass', REDEEM)
    await ownShop.openTill()
    await expect.poll(async () => (await ownShop.redemptionsOf(customer))[0]?.state).toBe('redeemed')
    expect(new Set(ownShop.keys()).size).toBe(1)
    expect(await ownShop.balanceOf(customer)).toBe(customer.balance - 200)
  })
}
