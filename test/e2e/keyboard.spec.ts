import type { Locator } from '@playwright/test'
import { KNOWN_CUSTOMERS } from '../../electron/service/index.ts'
import { createGate } from '../support/faulty-network.ts'
import { expectFocus, Keyboard } from './page-objects/input-devices.ts'
import { changeSettings, slipsOf } from './support/bridge.ts'
import { expect, test } from './support/fixtures.ts'
import { shown } from './support/shown.ts'

const [known] = KNOWN_CUSTOMERS
const national = known.phone.replace('+30', '')

test.describe('keyboard', () => {
  test('searching, choosing and printing takes fewer than ten keys besides digits', async ({ shared }) => {
    const { cashier, page } = shared
    const keyboard = new Keyboard(page)
    await expect(cashier.search).toBeFocused()

    await test.step('by phone', async () => {
      await keyboard.type(national)
      await keyboard.press('Enter')
      await expect(cashier.customer).toContainText(known.name)
      await expect(cashier.points).toBeFocused()
      await keyboard.type('250')
      await keyboard.press('NumpadEnter')
      await expect(cashier.lastSlip).toContainText('250')
      await expect(cashier.search).toBeFocused()
      await expect(cashier.customer).toBeHidden()
      expect(keyboard.count()).toBeLessThan(10)
    })

    await test.step('the same again, from those served last', async () => {
      await expect(cashier.recentCustomers.getByRole('button').first()).toContainText(known.name)
      await keyboard.press('ArrowDown', 'Enter')
      await expect(cashier.customer).toContainText(known.name)
      await expect(cashier.points).toBeFocused()
      await keyboard.type('75')
      await keyboard.press('Enter')
      await expect(cashier.lastSlip).toContainText('75')
      await expect(cashier.search).toBeFocused()
      expect(keyboard.count()).toBeLessThan(10)
    })

    await test.step('by the beginning of a name', async () => {
      await keyboard.type('papa')
      await expect(cashier.result(/points/).nth(1)).toBeVisible()
      await keyboard.press('Enter', 'ArrowDown', 'Enter')
      await expect(cashier.points).toBeFocused()
      await keyboard.type('10')
      await keyboard.press('Enter')
      await expect(cashier.search).toBeFocused()
      await expect(cashier.lastSlip).toContainText('10')
      expect(keyboard.count()).toBeLessThan(10)
    })
    expect((await slipsOf(page)).slice(0, 3).map(({ points }) => points)).toEqual([10, 75, 250])
  })

  test('a second Enter before the response registers one customer and issues no slip', async ({ shared }) => {
    const { cashier, page, network } = shared
    const keyboard = new Keyboard(page)
    await expect(cashier.search).toBeFocused()
    const [before] = await slipsOf(page)
    const service = createGate()
    network.fail(service.fault, 'GET')
    await keyboard.type(national)
    await keyboard.press('Enter', 'Enter', 'Enter')
    await expect(cashier.customer).toBeHidden()
    service.open()
    await expect(cashier.customer).toContainText(known.name)
    await expect(cashier.points).toBeFocused()
    await expect(cashier.points).toHaveValue('')
    // An answer that comes late, to the second Enter, would take the customer or the focus away.
    await keyboard.type('30')
    await keyboard.press('Enter')
    await expect(cashier.lastSlip).toContainText('30')
    const [slip, older] = await slipsOf(page)
    expect(slip).toMatchObject({ points: 30, customer: { name: known.name } })
    expect(older?.intentId).toBe(before?.intentId)
    expect(network.seen.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })

  test('registers a customer; Esc closes the form and keeps the input', async ({ shared }) => {
    const { cashier, page } = shared
    const keyboard = new Keyboard(page)
    await expect(cashier.search).toBeFocused()
    await keyboard.type('6900000199')
    await keyboard.press('F3')
    const name = page.getByRole('textbox', { name: cashier.words.name() })
    await expect(name).toBeFocused()
    await keyboard.type('Eleni')
    await keyboard.press('Escape')
    await expect(name).toBeHidden()
    await expect(cashier.search).toBeFocused()
    await keyboard.press('F3')
    await expect(name).toHaveValue('Eleni')
    await expect(page.getByRole('form', { name: 'New customer' }).locator(':focus')).toHaveCount(1)
    await keyboard.press('Enter')
    await expect(cashier.customer).toContainText('Eleni')
    await expect(cashier.points).toBeFocused()
    // Two letters more than the digits cost: the whole of a new customer.
    expect(keyboard.count() - 'Eleni'.length).toBeLessThan(10)
  })

  test('every screen has a shortcut, and Esc goes back step by step', async ({ openConnected }) => {
    const { cashier, page } = await openConnected()
    const keyboard = new Keyboard(page)
    await expect(cashier.search).toBeFocused()
    await keyboard.press('F6')
    await expect(page.getByRole('heading', { name: 'Rewards', level: 1 })).toBeVisible()
    await keyboard.press('F7')
    await expect(page.getByRole('heading', { name: 'Slips', level: 1 })).toBeVisible()
    expect(await page.title()).toBe('Slips – Tillpoints')
    await keyboard.press('Alt+7')
    await expect(page.getByRole('heading', { name: 'Customers', level: 1 })).toBeVisible()
    await keyboard.press('Alt+8')
    await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
    expect(await page.title()).toBe('Settings – Tillpoints')
    // Without a PIN there is nothing to lock with: where one is set.
    await keyboard.press('F12')
    await expect(page.getByRole('heading', { name: 'Manager PIN' })).toBeVisible()
    await keyboard.press('F8')
    await expect(cashier.codeField).toBeFocused()
    await keyboard.press('F2')
    await expect(cashier.search).toBeFocused()

    await cashier.choose(known.phone, known.name)
    await keyboard.press('F2')
    await keyboard.type('maria')
    await keyboard.press('Escape')
    await expect(cashier.search).toHaveValue('')
    await expect(cashier.customer).toContainText(known.name)
    await keyboard.press('Escape')
    await expect(cashier.customer).toBeHidden()
    await expect(cashier.search).toBeFocused()
    await keyboard.press('F4')
    await expect(cashier.points).toBeFocused()
    await keyboard.press('F9')
    await expect(page.getByRole('main').getByText('no slip to save again')).toBeVisible()
  })

  test('an open dialog blocks shortcuts; Esc closes it', async ({ shared }) => {
    const { cashier, page } = shared
    const keyboard = new Keyboard(page)
    await cashier.goTo('Settings')
    await page.getByRole('button', { name: 'Disconnect' }).click()
    const dialog = page.getByRole('alertdialog')
    await keyboard.press('F2', 'F9')
    await expect(dialog).toBeVisible()
    await keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
  })

  test('Tab follows the order of work on the till screen', async ({ shared }) => {
    const { cashier, page } = shared
    await cashier.choose(known.phone, known.name)
    await page.keyboard.press('F2')
    await expect(cashier.search).toBeFocused()
    const order = [
      page.getByRole('button', { name: 'Clear customer' }),
      cashier.points,
      page.getByRole('button', { name: 'Save last slip again' }),
      page.getByRole('button', { name: 'No printer selected' }),
      cashier.printButton,
      page.getByRole('combobox', { name: 'Copies' })
    ]
    const isFocused = (control: Locator) => control.evaluate((element) => element === document.activeElement)
    const met: number[] = []
    // ScreenMessages that explain themselves stand in between.
    while (met.length < order.length) {
      await page.keyboard.press('Tab')
      await expectFocus(page)
      for (const [place, control] of order.entries()) if (await isFocused(control)) met.push(place)
    }
    expect(met).toEqual(order.map((_, place) => place))
  })

  test('quick keys add points and take the last ones by Alt and a digit', async ({ openConnected }) => {
    const { cashier, page } = await openConnected()
    const keyboard = new Keyboard(page)
    await expect(cashier.search).toBeFocused()
    await keyboard.press('Alt+2', 'Alt+1', 'Alt+1')
    await expect(cashier.points).toHaveValue('70')
    await expect(cashier.points).toBeFocused()
    await keyboard.press('Enter')
    await expect(cashier.lastSlip).toContainText('70')
    expect(keyboard.count()).toBe(4)

    await expect(cashier.quickKey('70 points')).toBeVisible()
    await keyboard.press('Alt+4')
    await expect(cashier.points).toHaveValue('70')
    await keyboard.press('Enter')
    await expect(cashier.search).toBeFocused()
    expect((await slipsOf(page)).slice(0, 2).map(({ points }) => points)).toEqual([70, 70])

    await keyboard.press('F4')
    await keyboard.type('9999990')
    await keyboard.press('Alt+3')
    await expect(cashier.points).toHaveValue('10,000,090')
    await expect(cashier.alert).toContainText('at most 9,999,999')

    await changeSettings(page, {
      pointsRule: { pointsPerUnit: '1', rounding: 'down', minimum: '0', currency: 'EUR' }
    })
    await expect(cashier.quickKey('+10 points')).toBeHidden()
    await keyboard.press('Alt+1')
    await expect(cashier.points).toHaveValue('10,000,090')
  })

  test('keeps the customer after a slip when the setting is off', async ({ shared }) => {
    const { cashier, page } = shared
    const keyboard = new Keyboard(page)
    await changeSettings(page, { clearCustomer: false })
    await cashier.choose(known.phone, known.name)
    await expect(cashier.points).toBeFocused()
    await keyboard.type('5')
    await keyboard.press('Enter')
    await expect(cashier.lastSlip).toBeVisible()
    await expect(cashier.customer).toContainText(known.name)
    await expect(cashier.points).toBeFocused()
    await expect(cashier.points).toHaveValue('')
  })
})

test.describe('confirmation of the customer', () => {
  test('is shown beside Print slip with the phone masked', async ({ shared }) => {
    const { cashier, page } = shared
    await cashier.choose(known.phone, known.name)
    await cashier.points.fill('250')
    const said = page.getByRole('complementary').getByText(known.name).last()
    await expect(said).toBeVisible()
    await expect(shown(page, '+30 ••• ••• 4567')).toBeVisible()
    await expect(shown(page, '250 points', { exact: true })).toBeVisible()
  })

  test('emphasises the phone where names are equal', async ({ shared }) => {
    const { cashier, page } = shared
    await cashier.searchFor(known.name)
    await expect(cashier.result(known.name).nth(1)).toBeVisible()
    await cashier.result('4567').click()
    await expect(cashier.customer).toContainText('+30 694 123 4567')
    await expect(shown(page, 'Another customer has the same name')).toBeVisible()
  })

  test('F7 and Slips in the rail return from a page below to the list of slips', async ({ shared }) => {
    const { cashier, page } = shared
    const keyboard = new Keyboard(page)
    const title = page.getByRole('heading', { level: 1 })
    for (const name of ['Issue batch', 'Day report']) {
      for (const goBack of [() => keyboard.press('F7'), () => cashier.goTo('Slips')]) {
        await cashier.goTo('Slips')
        await page.getByRole('button', { name }).click()
        await expect(title).toHaveText(name)
        await goBack()
        await expect(title).toHaveText('Slips')
      }
    }
  })
})
