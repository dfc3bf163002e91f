/** The bill link `tillpoints://bill?…`: at the start of a till and at a till that is open, and hostile links. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ElectronApplication } from '@playwright/test'
import { PROJECT } from '../../resources/scripts/tools.ts'
import { KNOWN_CUSTOMERS } from '../../electron/service/index.ts'
import { StaffPage } from './page-objects/staff.ts'
import { slipsOf } from './support/bridge.ts'
import { electron } from './support/electron.ts'
import { expect, test, type Counter } from './support/fixtures.ts'
import { shown } from './support/shown.ts'

const [known, another] = KNOWN_CUSTOMERS
const PIN = '471108154711'

const link = (parameters: Readonly<Record<string, string>>): string =>
  `tillpoints://bill?${Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')}`

/** Starts the till a second time with a link, as Windows and Linux do. */
async function openLink({ userData }: Counter, url: string): Promise<void> {
  const second = spawn(electron.executable, [...electron.args, '.', `--user-data-dir=${userData}`, url], {
    cwd: PROJECT,
    env: { ...process.env, ...electron.env },
    stdio: 'ignore'
  })
  expect(await once(second, 'exit')).toEqual([0, null])
}

/** Emits the event with which macOS delivers a link. */
const emitOpenUrl = (app: ElectronApplication, url: string): Promise<void> =>
  app.evaluate((module, text) => {
    module.app.emit('open-url', { preventDefault: () => undefined }, text)
  }, url)

test('at a cold start: the customer is found, the points are filled in, and only a person issues them', async ({
  openConnected,
  userData
}) => {
  await mkdir(join(userData, 'till'))
  const pointsRule = { pointsPerUnit: '10', rounding: 'down', minimum: '0', currency: 'EUR' }
  await writeFile(join(userData, 'till/settings.json'), JSON.stringify({ tourSeen: true, pointsRule }))
  const url = link({ amount: '12.50', currency: 'EUR', reference: 'R-1042', phone: known.phone })
  const till = await openConnected({ args: [url] })
  await expect(till.cashier.customer).toContainText(known.name)
  await expect(till.cashier.points).toHaveValue('125')
  await expect(till.page.getByText('Bill R-1042 · €12.50')).toBeVisible()
  expect(await slipsOf(till.page)).toEqual([])
  await till.cashier.printButton.click()
  await expect(till.cashier.lastSlip).toBeVisible()
  await expect(till.page.getByText('Bill R-1042')).toBeHidden()
  expect((await slipsOf(till.page)).map(({ points }) => points)).toEqual([125])
  const log = await readFile(join(till.userData, 'logs/till.log'), 'utf8')
  expect(log).toContain('"bill-link"')
  // In quotes, as a value: a time of the log may end with these digits, too.
  expect(log).not.toContain('"12.50"')
  expect(log).not.toContain(known.phone.slice(-7))
})

test('at an open till: it comes to the front, and another screen gives way', async ({ shared: till }) => {
  await till.cashier.goTo('Rewards')
  await till.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.minimize())
  await openLink(till, link({ points: '75', reference: 'R-7', phone: '+30 690 000 9999' }))
  await expect(till.cashier.points).toBeHidden()
  await expect(till.cashier.search).toHaveValue('+30 690 000 9999')
  await expect(till.page.getByRole('button', { name: 'Register customer' })).toBeVisible()
  await till.page.keyboard.press('Escape')
  await expect(till.cashier.points).toHaveValue('75')
  expect(
    await till.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isMinimized())
  ).toBe(false)
  await till.page.getByRole('button', { name: 'Remove bill' }).click()
  await expect(till.cashier.points).toHaveValue('')
})

