import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { groupedCode } from '../../electron/contract/code-groups.ts'
import { NUMBERS_DISPLAY_MS } from '../../electron/contract/customer-display.ts'
import { KNOWN_CUSTOMERS } from '../../electron/service/index.ts'
import type { FaultyNetwork } from '../support/faulty-network.ts'
import { TouchScreen } from './page-objects/input-devices.ts'
import { openCustomerDisplay } from './page-objects/customer-display.ts'
import { changeSettings, slipsOf, stateOf } from './support/bridge.ts'
import {
  crashCustomerDisplay,
  customerDisplayWindows,
  holdTimers,
  setDisplays,
  withDisplays
} from './support/main-process.ts'
import { electron } from './support/electron.ts'
import { expect, test as base, type Counter } from './support/fixtures.ts'
import { shown } from './support/shown.ts'

const [known, , , zoe] = KNOWN_CUSTOMERS
const ONE = '1280x800'
const TWO = '1280x800,800x480'
const SECOND = { x: 1280, y: 0, width: 800, height: 480 }

const papersOf = (userData: string): Promise<string[]> => readdir(join(userData, 'slips')).catch(() => [])

const newest = async (page: Page) => (await slipsOf(page))[0]

const newPapers = async ({ userData }: Counter, before: readonly string[]): Promise<string[]> =>
  (await papersOf(userData)).filter((name) => !before.includes(name))

/** With the shared till, beside which there is a second screen until the end of the test. */
const test = base.extend<{ twoScreens: Counter & { readonly network: FaultyNetwork } }>({
  twoScreens: async ({ shared }, use) => {
    await setDisplays(shared.app, TWO)
    await use(shared)
    await setDisplays(shared.app, ONE)
  }
})

const turnOn = (page: Page, deliveryMethod: 'print' | 'show' | 'both'): Promise<void> =>
  changeSettings(page, { customerDisplay: { shown: true, screenId: null }, deliveryMethod })

