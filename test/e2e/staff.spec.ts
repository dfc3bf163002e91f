import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ElectronApplication } from '@playwright/test'
import { KNOWN_CUSTOMERS } from '../../electron/service/index.ts'
import { StaffPage } from './page-objects/staff.ts'
import { changeSettings, slipsOf, stateOf } from './support/bridge.ts'
import { expect, test as base, TOKENS, type Counter } from './support/fixtures.ts'
import { shown } from './support/shown.ts'
import { networkPrinter } from '../support/network-printer.ts'

const [known] = KNOWN_CUSTOMERS
const PIN = '471108154711'

/** Opens the staff's settings of a connected till. */
async function atStaffSettings(open: () => Promise<Counter>): Promise<Counter & { staff: StaffPage }> {
  const till = await open()
  const staff = new StaffPage(till.page)
  await staff.openStaffSettings()
  return { ...till, staff }
}

/** With the staff's settings of the shared till. A test ends unlocked; its cashiers, PIN and idle time end with it. */
const test = base.extend<{ atStaff: Counter & { staff: StaffPage } }>({
  atStaff: async ({ shared }, use) => {
    const { app, page } = shared
    await use(await atStaffSettings(() => Promise.resolve(shared)))
    await app.evaluate(({ powerMonitor }) => {
      Reflect.deleteProperty(powerMonitor, 'getSystemIdleTime')
      Reflect.deleteProperty(powerMonitor, 'getSystemIdleState')
    })
    for (const { id } of (await stateOf(page)).staff.cashiers)
      await page.evaluate((cashier) => window.tillpoints?.staff.removeCashier(cashier), { id })
    expect((await stateOf(page)).staff).toMatchObject({ cashiers: [], manager: 'open', locked: false })
  }
})

/** The person in front of the system's own dialog saves there. */
const willSaveTo = (app: ElectronApplication, filePath: string): Promise<void> =>
  app.evaluate(({ dialog }, path) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath: path })
  }, filePath)

/** Reports this idle time of the system. */
const isIdleFor = (app: ElectronApplication, seconds: number): Promise<void> =>
  app.evaluate(({ powerMonitor }, idle) => {
    powerMonitor.getSystemIdleTime = () => idle
  }, seconds)

/** Everything that the till wrote, as one text per file, in the encodings that digits could lie in. */
async function textsIn(folder: string): Promise<string[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const bytes = await Promise.all(
    files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name)))
  )
  return bytes.flatMap((one) => [one.toString('latin1'), one.toString('utf16le')])
}

