import { KNOWN_CUSTOMERS } from '../../electron/service/index.ts'
import { changeSettings, stateOf } from './support/bridge.ts'
import { expect, test } from './support/fixtures.ts'
import { shown } from './support/shown.ts'

const [known] = KNOWN_CUSTOMERS

test.describe('tour', () => {
  test('shows each step beside its control, takes no focus and runs once', async ({
    openConnected,
    open
  }) => {
    const first = await openConnected({ showTour: true })
    const { page, cashier } = first
    for (const title of ['Find the customer', 'Type the points', 'Hand over the slip']) {
      await expect(page.getByRole('region', { name: title })).toBeVisible()
      await expect(cashier.search).toBeFocused()
      await page.getByRole('region', { name: title }).getByRole('button', { name: 'Next' }).press('Enter')
      await cashier.search.focus()
    }
    await page.getByRole('region', { name: 'Check the slips' }).getByRole('button', { name: 'Start' }).click()
    await expect.poll(async () => (await stateOf(page)).settings.tourSeen).toBe(true)
    await first.close()

    const again = await open()
    await expect(again.cashier.search).toBeFocused()
    await expect(again.page.getByText(/First steps/)).toHaveCount(0)
  })

  test('ends when the cashier starts to work', async ({ shared }) => {
    const { page, cashier } = shared
    await changeSettings(page, { tourSeen: false })
    await page.reload()
    await expect(page.getByRole('region', { name: 'Find the customer' })).toBeVisible()
    await cashier.choose(known.phone, known.name)
    await expect(shown(page, /First steps/)).toHaveCount(0)
    await cashier.print(25)
    await expect(cashier.lastSlip).toBeVisible()
    await expect.poll(async () => (await stateOf(page)).settings.tourSeen).toBe(true)
  })

  test('does not open over what was found before it is loaded', async ({ openConnected }) => {
    const { page, cashier } = await openConnected({ showTour: true })
    await page.addInitScript(() => {
      new MutationObserver((_changes, observer) => {
        const search = document.querySelector('input[type=search]')
        if (search === null) return
        observer.disconnect()
        setTimeout(() => search.dispatchEvent(new InputEvent('input', { bubbles: true })))
      }).observe(document, { childList: true, subtree: true })
    })
    await page.reload()
    await expect.poll(async () => (await stateOf(page)).settings.tourSeen).toBe(true)
    await cashier.choose(known.phone, known.name)
    await expect(shown(page, /First steps/)).toHaveCount(0)
  })
})

test.describe('help', () => {
  test('lists every shortcut and restarts the tour', async ({ shared }) => {
    const { page, cashier } = shared
    await expect(cashier.search).toBeFocused()
    await page.keyboard.press('F1')
    const help = page.getByRole('dialog', { name: 'Help' })
    await expect(help).toContainText('Find customer')
    await expect(help).toContainText('Save last slip again')
    await page.keyboard.press('F1')
    await expect(help).toBeHidden()
    await page.getByRole('button', { name: 'Help' }).click()
    await help.getByRole('button', { name: 'Show first steps' }).click()
    await expect(page.getByRole('region', { name: 'Find the customer' })).toBeVisible()
    // Not on what opened the help: the card may cover it.
    await expect(cashier.search).toBeFocused()
  })

  test('a tooltip explains a term on focus and on tap', async ({ shared }) => {
    const { page, cashier } = shared
    await cashier.choose(known.phone, known.name)
    const mark = page.getByRole('button', { name: 'What is “Lifetime points”?' })
    const says = shown(page, 'The customer’s total of points over time')
    await mark.focus()
    await expect(says).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(says).toBeHidden()
    await expect(cashier.customer).toContainText(known.name)
    await mark.dispatchEvent('click')
    await expect(says).toBeVisible()
  })

  test('About shows the version and the licences', async ({ shared }) => {
    const { page, cashier } = shared
    await changeSettings(page, { theme: 'dark' })
    await cashier.goTo('Settings')
    await page.getByRole('tab', { name: 'About' }).click()
    const main = page.getByRole('main')
    await expect(main).toContainText((await stateOf(page)).version)
    await expect(main).toContainText('Electron')
    await shown(page, /^\d+ packages$|^Show licences$/).click()
    await expect(page.getByRole('group', { name: 'Licences' })).toContainText('svelte')
  })
})
