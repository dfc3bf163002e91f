/** A till and a shop's own service: the pairing code as its page shows it, typed as people type it. */
import { join } from 'node:path'
import * as v from 'valibot'
import { StaffPage } from './page-objects/staff.ts'
import { stateOf } from './support/bridge.ts'
import { expect, test as base } from './support/fixtures.ts'
import { ShopService } from './support/shop-service.ts'

const test = base.extend<{ shop: ShopService }>({
  shop: async ({ userData }, use) => {
    const shop = await ShopService.start(join(userData, 'shop'))
    await use(shop)
    await shop.close()
  }
})

const PIN = '471108154711'
const tillsSchema = v.array(v.object({ name: v.string(), revokedAt: v.nullable(v.string()) }))

const newCode = async (shop: ShopService, name: string, ...options: readonly string[]): Promise<string> =>
  (await shop.run(v.object({ code: v.string() }), 'till', 'pair', '--name', name, ...options)).code

test('a code is typed in any grouping and case, and its letters are shown', async ({ open, shop }) => {
  const code = await newCode(shop, 'Till 1')
  const { manager, page } = await open()
  await manager.address.fill(shop.origin)
  await manager.token.focus()
  // A token is hidden from its first letter that no code has.
  await page.keyboard.type('bcdfe')
  await expect(manager.token).toHaveAttribute('type', 'password')
  await page.keyboard.press('Backspace')
  await expect(manager.token).toHaveAttribute('type', 'text')
  await expect(manager.token).toBeFocused()
  await page.keyboard.type('gh')
  await expect(manager.token).toHaveValue('bcdfgh')
  await manager.token.fill('')
  const letters = code.replace('-', '').toLowerCase()
  await page.keyboard.type(` ${letters.slice(0, 2)} ${letters.slice(2, 4)}  ${letters.slice(4)} `)
  await expect(manager.token).toHaveAttribute('type', 'text')
  await page.keyboard.press('Enter')
  await manager.saveButton.click()
  await expect(page.getByRole('banner')).toContainText('Corner Café')
})

test('a token connects at the address with and without the path of the API', async ({ open, shop }) => {
  const code = await newCode(shop, 'Till 1')
  const paired = await fetch(`${shop.origin}/pair`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code })
  })
  const { token } = v.parse(v.object({ token: v.string() }), await paired.json())
  const { manager, page } = await open()
  for (const address of [shop.origin, `${shop.origin}/api`]) {
    await manager.connect(address, token)
    await expect(page.getByRole('banner')).toContainText('Corner Café')
    expect((await stateOf(page)).baseUrl).toBe(`${shop.origin}/api/`)
    await page.evaluate(() => window.tillpoints?.connection.forget())
    await expect(manager.address).toBeVisible()
  }
})

test('a forgotten PIN is removed by a new code of the business, and the till stays the one that it was', async ({
  open,
  shop
}) => {
  const { manager, page } = await open()
  await manager.connect(shop.origin, await newCode(shop, 'Till 1'))
  await expect(page.getByRole('banner')).toContainText('Corner Café')
  const staff = new StaffPage(page)
  await staff.openStaffSettings()
  await staff.setManagerPin(PIN)
  await page.getByRole('button', { name: 'Lock', exact: true }).click()
  await staff.lock.getByRole('button', { name: 'Forgotten PIN' }).click()

  const { id } = (await stateOf(page)).business ?? { id: '' }
  const elsewhere = await shop.run(
    v.object({ id: v.string() }),
    'business',
    'add',
    '--name',
    'Other shop',
    '--country',
    'GR'
  )
  const field = staff.lock.getByLabel('Token or pairing code')
  await field.fill(await newCode(shop, 'Theirs', '--business', elsewhere.id))
  await page.keyboard.press('Enter')
  await expect(staff.lock).toContainText('belongs to another business')
  await field.fill('BCDF-GHJK')
  await page.keyboard.press('Enter')
  await expect(staff.lock).toContainText('pairing code is not known')

  const code = await newCode(shop, 'Till 1', '--business', id)
  await field.fill(code.toLowerCase().replace('-', ' '))
  await page.keyboard.press('Enter')
  await expect(staff.lock).toBeHidden()
  expect((await stateOf(page)).staff).toMatchObject({ manager: 'open', locked: false })

  const list = async (...options: string[]) => shop.run(tillsSchema, 'till', 'list', ...options)
  expect(await list('--business', id)).toEqual([{ name: 'Till 1', revokedAt: null }])
  expect(await list('--business', elsewhere.id)).toEqual([])
  await page.evaluate(() => window.tillpoints?.connection.refresh())
  expect((await stateOf(page)).accepted).toBe(true)
})