test.describe('manager’s PIN', () => {
  test('is asked for where needed, and the pending action continues', async ({ openConnected, userData }) => {
    const { app, page, cashier, staff } = await atStaffSettings(openConnected)
    // No printer has this name, so its slips need attention.
    await changeSettings(page, {
      printer: {
        destination: networkPrinter({ host: 'printer.invalid', port: 9100 }),
        paperSize: '80mm'
      }
    })
    await staff.setManagerPin(PIN)
    await cashier.goTo('Till')
    await cashier.print(15)
    await expect.poll(async () => (await slipsOf(page))[0]?.state).toBe('print-failed')
    await page.getByRole('button', { name: 'End manager session' }).click()

    // A discard, first without the PIN: the reason stays.
    await cashier.goTo('Slips')
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('textbox', { name: 'Reason' }).fill('Wrong customer')
    await page.keyboard.press('Enter')
    await staff.enterManagerPin('0000')
    await expect(staff.managerDialog).toContainText('Wrong PIN')
    await staff.managerDialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('textbox', { name: 'Reason' })).toHaveValue('Wrong customer')
    expect((await slipsOf(page))[0]?.state).toBe('print-failed')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click()
    await staff.enterManagerPin(PIN)
    await expect.poll(async () => (await slipsOf(page))[0]?.state).toBe('discarded')
    await expect(page.getByRole('dialog')).toHaveCount(0)

    // An export, after the manager has gone.
    await page.getByRole('button', { name: 'End manager session' }).click()
    const file = join(userData, 'export.csv')
    await willSaveTo(app, file)
    await page.getByRole('button', { name: 'Export as CSV' }).click()
    await expect(staff.managerDialog).toBeVisible()
    await expect.poll(() => readdir(userData)).not.toContain('export.csv')
    await staff.enterManagerPin(PIN)
    await expect.poll(() => readdir(userData)).toContain('export.csv')

    // Many at once.
    await page.getByRole('button', { name: 'End manager session' }).click()
    await page.getByRole('button', { name: 'Issue batch' }).click()
    await page.getByRole('textbox', { name: 'Points' }).fill('5')
    await page.getByRole('textbox', { name: 'How many' }).fill('2')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^Issue 2/ }).click()
    await staff.managerDialog.getByRole('button', { name: 'Cancel' }).click()
    expect(await slipsOf(page)).toHaveLength(1)
    await page.getByRole('button', { name: /^Issue 2/ }).click()
    await staff.enterManagerPin(PIN)
    await expect.poll(async () => (await slipsOf(page)).length).toBe(3)

    // A setting: the choice goes back until the PIN is there.
    await page.getByRole('button', { name: 'End manager session' }).click()
    await cashier.goTo('Settings')
    await page.getByRole('tab', { name: 'General' }).click()
    const country = page.getByRole('combobox', { name: 'Country' })
    const before = await country.inputValue()
    await country.selectOption('FR')
    await staff.managerDialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(country).toHaveValue(before)
    await country.selectOption('FR')
    await staff.enterManagerPin(PIN)
    // The box may show the choice before the PIN was checked.
    await expect.poll(async () => (await stateOf(page)).settings.country).toBe('FR')
    await expect(country).toHaveValue('FR')
  })

  test('is in no file, and main refuses calls without it', async ({ openConnected, open }) => {
    const first = await atStaffSettings(openConnected)
    await first.staff.setManagerPin(PIN)
    await first.staff.addCashier('Ben', '929292929292')
    await first.close()
    const texts = await textsIn(first.userData)
    expect(texts.some((text) => text.includes('"managerPin"'))).toBe(true)
    const digits = [PIN, '929292929292']
    const secrets = [...digits, ...digits.map((pin) => Buffer.from(pin).toString('base64'))]
    expect(texts.filter((text) => secrets.some((secret) => text.includes(secret)))).toEqual([])

    const { page } = await open()
    const answers = await page.evaluate(() =>
      Promise.all([
        window.tillpoints?.till.set({ country: 'FR' }),
        window.tillpoints?.customers.list({ page: 1 }),
        window.tillpoints?.slips.exportCsv({})
      ])
    )
    const locked = { ok: false, failure: { kind: 'locked', needs: 'cashier' } }
    expect(answers).toEqual([locked, locked, locked])
  })

  test('is locked after three wrong attempts, also after a restart', async ({ openConnected, open }) => {
    const first = await atStaffSettings(openConnected)
    await first.staff.setManagerPin(PIN)
    await first.page.getByRole('button', { name: 'Lock', exact: true }).click()
    for (const wrong of ['0000', '1111', '2222']) {
      await expect(first.staff.lock.getByLabel('Manager PIN')).toHaveValue('')
      await first.staff.typePin(wrong)
      await expect(first.staff.lock).toContainText('Wrong PIN')
    }
    await expect(first.staff.lock).toContainText(/Try again in \d+ seconds/)
    await first.staff.typePin(PIN)
    await expect(first.staff.lock).toBeVisible()
    await first.close()

    const again = await open()
    const staff = new StaffPage(again.page)
    await expect(staff.lock).toBeVisible()
    await staff.typePin(PIN)
    await expect(staff.lock).toContainText(/Too many wrong PINs.*Try again in \d+ seconds/)
  })

  test('that waits on the lock screen can be entered once a cashier with a PIN unlocked the till', async ({
    openConnected
  }) => {
    const { page, staff } = await atStaffSettings(openConnected)
    await staff.addCashier('Anna', '1111')
    await staff.setManagerPin(PIN)
    await page.getByRole('button', { name: 'Lock', exact: true }).click()
    await staff.chooseCashier('Manager')
    for (const wrong of ['0000', '1111', '2222']) {
      await expect(staff.lock.getByLabel('Manager PIN')).toHaveValue('')
      await staff.typePin(wrong)
      await expect(staff.lock).toContainText('Wrong PIN')
    }
    await expect(staff.lock).toContainText('A cashier with a PIN can unlock the till')
    await staff.lock.getByRole('button', { name: 'Back' }).click()
    await staff.chooseCashier('Anna')
    await staff.lock.getByLabel('PIN', { exact: true }).and(page.locator(':focus')).waitFor()
    await staff.typePin('1111')
    await expect(staff.lock).toBeHidden()
    await page.getByRole('button', { name: 'Add cashier' }).waitFor()
    await page.getByRole('textbox', { name: 'New cashier' }).fill('Ben')
    await page.getByRole('button', { name: 'Add cashier' }).click()
    await staff.enterManagerPin(PIN)
    await expect(page.getByRole('group', { name: 'Ben' })).toBeVisible()
  })

  test('is reset by the token of the business and by no other', async ({ atStaff: { page, staff } }) => {
    await staff.setManagerPin(PIN)
    await page.getByRole('button', { name: 'Lock', exact: true }).click()
    await staff.lock.getByRole('button', { name: 'Forgotten PIN' }).click()
    await expect(staff.lock.getByLabel('Token')).toBeFocused()
    await staff.lock.getByLabel('Token').fill(TOKENS.other)
    await page.keyboard.press('Enter')
    await expect(staff.lock).toContainText('This token belongs to another business')
    await staff.lock.getByLabel('Token').fill(TOKENS.good)
    await page.keyboard.press('Enter')
    await expect(staff.lock).toBeHidden()
    expect((await stateOf(page)).staff).toMatchObject({ manager: 'open', locked: false })
  })
})