// Only the stand-in can simulate another screen: a real one must be connected by hand.
if (electron.kind === 'stand-in') {
  test.describe('customer display', () => {
    test('turned on in the settings, it fills the second screen and takes no keyboard focus', async ({
      twoScreens: { app, page, cashier }
    }) => {
      expect(await customerDisplayWindows(app)).toEqual([])
      await cashier.goTo('Settings')
      await page.getByRole('tab', { name: 'Customer display' }).click()
      await page.getByRole('checkbox', { name: /customer display/ }).click()
      const customer = await openCustomerDisplay(app)
      await expect(shown(page, 'The customer display is open.')).toBeVisible()
      expect(await customerDisplayWindows(app)).toEqual([
        { bounds: SECOND, kiosk: true, visible: true, focusable: false, focused: false }
      ])
      const { business } = await stateOf(page)
      await expect(customer.content).toContainText(business?.name ?? 'no business')
      await expect.poll(() => customer.scanQrCodes()).toEqual([business?.getStartedLink])
      await page.getByRole('checkbox', { name: /customer display/ }).click()
      await expect.poll(() => customerDisplayWindows(app)).toEqual([])
    })

    test('stays closed in a native Wayland session, where it would cover the till, and the settings say why', async ({
      openConnected
    }) => {
      const displays = withDisplays(TWO).env
      const { app, page, cashier } = await openConnected({
        env: { ...displays, XDG_SESSION_TYPE: 'wayland' }
      })
      await turnOn(page, 'both')
      await cashier.goTo('Settings')
      await page.getByRole('tab', { name: 'Customer display' }).click()
      await expect(page.getByRole('group', { name: /Wayland/ })).toContainText('--ozone-platform=x11')
      expect(await customerDisplayWindows(app)).toEqual([])
      await cashier.goTo('Till')
      await cashier.print(20)
      await expect.poll(async () => (await newest(page))?.state).toBe('printed')
    })

    test('stays hidden until its page has painted', async ({ twoScreens: { app, page } }) => {
      // Listens before the setting, which reaches main another way.
      const created = await app.evaluateHandle(({ app: main }) => ({
        isVisible: new Promise<boolean>((resolve) => {
          main.once('browser-window-created', (_event, window) => resolve(window.isVisible()))
        })
      }))
      await turnOn(page, 'print')
      expect(await created.evaluate(({ isVisible }) => isVisible)).toBe(false)
      await openCustomerDisplay(app)
    })

    test('reloads after a crash, and closes after the fourth within a minute', async ({ openConnected }) => {
      const { app, page } = await openConnected(withDisplays(TWO))
      await turnOn(page, 'print')
      await openCustomerDisplay(app)
      for (let crash = 1; crash <= 3; crash++) {
        await crashCustomerDisplay(app)
        expect(await customerDisplayWindows(app)).toHaveLength(1)
      }
      await crashCustomerDisplay(app)
      await expect.poll(async () => (await stateOf(page)).customerDisplayOpen).toBe(false)
      // Each change of the state opens the display if it is to be open; a window has no address at first.
      await changeSettings(page, { theme: 'dark' })
      expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1)

      await changeSettings(page, { customerDisplay: { shown: false, screenId: null } })
      await turnOn(page, 'print')
      await openCustomerDisplay(app)
    })

    test('shows the customer, then the issued code, then the next customer', async ({ twoScreens }) => {
      const { app, page, cashier, userData } = twoScreens
      const papers = await papersOf(userData)
      await turnOn(page, 'show')
      const customer = await openCustomerDisplay(app)
      await expect(customer.content).toContainText('Join us')

      await cashier.choose(known.phone, known.name)
      await expect(customer.content).toContainText(/Hello, .Μαρία/)
      await expect(customer.content).toContainText('1,240')
      await expect(customer.content).toContainText(/You can have.+ and \d+ more\s*[\d,]+ more points? for/)

      await cashier.points.fill('250')
      await page.getByRole('button', { name: 'Show code' }).click()
      await expect(customer.content).toContainText(/Thank you, .Μαρία/)
      await expect(customer.content).toContainText('250')
      await expect(customer.content).toContainText(/With these points.+ and \d+ more/)
      await expect(shown(page, 'Shown on the customer display')).toBeVisible()
      const slip = await newest(page)
      expect(slip).toMatchObject({ state: 'shown', points: 250, printedAt: null })
      await expect.poll(() => customer.scanQrCodes()).toEqual([slip?.url])
      expect(await customer.codeShare()).toBeGreaterThanOrEqual(0.4)
      expect(await newPapers(twoScreens, papers)).toEqual([])

      await cashier.choose(zoe.phone, zoe.name)
      await expect(customer.content).toContainText(/Hello, .Zoé/)
      await page.getByRole('button', { name: 'Clear customer' }).click()
      await expect(customer.content).toContainText('Join us')
    })

    test('delivery by display prints nothing; F9 then prints the shown slip as the original', async ({
      twoScreens
    }) => {
      const { app, page, cashier, userData } = twoScreens
      const papers = await papersOf(userData)
      await turnOn(page, 'show')
      await openCustomerDisplay(app)
      await cashier.points.fill('75')
      await page.getByRole('button', { name: 'Show code' }).click()
      await expect.poll(async () => (await newest(page))?.state).toBe('shown')
      await page.keyboard.press('F9')
      await expect.poll(async () => (await newest(page))?.state).toBe('printed')
      const slip = await newest(page)
      expect(slip?.copies).toBe(0)
      expect(await newPapers(twoScreens, papers)).toEqual([`${String(slip?.code)}.pdf`])
      await expect(
        page.getByRole('main').getByText(`Slip ${groupedCode(String(slip?.code))} was saved.`)
      ).toBeVisible()
    })

    test('delivery by both prints and shows the code; delivery by print shows the points only', async ({
      twoScreens
    }) => {
      const { app, page, cashier, userData } = twoScreens
      const papers = await papersOf(userData)
      await turnOn(page, 'both')
      const customer = await openCustomerDisplay(app)
      await cashier.points.fill('40')
      await page.getByRole('button', { name: 'Save and show' }).click()
      await expect.poll(async () => (await newest(page))?.state).toBe('printed')
      const both = await newest(page)
      expect(both?.shownAt).not.toBeNull()
      await expect.poll(() => customer.scanQrCodes()).toEqual([both?.url])

      await changeSettings(page, { deliveryMethod: 'print' })
      await cashier.print(41)
      await expect(customer.content).toContainText('The code is on your slip')
      await expect(customer.content).toContainText('41')
      await expect.poll(async () => (await newest(page))?.state).toBe('printed')
      expect((await newest(page))?.shownAt).toBeNull()
      expect(await customer.scanQrCodes()).toEqual([])
      expect(await newPapers(twoScreens, papers)).toHaveLength(2)
    })

    test('disconnected, the till warns and prints; reconnected, the display returns', async ({
      twoScreens
    }) => {
      const { app, page, cashier, userData } = twoScreens
      const papers = await papersOf(userData)
      await turnOn(page, 'show')
      await openCustomerDisplay(app)
      await expect(page.getByRole('button', { name: 'Show code' })).toBeVisible()
      await setDisplays(app, ONE)
      await expect.poll(() => customerDisplayWindows(app)).toEqual([])
      await expect(shown(page, 'The customer display isn’t open: this slip will be saved.')).toBeVisible()
      await cashier.print(60)
      await expect.poll(async () => (await newest(page))?.state).toBe('printed')
      expect((await newest(page))?.shownAt).toBeNull()
      expect(await newPapers(twoScreens, papers)).toHaveLength(1)

      await cashier.goTo('Settings')
      await page.getByRole('tab', { name: 'Customer display' }).click()
      await expect(shown(page, /This till has one screen/)).toBeVisible()
      await setDisplays(app, TWO)
      await expect(shown(page, 'The customer display is open.')).toBeVisible()
      await openCustomerDisplay(app)
    })

    test('moves to the chosen screen after Identify displays', async ({
      twoScreens: { app, page, cashier }
    }) => {
      await setDisplays(app, `${TWO},768x1024`)
      await turnOn(page, 'print')
      await openCustomerDisplay(app)
      await cashier.goTo('Settings')
      await page.getByRole('tab', { name: 'Customer display' }).click()
      const closing = await holdTimers(app, NUMBERS_DISPLAY_MS)
      await page.getByRole('button', { name: 'Identify' }).click()
      await expect.poll(() => customerDisplayWindows(app)).toHaveLength(4)
      const numbered = async (): Promise<number[]> => {
        const numbers = app.windows().map((window) => window.getByRole('heading', { name: /^Screen \d/ }))
        // A window whose page is on its way has no number yet.
        const counts = await Promise.all(numbers.map((number) => number.count().catch(() => 0)))
        return counts.filter((count) => count > 0)
      }
      await expect.poll(numbered).toHaveLength(3)
      await closing.release()
      await expect.poll(() => customerDisplayWindows(app)).toHaveLength(1)

      await page.getByRole('radio', { name: 'Screen 3' }).click()
      const third = { x: 2080, y: 0, width: 768, height: 1024 }
      await expect
        .poll(async () => (await customerDisplayWindows(app)).map(({ bounds }) => bounds))
        .toEqual([third])
      await setDisplays(app, TWO)
      await expect.poll(() => customerDisplayWindows(app)).toEqual([])
      await expect(shown(page, /The selected screen is not connected/).first()).toBeVisible()
    })

    test('closes with the till window', async ({ openConnected }) => {
      const till = await openConnected(withDisplays(TWO))
      await turnOn(till.page, 'print')
      await openCustomerDisplay(till.app)
      const ended = new Promise((resolve) => till.app.process().once('exit', resolve))
      await till.app.evaluate(({ BrowserWindow }) => {
        const window = BrowserWindow.getAllWindows().find(({ webContents }) =>
          webContents.getURL().startsWith('app://till')
        )
        // The evaluation must be answered before.
        setImmediate(() => window?.close())
      })
      expect(await ended).toBe(0)
    })

    test('a customer types the phone on a display with touch, and the cashier registers it', async ({
      twoScreens: { app, page, cashier, network, userData }
    }) => {
      await turnOn(page, 'print')
      const customer = await openCustomerDisplay(app)
      await cashier.searchFor('Ioanna Vasileiou')
      await page.getByRole('button', { name: 'Register customer' }).click()
      const phone = page.getByRole('textbox', { name: 'Phone' })
      const letType = page.getByRole('button', { name: 'Let the customer type it' })
      const status = (text: string) => page.getByRole('main').getByText(text)
      await expect(phone).toBeVisible()
      await expect(letType).toBeHidden()

      const touch = await TouchScreen.enable(customer.page, { isFocusable: false })
      const tap = (name: string) => touch.tap(customer.page.getByRole('button', { name, exact: true }))
      await letType.press('Enter')
      await expect(status('The customer is typing')).toBeAttached()
      const requests = network.seen.length
      for (const digit of '690555019') await tap(digit)
      await expect(phone).toHaveValue('+30 690 555 019')
      await tap('Done')
      await expect(customer.content).toContainText('a digit is missing')
      await expect(page.getByRole('button', { name: 'Register', exact: true })).toBeDisabled()
      for (const name of ['9', 'Delete the last digit', '0', 'Done']) await tap(name)
      await expect(customer.content).toContainText('Join us')
      expect(await customer.page.content()).not.toContain('555')
      await expect(phone).toHaveValue('+30 690 555 0190')
      await expect(phone).toBeFocused()
      const sent = network.seen.slice(requests).map(({ method, path }) => `${method} ${path}`)
      expect(sent.filter((request) => /POST|customers/u.test(request))).toEqual([])

      await page.keyboard.press('Enter')
      await expect(cashier.customer).toContainText('Ioanna Vasileiou')
      await expect(customer.content).toContainText(/Hello, .Ioanna/)
      const log = await readFile(join(userData, 'logs', 'till.log'), 'utf8')
      expect(log.replaceAll(/\D/gu, '')).not.toContain('6905550190')

      // A customer who has not finished when the display crashes.
      await cashier.searchFor('Another')
      await page.getByRole('button', { name: 'Register customer' }).click()
      await letType.click()
      await tap('6')
      await expect(phone).toHaveValue('+30 6')
      await crashCustomerDisplay(app)
      await expect(status('The customer display closed')).toBeAttached()
      await expect(phone).toHaveValue('+30 6')
    })

    test('receives no phone, e-mail or family name of any customer', async ({
      twoScreens: { app, page, cashier }
    }) => {
      await turnOn(page, 'both')
      const customer = await openCustomerDisplay(app)
      await customer.recordViews()
      const seen: string[] = []
      const look = async (): Promise<void> => {
        seen.push(await customer.page.content())
      }

      for (const one of KNOWN_CUSTOMERS) {
        await cashier.searchFor(one.phone)
        await cashier.result(one.name).first().click()
        await cashier.customer.waitFor()
        await expect(customer.content).toContainText('Your points')
        await look()
        await cashier.points.fill('10')
        await page.getByRole('button', { name: 'Save and show' }).click()
        await expect(customer.content).toContainText('Points for you')
        // The display may be quicker than the till, which clears its fields for the next customer.
        await expect(cashier.customer).toBeHidden()
        await look()
      }
      // Somebody who gave a phone for a name.
      const phone = '+30 694 555 0190'
      await cashier.searchFor(phone)
      await cashier.register(phone)
      await expect(customer.content).toContainText('Welcome')
      await look()
      await cashier.points.fill('10')
      await page.getByRole('button', { name: 'Save and show' }).click()
      await expect(customer.content).toContainText('Thank you')
      await look()
      for (const place of ['Customers', 'Slips', 'Till'] as const) {
        await cashier.goTo(place)
        await look()
      }

      const views = await customer.recordedViews()
      expect(views.map(({ shows }) => shows.kind)).toEqual(
        expect.arrayContaining(['serving', 'points-issued'])
      )
      const firstNames = views.flatMap(({ shows }) => ('firstName' in shows ? [shows.firstName] : []))
      expect(new Set(firstNames)).toEqual(
        new Set([
          'Μαρία',
          'Γιώργος',
          'Zoé',
          'Jürgen',
          'Oliver',
          'فاطمة',
          '陽子',
          'Anh',
          'สมหญิง',
          'Grace',
          null
        ])
      )
      // The codes' drawings are numbers, too: a phone could only hide there as a picture.
      const words = [JSON.stringify(views), ...seen].map((text) => text.replaceAll(/"M[Mhvz0-9 -]*"/g, ''))
      const digitsOf = (text: string): string => text.replaceAll(/\D/g, '')
      for (const text of words) {
        expect(text).not.toContain('@example')
        expect(text).not.toContain('cus_')
        for (const { phone: one, name } of [...KNOWN_CUSTOMERS, { phone, name: '' }]) {
          expect(digitsOf(text)).not.toContain(digitsOf(one).slice(-8))
          const family = name.includes('佐藤')
            ? '佐藤'
            : name.includes('Nguyễn')
              ? 'Nguyễn'
              : name.split(' ').at(-1)
          if (family) expect(text).not.toContain(family)
        }
      }
    })
  })
}
