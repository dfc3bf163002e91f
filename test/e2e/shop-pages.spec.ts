import { chromium, type Browser, type Locator, type Page } from '@playwright/test'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { findChromium } from '../support/chromium.ts'
import { slipsOf } from './support/bridge.ts'
import { expect, test } from './support/fixtures.ts'
import { openFaultyNetwork } from '../support/faulty-network.ts'
import { ShopService } from './support/shop-service.ts'

const PASSWORD = 'coffee with milk'

const launch = (): Promise<Browser> =>
  chromium.launch({ executablePath: findChromium() ?? '', args: ['--no-sandbox', '--disable-gpu'] })

/** Works a page by the keyboard alone. */
class Keyboard {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  /** Presses Tab until a control has the focus. */
  async goTo(control: Locator): Promise<void> {
    const element = await control.elementHandle()
    for (let presses = 0; presses < 120; presses += 1) {
      if (await element.evaluate((node) => node === document.activeElement)) return
      await this.page.keyboard.press('Tab')
    }
    throw new Error(`Tab never reaches ${String(control)}`)
  }

  async type(label: string, text: string): Promise<void> {
    await this.goTo(this.page.getByLabel(label, { exact: true }))
    await this.page.keyboard.press('ControlOrMeta+A')
    await this.page.keyboard.type(text)
  }

  /** Without typing: a list begins a new search a second after the last letter, which a busy machine may need. */
  async choose(label: string, option: string): Promise<void> {
    const list = this.page.getByLabel(label)
    await this.goTo(list)
    await list.selectOption(option)
  }

  async press(role: 'button' | 'link', name: string | RegExp): Promise<void> {
    await this.goTo(this.page.getByRole(role, { name, exact: true }).first())
    await this.page.keyboard.press('Enter')
  }
}

/** The owner opens the shop by the link of the first start. */
const openShop = async (page: Page, shop: ShopService): Promise<Keyboard> => {
  const keyboard = new Keyboard(page)
  await page.goto(shop.links[0] ?? '')
  await keyboard.type('Name of the shop', 'Corner Café')
  await keyboard.choose('Country', 'Greece')
  await keyboard.type('Your name', 'Ana')
  await keyboard.type('New password', PASSWORD)
  await keyboard.type('New password again', PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByText('The last 30 days')).toBeVisible()
  return keyboard
}

test('an owner opens a shop by the first link, and a slip of its till is collected and redeemed', async ({
  open,
  userData
}) => {
  const shop = await ShopService.startNew(join(userData, 'shop'))
  const browser = await launch()
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' })
    const owner = await openShop(page, shop)
    const main = page.getByRole('main')

    await owner.press('link', 'Rewards')
    await owner.type('Name of the reward', 'Espresso')
    await owner.type('Points that it costs', '60')
    await page.keyboard.press('Enter')
    await expect(main).toContainText('The reward is added.')
    await owner.press('link', 'Tills')
    await owner.type('Name of the till', 'Till 1')
    await page.keyboard.press('Enter')
    const code = await page.getByText(/^[A-Z]{4}-[A-Z]{4}$/).innerText()

    const till = await open()
    await till.manager.connect(shop.origin, code)
    await expect(till.page.getByRole('banner')).toContainText('Corner Café')
    const states = async (): Promise<readonly string[]> =>
      (await slipsOf(till.page)).map(({ state }) => state)
    await till.cashier.print(250)
    await expect.poll(states).toEqual(['printed'])
    await till.cashier.print(10)
    await expect.poll(states).toEqual(['printed', 'printed'])
    const [unused, slip] = await slipsOf(till.page)

    const phone = await browser.newPage({ viewport: { width: 390, height: 844 }, locale: 'en-GB' })
    await phone.goto(`${shop.origin}/q/${String(slip?.code)}`)
    await phone.getByLabel('Phone number').fill('690 123 4567')
    await phone.getByLabel('Name').fill('Eleni')
    await phone.getByRole('button', { name: 'Collect' }).click()
    await phone.getByRole('link', { name: 'My points' }).click()
    await phone.getByRole('button', { name: 'Link this phone' }).click()
    const digits = await phone.getByText(/^\d{6}$/).innerText()

    await owner.press('link', 'Today')
    await expect(main.locator('dl')).toHaveText(
      /Slips issued\s*2\s*260 points\s*Slips collected\s*1\s*250 points/
    )
    await expect(main.locator('dl')).toHaveText(/Rewards redeemed\s*0\s*0 points\s*Customers joined\s*1/)

    await owner.press('link', 'Customers')
    await owner.type('Name, phone or e-mail', '6901234567')
    await page.keyboard.press('Enter')
    // The list before the search has her, too: Enter would be pressed on the page that is left.
    await page.waitForURL(/name=6901234567/)
    await owner.press('link', /^Eleni/)
    await owner.press('button', 'Redeem Espresso')
    await expect(main).toContainText('Redeemed.')
    await expect(main).toContainText('190 points')
    await owner.press('link', 'Link the phone')
    await owner.type('Six digits', digits)
    await page.keyboard.press('Enter')
    await expect(main).toContainText('The phone is linked.')
    await phone.getByRole('link', { name: 'Show my points' }).click()
    await expect(phone.getByRole('main')).toContainText('Balance 190 points')

    await owner.press('link', 'Codes')
    await owner.type('Code on the slip', String(unused?.code).toLowerCase())
    await page.keyboard.press('Enter')
    await owner.press('button', 'Cancel the code')
    await expect(main).toContainText('The code is cancelled.')
    await owner.press('link', 'Today')
    await expect(main.locator('dl')).toHaveText(/Slips issued\s*1\s*250 points/)

    // A till that lost its access says so.
    await owner.press('link', 'Tills')
    await owner.press('link', 'End the access of Till 1')
    await owner.press('button', 'End access')
    await expect(main).toContainText('The access of the till has ended.')
  } finally {
    await browser.close()
    await shop.close()
  }
})