test('a reset that was refused says nothing on the list of cashiers, and nothing when it is opened again', async ({
  atStaff: { page, staff }
}) => {
  await staff.addCashier('Anna', '1111')
  await staff.setManagerPin(PIN)
  await page.getByRole('button', { name: 'Lock', exact: true }).click()
  await staff.lock.getByRole('button', { name: 'Unlock as manager' }).click()
  await staff.lock.getByRole('button', { name: 'Forgotten PIN' }).click()
  const token = staff.lock.getByLabel('Token')
  await token.fill('wrong-token')
  const remove = staff.lock.getByRole('button', { name: 'Remove manager PIN' })
  await remove.click()
  await expect(staff.lock).toContainText('does not accept this token')
  await expect(remove).toBeFocused()
  await staff.lock.getByRole('button', { name: 'Back' }).click()
  await expect(staff.lock.getByRole('button', { name: 'Anna' })).toBeVisible()
  await expect(staff.lock.getByRole('alert')).toHaveCount(0)
  await expect(staff.lock).not.toContainText('no longer accepts')
  await staff.lock.getByRole('button', { name: 'Unlock as manager' }).click()
  await staff.lock.getByRole('button', { name: 'Forgotten PIN' }).click()
  await expect(staff.lock).not.toContainText('does not accept')
  await token.fill(TOKENS.good)
  await page.keyboard.press('Enter')
  await expect(staff.lock).toBeHidden()
})

test.describe('cashiers', () => {
  test('are chosen on the lock screen and recorded in history and CSV', async ({
    openConnected,
    open,
    userData
  }) => {
    const first = await atStaffSettings(openConnected)
    await first.staff.addCashier('Άννα')
    await first.staff.addCashier('Ben', '2222')
    await first.close()

    const { app, page, cashier } = await open()
    const staff = new StaffPage(page)
    await staff.chooseCashier('Άννα')
    await expect(cashier.search).toBeFocused()
    await cashier.print(10)
    await expect(cashier.lastSlip).toBeVisible()
    await page.getByRole('button', { name: 'Lock', exact: true }).click()
    await staff.chooseCashier('Ben')
    await staff.typePin('2222')
    await expect(staff.lock).toBeHidden()
    await cashier.print(20)
    await expect.poll(async () => (await slipsOf(page)).length).toBe(2)
    expect((await slipsOf(page)).map((slip) => slip.cashier?.name)).toEqual(['Ben', 'Άννα'])

    await cashier.goTo('Slips')
    const history = page.getByRole('list', { name: 'History' }).getByRole('listitem')
    await expect(history).toHaveCount(2)
    await page.getByRole('combobox', { name: 'Cashier' }).selectOption('Άννα')
    await expect(history).toHaveCount(1)
    await expect(history).toContainText('10 points')

    const file = join(userData, 'export.csv')
    await willSaveTo(app, file)
    await page.getByRole('button', { name: 'Export as CSV' }).click()
    await expect.poll(() => readdir(userData)).toContain('export.csv')
    const lines = (await readFile(file, 'utf8')).trim().split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain(',Άννα,')
  })
})

