import { KNOWN_CUSTOMERS, SEEDED_CODES } from '../../electron/service/index.ts'
import { Keyboard, Scanner } from './page-objects/input-devices.ts'
import { slipsOf } from './support/bridge.ts'
import { expect, test } from './support/fixtures.ts'
import { shown } from './support/shown.ts'

const [known, other] = KNOWN_CUSTOMERS
const posts = (seen: readonly { method: string }[]): number =>
  seen.filter(({ method }) => method === 'POST').length

test.describe('scanner', () => {
  test('scans a customer, then a slip', async ({ shared }) => {
    const { cashier, page } = shared
    const [scanner, keyboard] = [new Scanner(page), new Keyboard(page)]
    await expect(cashier.search).toBeFocused()
    await scanner.scan(known.phone)
    await expect(cashier.customer).toContainText(known.name)
    await expect(cashier.points).toBeFocused()
    await expect(cashier.points).toHaveValue('')
    await keyboard.type('250')
    await keyboard.press('Enter')
    await expect(cashier.lastSlip).toBeVisible()
    await expect(cashier.search).toBeFocused()
    expect(keyboard.count()).toBe(1)

    const [slip] = await slipsOf(page)
    if (!slip?.url) throw new Error('no slip')
    await scanner.scan(slip.url)
    await expect(shown(page, 'This code has not been used')).toBeVisible()
    await expect(shown(page, `Issued by this till for ${known.name}`)).toBeVisible()
  })

  test('a scan changes no field, and its Enter prints nothing', async ({ shared }) => {
    const { cashier, page, network } = shared
    const scanner = new Scanner(page)
    await cashier.choose(known.phone, known.name)
    await cashier.points.fill('25')
    await scanner.scan(known.email)
    await expect(cashier.customer).toContainText(known.name)
    await expect(cashier.points).toHaveValue('25')
    expect(posts(network.seen)).toBe(0)
  })

  test('leaves the points that are typed right before a scan', async ({ shared }) => {
    const { cashier, page } = shared
    const scanner = new Scanner(page)
    // Another customer: the name tells when the search of the scan has ended.
    await cashier.choose(other.phone, other.name)
    await scanner.scan(known.phone, { typed: '25' })
    await expect(cashier.customer).toContainText(known.name)
    await expect(cashier.points).toHaveValue('25')
    await expect(cashier.points).toBeFocused()
    // A code may begin with digits, too.
    await scanner.scan('AR7K-5093', { typed: '30' })
    await expect(shown(page, 'It isn’t clear where the scan begins')).toBeVisible()
    await expect(cashier.points).toHaveValue('30')
  })

  for (const layout of ['greek', 'french', 'arabic'] as const) {
    test(`reads a code and a phone with the ${layout} layout`, async ({ shared }) => {
      const { cashier, page, service } = shared
      const scanner = new Scanner(page)
      await expect(cashier.search).toBeFocused()
      await scanner.scan(`${new URL(service.url).origin}/q/${SEEDED_CODES.used[0]}`, { layout })
      await expect(shown(page, 'This code has been used')).toBeVisible()
      await scanner.scan(known.phone, { layout, suffix: 'Tab' })
      await expect(cashier.customer).toContainText(known.name)
    })
  }

  test('a scan works on every screen without a focused field', async ({ shared }) => {
    const { cashier, page } = shared
    const scanner = new Scanner(page)
    await cashier.goTo('Rewards')
    await scanner.scan(known.phone)
    await expect(cashier.customer).toContainText(known.name)
    await cashier.goTo('Settings')
    await scanner.scan(SEEDED_CODES.unused[0])
    await expect(shown(page, 'This code has not been used')).toBeVisible()
    await expect(cashier.codeField).toBeFocused()
  })

  test('a scan goes into a field that takes scans', async ({ shared }) => {
    const { cashier, page } = shared
    const scanner = new Scanner(page)
    await cashier.print(40)
    await expect(cashier.lastSlip).toBeVisible()
    const [slip] = await slipsOf(page)
    await cashier.goTo('Slips')
    const search = page.getByRole('searchbox', { name: 'Search slips' })
    await search.click()
    await scanner.scan(slip?.url ?? '')
    await expect(search).toHaveValue(slip?.url ?? '')
  })

  test('a scan while a dialog is open shows a toast and searches nothing', async ({ shared }) => {
    const { cashier, page } = shared
    const scanner = new Scanner(page)
    await cashier.goTo('Settings')
    await page.getByRole('button', { name: 'Disconnect' }).click()
    await scanner.scan(known.phone)
    const message = shown(page, 'The scan was ignored')
    await expect(message).toBeVisible()
    await expect(page.getByRole('alertdialog')).toBeVisible()
    // It covers no button of a dialog, and presses pass it.
    await page.setViewportSize({ width: 800, height: 480 })
    const covered = await message.evaluate((element) => {
      const { bottom, left, right, top } = element.getBoundingClientRect()
      const below = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
      const buttons = [...document.querySelectorAll('[role="alertdialog"] button')]
      return below === element || buttons.some((button) => button.getBoundingClientRect().top < bottom)
    })
    expect(covered).toBe(false)
  })
})
