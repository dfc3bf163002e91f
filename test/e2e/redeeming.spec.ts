import { join } from 'node:path'
import * as v from 'valibot'
import { expect, test } from './support/fixtures.ts'
import { ShopService } from './support/shop-service.ts'

test('a reward is redeemed by keyboard, and undone by a manager with a reason', async ({
  open,
  userData
}) => {
  const shop = await ShopService.start(join(userData, 'shop'))
  try {
    await shop.run(v.unknown(), 'reward', 'add', '--name', 'Espresso', '--points', '60')
    const { code } = await shop.run(v.object({ code: v.string() }), 'till', 'pair', '--name', 'Till 1')
    const { page, cashier, manager } = await open()
    await manager.connect(shop.origin, code.toLowerCase())
    await cashier.search.fill('690 123 4567')
    await page.getByRole('button', { name: 'Register customer' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Eleni')
    await page.keyboard.press('Enter')
    await cashier.customer.waitFor()
    const balance = async () => {
      const shown = v.object({ customer: v.object({ balance: v.number() }) })
      return (await shop.run(shown, 'customer', 'show', '+306901234567')).customer.balance
    }
    await shop.run(
      v.unknown(),
      'customer',
      'adjust',
      '+306901234567',
      '--points',
      '100',
      '--reason',
      'Opening'
    )
    await cashier.choose('690 123 4567', 'Eleni')

    await page.getByRole('button', { name: /^Redeem .?Espresso/u }).press('Enter')
    await expect(page.getByRole('dialog', { name: /^Redeem .?Espresso/u })).toContainText('40 points')
    await page.keyboard.press('Enter')
    const redeemed = page.getByRole('dialog', { name: /^Redeemed: .?Espresso/u })
    await expect(redeemed).toContainText('40 points')
    expect(await balance()).toBe(40)

    await redeemed.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('dialog').getByRole('textbox').fill('Wrong reward')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: /^Undone: .?Espresso/u })).toContainText('100 points')
    expect(await balance()).toBe(100)
    await page.keyboard.press('Escape')
    await expect(cashier.customer).toContainText('100')
  } finally {
    await shop.close()
  }
})