test.describe('lock screen', () => {
  test('locks an idle till and keeps its state', async ({ atStaff: { app, page, cashier, staff } }) => {
    const slips = await slipsOf(page)
    await staff.addCashier('Ben')
    await page.getByRole('button', { name: 'Lock', exact: true }).click()
    await staff.chooseCashier('Ben')
    await page.getByRole('combobox', { name: 'Lock after' }).selectOption('1 minute')
    await cashier.goTo('Till')
    await cashier.choose(known.phone, known.name)
    await cashier.points.fill('250')
    await isIdleFor(app, 3600)
    await expect(staff.lock).toBeVisible()
    await page.keyboard.press('F9')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    await expect(staff.lock.locator(':focus')).toHaveCount(1)
    const reached = await cashier.points.evaluate((field) => {
      field.focus()
      return document.activeElement === field
    })
    expect(reached).toBe(false)
    await staff.chooseCashier('Ben')
    await expect(staff.lock).toBeHidden()
    await expect(cashier.points).toHaveValue('250')
    await expect(cashier.points).toBeFocused()
    await expect(cashier.customer).toContainText(known.name)
    expect(await slipsOf(page)).toEqual(slips)
  })

  if (process.platform === 'linux') {
    test('follows the screen lock of Linux, which is no event, and the settings say of which desktops', async ({
      atStaff: { app, page, staff }
    }) => {
      await staff.addCashier('Ben')
      await page.getByRole('combobox', { name: 'Lock after' }).selectOption('60 minutes')
      await expect(shown(page, 'its screen lock under GNOME, KDE')).toBeVisible()
      await app.evaluate(({ powerMonitor }) => {
        powerMonitor.getSystemIdleState = () => 'locked'
      })
      await expect(staff.lock).toBeVisible()
      await app.evaluate(({ powerMonitor }) => {
        powerMonitor.getSystemIdleState = () => 'active'
      })
      await staff.chooseCashier('Ben')
      await expect(staff.lock).toBeHidden()
    })
  }

  test('does not stop a slip that is being issued', async ({ atStaff: { page, staff } }) => {
    await staff.addCashier('Ben')
    const issued = await page.evaluate(async () => {
      const intentId = crypto.randomUUID()
      const issuing = window.tillpoints?.slips.issue({ intentId, points: 5, customer: null })
      await window.tillpoints?.staff.lock()
      return issuing
    })
    expect(issued).toMatchObject({ ok: true, value: { slip: { points: 5 } } })
    await expect(staff.lock).toBeVisible()
    await staff.chooseCashier('Ben')
    await expect.poll(async () => (await slipsOf(page))[0]?.state).toBe('printed')
  })

  test('covers an open dialog, which is there again after unlocking', async ({
    atStaff: { page, staff }
  }) => {
    await staff.addCashier('Ben')
    await page.getByRole('group', { name: 'Ben' }).getByRole('button', { name: 'Set PIN' }).click()
    const dialog = page.getByRole('dialog', { name: 'PIN of Ben' })
    await dialog.getByLabel('New PIN').fill('12345')
    await page.evaluate(() => window.tillpoints?.staff.lock())
    await expect(staff.lock).toBeVisible()
    await staff.chooseCashier('Ben')
    // What is typed before belongs to the lock.
    await expect(staff.lock).toBeHidden()
    await expect(dialog.getByLabel('New PIN')).toHaveValue('12345')
    await expect(dialog.getByLabel('New PIN')).toBeFocused()
    await staff.typePin('')
    await expect(dialog.getByLabel('Repeat new PIN')).toBeVisible()
  })
})
