import type { Locator } from '@playwright/test'
import { KNOWN_CUSTOMERS } from '../../electron/service/index.ts'
import { expectFocus, Keyboard } from './page-objects/hands.ts'
import { set, slipsOf } from './support/bridge.ts'
import { expect, test } from './support/fixtures.ts'

const [known] = KNOWN_CUSTOMERS
const national = known.phone.replace('+30', '')

test.describe('a cashier who never leaves the keyboard', () => {
  test('finds, chooses, types points, prints and goes on, in under ten keys beyond the digits', async ({
    openConnected
  }) => {
    const { cashier, page } = await openConnected()
    const keyboard = new Keyboard(page)
    await expect(cashier.search).toBeFocused()

    await test.step('by phone', async () => {
      await keyboard.types(national)
      await keyboard.presses('Enter')
      await expect(cashier.customer).toContainText(known.name)
      await expect(cashier.points).toBeFocused()
      await keyboard.types('250')
      await keyboard.presses('NumpadEnter')
      await expect(cashier.lastSlip).toContainText('250')
      await expect(cashier.search).toBeFocused()
      await expect(cashier.customer).toBeHidden()
      expect(keyboard.count()).toBeLessThan(10)
    })

    await test.step('the same again, from those served last', async () => {
      await expect(cashier.servedLast.getByRole('button')).toHaveCount(1)
      await keyboard.presses('ArrowDown', 'Enter')
      await expect(cashier.customer).toContainText(known.name)
      await expect(cashier.points).toBeFocused()
      await keyboard.types('75')
      await keyboard.presses('Enter')
      await expect(cashier.lastSlip).toContainText('75')
      await expect(cashier.search).toBeFocused()
      expect(keyboard.count()).toBeLessThan(10)
    })

    await test.step('by the beginning of a name', async () => {
      await keyboard.types('papa')
      await expect(cashier.result(/points/).nth(1)).toBeVisible()
      await keyboard.presses('Enter', 'ArrowDown', 'Enter')
      await expect(cashier.points).toBeFocused()
      await keyboard.types('10')
      await keyboard.presses('Enter')
      await expect(cashier.search).toBeFocused()
      await expect(cashier.lastSlip).toContainText('10')
      expect(keyboard.count()).toBeLessThan(10)
    })
    expect((await slipsOf(page)).map(({ points }) => points)).toEqual([10, 75, 250])
  })

  test('presses Enter again before the answer is there: one customer, and no slip', async ({
    openConnected,
    network
  }) => {
    const { cashier, page } = await openConnected()
    const keyboard = new Keyboard(page)
    await expect(cashier.search).toBeFocused()
    network.fail({ delay: 300 }, 'GET')
    await keyboard.types(national)
    await keyboard.presses('Enter', 'Enter', 'Enter')
    await expect(cashier.customer).toContainText(known.name)
    await expect(cashier.points).toBeFocused()
    await expect(cashier.points).toHaveValue('')
    // An answer that comes late, to the second Enter, would take the customer or the focus away.
    await keyboard.types('30')
    await keyboard.presses('Enter')
    await expect(cashier.lastSlip).toContainText('30')
    expect((await slipsOf(page)).map(({ points, customer }) => [points, customer?.name])).toEqual([
      [30, known.name]
    ])
    expect(network.seen.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })

  test('registers somebody new, and leaves the form with Esc as it was', async ({ openConnected }) => {
    const { cashier, page } = await openConnected()
    const keyboard = new Keyboard(page)
    await expect(cashier.search).toBeFocused()
    await keyboard.types('6900000199')
    await keyboard.presses('F3')
    const name = page.getByRole('textbox', { name: cashier.words.name() })
    await expect(name).toBeFocused()
    await keyboard.types('Eleni')
    await keyboard.presses('Escape')
    await expect(name).toBeHidden()
    await expect(cashier.search).toBeFocused()
    await keyboard.presses('F3')
    await expect(name).toHaveValue('Eleni')
    await keyboard.presses('Enter')
    await expect(cashier.customer).toContainText('Eleni')
    await expect(cashier.points).toBeFocused()
    // Two letters more than the digits cost: the whole of a new customer.
    expect(keyboard.count() - 'Eleni'.length).toBeLessThan(10)
  })

  test('has a key for every place, and Esc leads back one step at a time', async ({ openConnected }) => {
    const { cashier, page } = await openConnected()
    const keyboard = new Keyboard(page)
    await expect(cashier.search).toBeFocused()
    await keyboard.presses('F6')
    await expect(page.getByRole('heading', { name: 'Rewards', level: 1 })).toBeVisible()
    await keyboard.presses('F7')
    await expect(page.getByRole('heading', { name: 'Slips', level: 1 })).toBeVisible()
    await keyboard.presses('F8')
    await expect(cashier.codeField).toBeFocused()
    await keyboard.presses('F2')
    await expect(cashier.search).toBeFocused()

    await cashier.chooses(known.phone, known.name)
    await keyboard.presses('F2')
    await keyboard.types('maria')
    await keyboard.presses('Escape')
    await expect(cashier.search).toHaveValue('')
    await expect(cashier.customer).toContainText(known.name)
    await keyboard.presses('Escape')
    await expect(cashier.customer).toBeHidden()
    await expect(cashier.search).toBeFocused()
    await keyboard.presses('F4')
    await expect(cashier.points).toBeFocused()
    await keyboard.presses('F9')
    await expect(cashier.alert).toContainText('no slip to print again')
  })

  test('gives no command while a dialog is open; Esc closes it', async ({ openConnected }) => {
    const { cashier, page } = await openConnected()
    const keyboard = new Keyboard(page)
    await cashier.goTo('Settings')
    await page.getByRole('button', { name: 'Disconnect' }).click()
    const dialog = page.getByRole('alertdialog')
    await keyboard.presses('F2', 'F9')
    await expect(dialog).toBeVisible()
    await keyboard.presses('Escape')
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
  })

  test('goes through the counter with Tab in the order of the work', async ({ openConnected }) => {
    const { cashier, page } = await openConnected()
    await cashier.chooses(known.phone, known.name)
    await page.keyboard.press('F2')
    await expect(cashier.search).toBeFocused()
    const order = [
      page.getByRole('button', { name: 'Clear customer' }),
      cashier.points,
      page.getByRole('button', { name: 'Reprint last slip' }),
      page.getByRole('button', { name: 'No printer chosen' }),
      cashier.printButton,
      page.getByRole('combobox', { name: 'Copies' })
    ]
    const isFocused = (control: Locator) => control.evaluate((element) => element === document.activeElement)
    const met: number[] = []
    // Words that explain themselves stand in between.
    while (met.length < order.length) {
      await page.keyboard.press('Tab')
      await expectFocus(page)
      for (const [place, control] of order.entries()) if (await isFocused(control)) met.push(place)
    }
    expect(met).toEqual(order.map((_, place) => place))
  })

  test('keeps the customer after a slip where the settings say so', async ({ openConnected }) => {
    const { cashier, page } = await openConnected()
    const keyboard = new Keyboard(page)
    await set(page, { clearCustomer: false })
    await cashier.chooses(known.phone, known.name)
    await keyboard.types('5')
    await keyboard.presses('Enter')
    await expect(cashier.lastSlip).toBeVisible()
    await expect(cashier.customer).toContainText(known.name)
    await expect(cashier.points).toBeFocused()
    await expect(cashier.points).toHaveValue('')
  })
})

test.describe('whose points these are', () => {
  test('is said beside Print slip, with the phone masked', async ({ openConnected }) => {
    const { cashier, page } = await openConnected()
    await cashier.chooses(known.phone, known.name)
    await cashier.points.fill('250')
    const said = page.getByRole('complementary').getByText(known.name).last()
    await expect(said).toBeVisible()
    await expect(page.getByText('+30 ••• ••• 4567')).toBeVisible()
    await expect(page.getByText('250 points', { exact: true })).toBeVisible()
  })

  test('is told apart by phone where names are the same', async ({ openConnected }) => {
    const { cashier, page } = await openConnected()
    await cashier.looksFor(known.name)
    await expect(cashier.result(known.name)).toHaveCount(3)
    await cashier.result('4567').click()
    await expect(cashier.customer).toContainText('+30 694 123 4567')
    await expect(page.getByText('Somebody else has this name')).toBeVisible()
  })
})
