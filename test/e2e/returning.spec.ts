/** Points that go back with the goods, on the project's own service. Each test has a slip of its own. */
import type { Page } from '@playwright/test'
import { join } from 'node:path'
import { createGate } from '../support/faulty-network.ts'
import { pdfsShowing } from '../support/read-slip.ts'
import { Keyboard, TouchScreen } from './page-objects/input-devices.ts'
import { slipsOf } from './support/bridge.ts'
import { expect } from './support/fixtures.ts'
import { OperationsShop, testOf } from './support/operations-shop.ts'
import { shown } from './support/shown.ts'

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

  /** Opens the details of the newest slip, and the dialog that takes its points back. */
  async openReturn(): Promise<void> {
    const { page, cashier } = this
    await cashier.goTo('Slips')
    await page.getByRole('list', { name: 'History' }).getByRole('button').first().click()
    await page.getByRole('button', { name: 'Take points back' }).click()
  }
}

const dialogOf = (page: Page) => page.getByRole('alertdialog')

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
