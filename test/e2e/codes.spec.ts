import { SEEDED_CODES } from '../../electron/service/index.ts'
import { expect, test } from './support/fixtures.ts'

test.describe('checking a code', () => {
  test('tells a used code from an unused one', async ({ openConnected }) => {
    const { cashier, page } = await openConnected()
    await cashier.goTo('Slips')
    const check = page.getByRole('searchbox', { name: 'Check code' })
    await check.fill(SEEDED_CODES.used[0])
    await check.press('Enter')
    await expect(page.getByText('This code has been used')).toBeVisible()
    await check.fill(SEEDED_CODES.unused[0])
    await check.press('Enter')
    await expect(page.getByText('This code has not been used')).toBeVisible()
  })

  test('says that a code does not exist, and keeps it in the field', async ({ openConnected }) => {
    const { cashier, page } = await openConnected()
    await cashier.goTo('Slips')
    const check = page.getByRole('searchbox', { name: 'Check code' })
    await check.fill('NOSUCHCODE')
    await check.press('Enter')
    await expect(cashier.alert).toBeVisible()
    await expect(check).toHaveValue('NOSUCHCODE')
  })

  test('a code scanned into Find customer is checked in place', async ({ openConnected, service }) => {
    const { cashier, page } = await openConnected()
    await cashier.looksFor(`${new URL(service.url).origin}/q/${SEEDED_CODES.used[0]}`)
    await expect(page.getByText('This code has been used')).toBeVisible()
  })
})
