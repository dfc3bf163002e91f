import { KNOWN_CUSTOMERS, SEEDED_CODES } from '../../electron/service/index.ts'
import { Keyboard, Scanner } from './page-objects/hands.ts'
import { slipsOf } from './support/bridge.ts'
import { expect, test } from './support/fixtures.ts'

const [known] = KNOWN_CUSTOMERS
const posts = (seen: readonly { method: string }[]): number =>
  seen.filter(({ method }) => method === 'POST').length

test.describe('a cashier with a scanner', () => {
  test('scans the customer, types the points, and scans the slip', async ({ openConnected }) => {
    const { cashier, page } = await openConnected()
    const [scanner, keyboard] = [new Scanner(page), new Keyboard(page)]
    await expect(cashier.search).toBeFocused()
    await scanner.reads(known.phone)
    await expect(cashier.customer).toContainText(known.name)
    await expect(cashier.points).toBeFocused()
    await expect(cashier.points).toHaveValue('')
    await keyboard.types('250')
    await keyboard.presses('Enter')
    await expect(cashier.lastSlip).toBeVisible()
    await expect(cashier.search).toBeFocused()
    expect(keyboard.count()).toBe(1)

    const [slip] = await slipsOf(page)
    if (!slip?.url) throw new Error('no slip')
    await scanner.reads(slip.url)
    await expect(page.getByText('This code has not been used')).toBeVisible()
    await expect(page.getByText(`Issued by this till for ${known.name}`)).toBeVisible()
  })

  test('loses nothing that stands in a field: no character leaks, and Enter prints nothing', async ({
    openConnected,
    network
  }) => {
    const { cashier, page } = await openConnected()
    const scanner = new Scanner(page)
    await cashier.chooses(known.phone, known.name)
    await cashier.points.fill('25')
    await scanner.reads(known.email)
    await expect(cashier.customer).toContainText(known.name)
    await expect(cashier.points).toHaveValue('25')
    expect(posts(network.seen)).toBe(0)
  })

  for (const layout of ['greek', 'french', 'arabic'] as const) {
    test(`reads a code and a phone through the ${layout} layout`, async ({ openConnected, service }) => {
      const { cashier, page } = await openConnected()
      const scanner = new Scanner(page)
      await expect(cashier.search).toBeFocused()
      await scanner.reads(`${new URL(service.url).origin}/q/${SEEDED_CODES.used[0]}`, { layout })
      await expect(page.getByText('This code has been used')).toBeVisible()
      await scanner.reads(known.phone, { layout, suffix: 'Tab' })
      await expect(cashier.customer).toContainText(known.name)
    })
  }

  test('is understood at every place, with nothing to type in', async ({ openConnected }) => {
    const { cashier, page } = await openConnected()
    const scanner = new Scanner(page)
    await cashier.goTo('Rewards')
    await scanner.reads(known.phone)
    await expect(cashier.customer).toContainText(known.name)
    await cashier.goTo('Settings')
    await scanner.reads(SEEDED_CODES.unused[0])
    await expect(page.getByText('This code has not been used')).toBeVisible()
    await expect(cashier.codeField).toBeFocused()
  })

  test('scans into a field that asks for it', async ({ openConnected }) => {
    const { cashier, page } = await openConnected()
    const scanner = new Scanner(page)
    await cashier.prints(40)
    await expect(cashier.lastSlip).toBeVisible()
    const [slip] = await slipsOf(page)
    await cashier.goTo('Slips')
    const search = page.getByRole('searchbox', { name: 'Search slips' })
    await search.click()
    await scanner.reads(slip?.url ?? '')
    await expect(search).toHaveValue(slip?.url ?? '')
  })

  test('hears that nothing was looked up behind a dialog', async ({ openConnected }) => {
    const { cashier, page } = await openConnected()
    const scanner = new Scanner(page)
    await cashier.goTo('Settings')
    await page.getByRole('button', { name: 'Disconnect' }).click()
    await scanner.reads(known.phone)
    await expect(page.getByText('Nothing was looked up')).toBeVisible()
    await expect(page.getByRole('alertdialog')).toBeVisible()
  })
})