test('staff, another site and a session that has ended reach nothing of the owner’s', async ({
  userData
}) => {
  const shop = await ShopService.startNew(join(userData, 'shop'))
  const browser = await launch()
  try {
    const owner = await browser.newContext({ locale: 'en-GB' })
    const page = await owner.newPage()
    await openShop(page, shop)
    const manage = page.url().replace(/\/today.*/, '')
    await page.goto(`${manage}/staff`)
    await page.getByLabel('Name').fill('Ben')
    await page.getByRole('button', { name: 'Make a link' }).click()
    const link = await page.getByText(/\/welcome\//).innerText()

    const staff = await (await browser.newContext({ locale: 'en-GB' })).newPage()
    await staff.goto(link)
    await staff.getByLabel('New password', { exact: true }).fill(PASSWORD)
    await staff.getByLabel('New password again').fill(PASSWORD)
    await staff.getByRole('button', { name: 'Sign in' }).click()
    await expect(staff.getByRole('heading', { name: 'Customers' })).toBeVisible()
    expect(
      await staff.getByRole('navigation', { name: 'Sections' }).getByRole('link').allInnerTexts()
    ).toEqual(['Customers', 'Codes', 'Ben'])
    for (const section of ['today', 'rewards', 'rules', 'tills', 'profile', 'data', 'staff']) {
      expect((await staff.goto(`${manage}/${section}`))?.status()).toBe(403)
    }

    // A page of another origin sends a form with the owner's browser.
    const attacker = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(
        `<form method="post" action="${manage}/rewards"><input name="name" value="Forged"><input name="cost" value="1"><button>Win</button></form>`
      )
    })
    await once(attacker.listen(0, '127.0.0.1'), 'listening')
    const address = attacker.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    // The browser keeps the cookie from another site, but not from another port of the same host.
    for (const [host, answer] of [
      ['localhost', page.getByRole('heading', { name: 'Sign in' })],
      ['127.0.0.1', page.getByRole('alert').filter({ hasText: 'Nothing was changed.' })]
    ] as const) {
      await page.goto(`http://${host}:${String(address.port)}/`)
      await page.getByRole('button', { name: 'Win' }).click()
      await page.waitForURL(`${manage}/**`)
      await expect(answer).toBeVisible()
    }
    await page.goto(`${manage}/rewards`)
    await expect(page.getByRole('main')).toContainText('No rewards yet.')
    attacker.close()

    // Whoever has the cookie is signed out with the owner.
    const thief = await browser.newContext({ locale: 'en-GB' })
    await thief.addCookies(await owner.cookies())
    const stolen = await thief.newPage()
    await stolen.goto(`${manage}/today`)
    await expect(stolen.getByText('The last 30 days')).toBeVisible()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(page.getByText('You are signed out.')).toBeVisible()
    await stolen.reload()
    await expect(stolen.getByRole('button', { name: 'Sign in' })).toBeVisible()
  } finally {
    await browser.close()
    await shop.close()
  }
})

test('an owner’s rules are at the till within a minute, which calculates with them also without a connection', async ({
  open,
  userData
}) => {
  const shop = await ShopService.startNew(join(userData, 'shop'))
  const line = await openFaultyNetwork(shop.origin)
  const browser = await launch()
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' })
    const owner = await openShop(page, shop)
    await owner.press('link', 'Tills')
    await owner.type('Name of the till', 'Till 1')
    await page.keyboard.press('Enter')
    const code = await page.getByText(/^[A-Z]{4}-[A-Z]{4}$/).innerText()
    const { manager, cashier, page: till } = await open()
    await manager.connect(new URL(line.url).origin, code)
    await expect(till.getByRole('banner')).toContainText('Corner Café')
    await expect(till.getByRole('textbox', { name: 'Amount' })).toBeHidden()

    await owner.press('link', 'Earning rules')
    await owner.type('Points for one unit of the currency', '1')
    const bonus = page.getByRole('group', { name: 'Bonus time 1' })
    await bonus.getByLabel('Name').fill('Opening week')
    await bonus.getByLabel('Factor').fill('2')
    for (const day of await bonus.getByRole('checkbox').all()) await day.check()
    await owner.press('button', 'Save and use')
    await expect(page.getByRole('main')).toContainText('Version 1 is in use.')

    const amount = till.getByRole('textbox', { name: 'Amount' })
    await amount.waitFor({ timeout: 90_000 })
    await amount.fill('45.20')
    await expect(till.getByText(/^€45\.20 × 1, .?Opening week.? × 2 = 90 points$/)).toBeVisible()
    await amount.press('Enter')
    const newest = async () => (await slipsOf(till))[0]
    await expect.poll(newest).toMatchObject({ points: 90, state: 'printed', offline: null })

    await owner.press('button', 'Preview')
    await expect(page.getByRole('main')).toContainText(
      /Bills of the last 30 days\s*1\s*Points they earned\s*90/
    )

    await line.unplug()
    await cashier.searchFor('nobody')
    await expect(cashier.offline).toContainText('Slips still work')
    await cashier.search.fill('')
    await amount.fill('10')
    await amount.press('Enter')
    await expect.poll(newest).toMatchObject({ points: 20, state: 'printed', offline: { reportedAt: null } })
  } finally {
    await browser.close()
    await line.close()
    await shop.close()
  }
})
