/** A customer is forgotten in every file of the till, also after a kill, and the data of a customer is handed over. */
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { copyFile, mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pdfsShowing } from '../support/read-slip.ts'
import { scanFolder } from '../support/secret-scanner.ts'
import { slipsOf } from './support/bridge.ts'
import { expect, test as base, type Counter } from './support/fixtures.ts'
import { answerSaveDialog } from './support/main-process.ts'
import type { OpenOptions } from './support/till.ts'
import { shown } from './support/shown.ts'

const planted = { name: 'Xanthippi Markerova', phone: '+30 690 555 0199' }

interface Surroundings {
  /** the folder of the till; `slips`, `backups` and the browser's profile are in it */
  readonly till: string
  readonly temporary: string
  readonly saved: string
  readonly options: Partial<OpenOptions>
  /** Returns each find of the name or the id in the files of the till and in the temporary folder. */
  readonly traces: (id: string) => Promise<string[]>
}

const test = base.extend<{ around: Surroundings }>({
  around: async ({ userData }, use) => {
    const [till, temporary, saved] = ['till', 'temporary', 'saved'].map((name) => join(userData, name)) as [
      string,
      string,
      string
    ]
    for (const folder of [temporary, saved]) await mkdir(folder)
    await use({
      till,
      temporary,
      saved,
      options: { env: { TMPDIR: temporary, TMP: temporary, TEMP: temporary } },
      async traces(id) {
        const words = [planted.name, 'markerova', id]
        const found = [till, temporary].flatMap((folder) => words.map((word) => scanFolder(folder, word)))
        const pdfs = await pdfsShowing(join(till, 'slips'), planted.name)
        return [...(await Promise.all(found)).flat(), ...pdfs]
      }
    })
  }
})

/** Registers the customer, issues two slips and a copy, and leaves a backup and a quarantined journal with the name. */
async function withCustomer(
  openConnected: (options?: Partial<OpenOptions>) => Promise<Counter>,
  open: (options?: Partial<OpenOptions>) => Promise<Counter>,
  { till, options }: Surroundings
): Promise<{ counter: Counter; id: string }> {
  const first = await openConnected(options)
  const registered = await first.page.evaluate(
    (customer) => window.tillpoints?.customers.register(customer),
    planted
  )
  if (!registered?.ok) throw new Error('The customer was not registered')
  await first.cashier.choose(planted.phone, planted.name)
  await first.cashier.print(40)
  await expect.poll(async () => (await slipsOf(first.page))[0]?.state).toBe('printed')
  await first.page.evaluate(() => window.tillpoints?.slips.reprintLast())
  await expect.poll(async () => (await slipsOf(first.page))[0]?.copies).toBe(1)
  await first.close()

  await copyFile(join(till, 'journal.sqlite'), join(till, 'journal.damaged-2026-11-01T10-00-00-000Z.sqlite'))
  await rm(join(till, 'backups'), { recursive: true })
  const counter = await open(options)
  await expect
    .poll(() => (existsSync(join(till, 'backups')) ? readdirSync(join(till, 'backups')) : []))
    .toEqual([expect.stringMatching(/\.sqlite$/)])
  return { counter, id: registered.value.customer.id }
}

/** Opens the personal data of the customer in the list of customers. */
async function openPersonalData({ page, cashier }: Counter): Promise<void> {
  await cashier.goTo('Customers')
  await page.getByRole('searchbox', { name: 'Search customers' }).fill(planted.phone)
  await page.getByRole('list').getByRole('button', { name: planted.name }).click()
  await shown(page, 'Personal data').click()
}

test('a forgotten customer is in no file, and a reprint has no name', async ({
  openConnected,
  open,
  around
}) => {
  const { counter, id } = await withCustomer(openConnected, open, around)
  const { page, app } = counter
  const before = await around.traces(id)
  for (const place of ['journal.sqlite', 'journal.damaged', 'backups', '-COPY-1.pdf']) {
    expect(before.join('\n')).toContain(place)
  }

  await test.step('the data is saved as one file', async () => {
    const file = join(around.saved, 'customer.json')
    await openPersonalData(counter)
    await answerSaveDialog(app, file)
    await page.getByRole('button', { name: 'Save the data of this till' }).click()
    await expect(page.getByRole('main').getByText(`Saved as ${file}`)).toBeVisible()
    const saved: unknown = JSON.parse(await readFile(file, 'utf8'))
    const slips = [{ points: 40, customer_id: id, customer_name: planted.name }]
    expect(saved).toMatchObject({
      customer: { id, name: planted.name },
      journals: [{ file: 'journal.sqlite', slips }, { slips }, { slips }],
      pdfs: [expect.stringContaining('.pdf'), expect.stringContaining('.pdf')]
    })
  })

  await test.step('forgetting is confirmed, and shows what was removed', async () => {
    await page.getByRole('button', { name: 'Forget this customer' }).click()
    const dialog = page.getByRole('alertdialog')
    await expect(dialog).toContainText('The points service keeps its own record')
    await dialog.getByRole('button', { name: 'Keep customer' }).click()
    expect((await slipsOf(page))[0]?.customer?.name).toBe(planted.name)
    await page.getByRole('button', { name: 'Forget this customer' }).click()
    await dialog.getByRole('button', { name: 'Forget this customer' }).click()
    await expect(dialog).toContainText('Slips: 1. PDFs: 2. Backups: 2.')
    await dialog.getByRole('button', { name: 'Close' }).click()
    await expect(dialog).toHaveCount(0)
  })

  expect(await around.traces(id)).toEqual([])
  const [slip] = await slipsOf(page)
  expect(slip).toMatchObject({ customer: null, points: 40 })
  const reprinted = await page.evaluate(
    (intentId) => window.tillpoints?.slips.reprint({ intentId }),
    slip?.intentId ?? ''
  )
  expect(reprinted?.ok).toBe(true)
  expect(readdirSync(join(around.till, 'slips'))).toEqual([`${slip?.code ?? ''}-COPY-2.pdf`])
  expect(await around.traces(id)).toEqual([])
  await counter.close()
  expect(await around.traces(id)).toEqual([])
})

test('a till that was killed while it forgot a customer finishes at the next start', async ({
  openConnected,
  open,
  around
}) => {
  const { counter, id } = await withCustomer(openConnected, open, around)
  const marker = 'customer-removal.json'
  const killed = once(counter.app.process(), 'exit')
  // By itself: a signal of the test may come when all is done.
  await counter.app.evaluate((_electron, name) => {
    const files = process.getBuiltinModule('node:fs/promises')
    const { rename } = files
    files.rename = async (from, to) => {
      await rename(from, to)
      if (String(to).endsWith(name)) process.kill(process.pid, 'SIGKILL')
    }
    process.getBuiltinModule('node:module').syncBuiltinESMExports()
  }, marker)
  const forget = counter.page.evaluate((customer) => window.tillpoints?.privacy.forgetCustomer(customer), {
    id,
    name: planted.name
  })
  await Promise.all([killed, forget.catch(() => undefined)])
  expect(existsSync(join(around.till, marker))).toBe(true)
  const content = await readFile(join(around.till, marker), 'utf8')
  expect([id, planted.name].filter((text) => content.includes(text))).toEqual([])
  expect(await around.traces(id)).not.toEqual([])

  const again = await open(around.options)
  await expect.poll(() => existsSync(join(around.till, marker))).toBe(false)
  expect(await slipsOf(again.page)).toMatchObject([{ customer: null, points: 40 }])
  expect(await around.traces(id)).toEqual([])
})