test('waits while the till is locked, and shows nothing of itself', async ({ shared: till }) => {
  const staff = new StaffPage(till.page)
  await staff.openStaffSettings()
  await staff.setManagerPin(PIN)
  await till.page.evaluate(() => window.tillpoints?.staff.lock())
  await staff.lock.waitFor()
  await emitOpenUrl(till.app, link({ points: '75', reference: 'R-8', phone: known.phone }))
  await expect(shown(staff.lock, 'A bill from another program is waiting')).toBeVisible()
  expect(await till.page.content()).not.toMatch(/R-8|941234567|941 234 567/)
  await staff.typePin(PIN)
  await expect(till.cashier.customer).toContainText(known.name)
  await expect(till.cashier.points).toHaveValue('75')
  await till.page.evaluate((current) => window.tillpoints?.staff.setManagerPin({ current, pin: null }), PIN)
})

test('asks while a customer is served', async ({ shared: till }) => {
  const { page, cashier } = till
  await cashier.choose(known.phone, known.name)
  await cashier.points.fill('40')
  const url = link({ points: '75', reference: 'R-9', phone: another.phone })
  const question = page.getByRole('alertdialog', { name: 'Bill R-9 · 75 points' })
  await openLink(till, url)
  await question.getByRole('button', { name: 'Keep this slip' }).click()
  await expect(cashier.points).toHaveValue('40')
  await expect(cashier.customer).toContainText(known.name)
  await openLink(till, url)
  await question.getByRole('button', { name: 'Replace with the bill' }).click()
  await expect(cashier.points).toHaveValue('75')
  await expect(cashier.customer).toContainText(another.name)
})

test('says that a bill has a slip already, before a second one is printed', async ({ shared: till }) => {
  const { page, cashier } = till
  const url = link({ points: '75', reference: 'R-11' })
  await openLink(till, url)
  await expect(cashier.points).toHaveValue('75')
  await cashier.printButton.click()
  const printed = { reference: 'R-11', caller: null, state: 'printed' }
  await expect.poll(async () => (await slipsOf(page))[0]).toMatchObject(printed)
  await openLink(till, url)
  const question = page.getByRole('alertdialog', { name: 'Bill R-11 · 75 points' })
  await expect(question).toContainText('This bill has a slip already: 75 points · Saved')
  await question.getByRole('button', { name: 'Don’t use' }).click()
  await expect(cashier.points).toHaveValue('')
  await cashier.goTo('Slips')
  await page
    .getByRole('button', { name: /75 points/ })
    .first()
    .click()
  await expect(shown(page, 'R-11')).toBeVisible()
})

test('waits for the end of onboarding', async ({ open }) => {
  const till = await open({ args: [link({ points: '75', reference: 'R-10' })] })
  await expect(shown(till.page, 'A bill from another program is waiting')).toBeVisible()
  await till.manager.startTraining()
  await expect(till.cashier.points).toHaveValue('75')
})

test('hostile links fill nothing, and the till says so', async ({ shared: till }) => {
  const { app, page, cashier } = till
  const slips = await slipsOf(page)
  const refused = cashier.alert.filter({ hasText: 'was refused, so nothing was filled in' })
  const expectRefused = async (reason: string): Promise<void> => {
    await expect(refused).toContainText(reason)
    await expect(refused).toHaveCount(1)
    await refused.getByRole('button', { name: 'Dismiss' }).click()
    await expect(refused).toHaveCount(0)
    await expect(cashier.points).toHaveValue('')
    await expect(cashier.search).toHaveValue('')
  }
  // The longest argument that Linux passes to a program has 128 kB.
  await openLink(till, `tillpoints://bill?points=5&reference=${'A'.repeat(120_000)}`)
  await expectRefused('too long')
  await openLink(till, 'tillpoints:javascript:alert(1)')
  await expectRefused('not a valid bill link')
  // macOS has no limit for a link.
  const urls: readonly (readonly [string, string])[] = [
    [`tillpoints://bill?points=5&reference=${'A'.repeat(10_000_000)}`, 'too long'],
    ['javascript:alert(1)', 'not a valid bill link'],
    ['tillpoints://bill?points=5&print=yes', 'does not know']
  ]
  for (const [url, reason] of urls) {
    await emitOpenUrl(app, url)
    await expectRefused(reason)
  }
  expect(await slipsOf(page)).toEqual(slips)
})
