import { expect, test, TOKENS } from './support/fixtures.ts'
import { shown } from './support/shown.ts'

test.describe('onboarding', () => {
  test('starts training without an account, marked by a frame', async ({ open }) => {
    const { cashier, manager, page } = await open()
    await manager.startTraining()
    await expect(cashier.search).toBeFocused()
    await expect(shown(page, 'Training – no value').first()).toBeVisible()
  })

  test('shows name and logo of the business before saving the connection', async ({ open, service }) => {
    const { cashier, manager, page } = await open()
    await manager.checkConnection(service.url, TOKENS.good)
    // Beside the name it is an ornament, so it has no name of its own.
    const logo = page.getByRole('main').locator('img').first()
    await expect(logo).toBeVisible()
    // Its room is kept while the picture is read.
    await expect
      .poll(() => logo.evaluate((image) => 'naturalWidth' in image && image.naturalWidth))
      .toBeGreaterThan(0)
    await manager.saveButton.click()
    await expect(cashier.search).toBeFocused()
    await expect(page.getByRole('banner')).toContainText('Café')
  })

  for (const [what, token] of [
    ['a wrong', 'never-issued'],
    ['an expired', TOKENS.expired]
  ] as const) {
    test(`refuses ${what} token, keeps the input and saves nothing`, async ({ open, service }) => {
      const { cashier, manager } = await open()
      await manager.checkConnection(service.url, token)
      await expect(cashier.alert).toContainText('token')
      await expect(manager.address).toHaveValue(service.url)
      await expect(manager.token).toHaveValue(token)
      await expect(manager.saveButton).toBeHidden()
    })
  }

  test('refuses an address without https, except on this machine', async ({ open }) => {
    const { cashier, manager } = await open()
    await manager.checkConnection('http://shop.example/api', TOKENS.good)
    await expect(cashier.alert).toContainText('https')
  })

  test('is skipped when the environment has address and token', async ({ openConnected }) => {
    const { cashier, page } = await openConnected()
    await expect(cashier.search).toBeFocused()
    await expect(page.getByRole('banner')).toContainText('Café')
  })
})
