import { SEEDED_CODES } from '../../electron/service/index.ts'
import { expect, test } from './support/fixtures.ts'
import { shown } from './support/shown.ts'

test.describe('code check', () => {
  test('shows whether a code was used', async ({ shared }) => {
    const { cashier, page } = shared
    await cashier.goTo('Slips')
    const check = page.getByRole('searchbox', { name: 'Check code' })
    await check.fill(SEEDED_CODES.used[0])
    await check.press('Enter')
    await expect(shown(page, 'This code has been used')).toBeVisible()
    await check.fill(SEEDED_CODES.unused[0])
    await check.press('Enter')
    await expect(shown(page, 'This code has not been used')).toBeVisible()
  })

  test('reports an unknown code and keeps it in the field', async ({ shared }) => {
    const { cashier, page } = shared
    await cashier.goTo('Slips')
    const check = page.getByRole('searchbox', { name: 'Check code' })
    await check.fill('NOSUCHCODE')
    await check.press('Enter')
    await expect(cashier.alert).toBeVisible()
    await expect(check).toHaveValue('NOSUCHCODE')
  })

  test('checks a code that is scanned into Find customer', async ({ shared }) => {
    const { cashier, page, service } = shared
    await cashier.searchFor(`${new URL(service.url).origin}/q/${SEEDED_CODES.used[0]}`)
    await expect(shown(page, 'This code has been used')).toBeVisible()
  })
})
