import { chromium, type Page } from '@playwright/test'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import * as v from 'valibot'
import { findChromium } from '../support/chromium.ts'
import { violationsOn } from '../accessibility/violations.ts'
import { smallTargets } from '../accessibility/small-targets.ts'
import { FULL } from '../support/size.ts'
import { expect, test } from './support/fixtures.ts'
import { ShopService } from './support/shop-service.ts'

const PASSWORD = 'coffee with milk'
/** The full size is what the page promises; less of it still takes long enough to be stopped and killed in the middle. */
const LINES = FULL ? 20_000 : 8_000
const BROKEN = FULL ? 300 : 117
const WHOLE = LINES - BROKEN

/** People in six scripts, with the beginning of their phone numbers. */
const PEOPLE = [
  ['Zoé Lefèvre', 'zoé', '+33 6 '],
  ['Άννα Παπαδοπούλου', 'άννα', '+30 69'],
  ['Анна Иванова', 'анна', '+7-91'],
  ['علي حسن', 'علي', '+20 1'],
  ['अन्ना शर्मा', 'अन्ना', '＋９１ 98'],
  ['安娜', '安娜', '+86.138']
] as const

/** What makes a line unusable, with its reason on the page. */
const FAULTS = [
  [`"Anna;+306900000001;;1;1`, 'The line has more cells'],
  ['Anna;+306900000002;;1;1;1', 'The line has more cells'],
  // The first customer's phone, written in another way.
  ['Anna;+33-6-10000001;;1;1', 'The same as line 3.'],
  ['Anna;69;;1;1', 'This cannot be a phone number'],
  ['Anna;+306900000004;anna;1;1', 'This cannot be an e-mail address.'],
  ['Anna;+306900000005;;-1;1', 'The balance must be'],
  ['Anna;+306900000006;;5;4', 'The lifetime points must be'],
  [`${'ά'.repeat(201)};+306900000008;;1;1`, 'The name has more than 200 characters.'],
  ['"An\u0007na";+306900000009;;1;1', 'The name has characters']
] as const

/** The numbers of the broken lines are spread over the file. */
const isBroken = (index: number): boolean => index % 66 === 0 && index < BROKEN * 66

const FORMULA = '=HYPERLINK("http://x.example";"Anna")'

const createFile = () => {
  const lines: string[] = []
  const reasons: string[] = []
  let [lifetime, balance] = [0, 0]
  for (let index = 0; index < LINES; index += 1) {
    if (isBroken(index)) {
      const [text = '', reason = ''] = FAULTS[(index / 66) % FAULTS.length] ?? []
      lines.push(text)
      reasons.push(`${String(index + 2)} ${reason}`)
      continue
    }
    const [name, user, phone] = PEOPLE[(index - 1) % PEOPLE.length] ?? PEOPLE[0]
    const points = index % 500
    lifetime += points + 7
    balance += points
    const shown = index === 1000 ? FORMULA.replaceAll('"', '""') : `${name} ""${String(index)}""`
    lines.push(
      `"${shown}";${phone}${String(10_000_000 + index)};${user}${String(index)}@παράδειγμα.example;${String(points)};${String(points + 7)}`
    )
  }
  return {
    text: `\ufeffName;Phone;E-mail;Balance;Lifetime points\r\n${lines.join('\r\n')}\r\n`,
    reasons,
    lifetime,
    balance
  }
}

const openShop = async (page: Page, shop: ShopService): Promise<void> => {
  await page.goto(shop.links[0] ?? '')
  await page.getByLabel('Name of the shop').fill('Corner Café')
  await page.getByLabel('Country').selectOption({ label: 'Greece' })
  await page.getByLabel('Your name').fill('Ana')
  await page.getByLabel('New password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('New password again').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByText('The last 30 days')).toBeVisible()
}

/** Saves what a link leads to, and returns the path. */
const save = async (page: Page, name: string, file: string): Promise<string> => {
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name, exact: true }).click()
  await (await download).saveAs(file)
  return file
}

/** The records of a file that an export wrote, as a spreadsheet reads them. */
const recordsOf = (text: string): string[][] =>
  text
    .replace(/^\ufeff/, '')
    .split('\r\n')
    .slice(0, -1)
    .map((line) =>
      [...line.matchAll(/(?:^|[,;])(?:"((?:[^"]|"")*)"|([^,;]*))/g)].map(
        ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? ''
      )
    )

const countsOf = (page: Page): Promise<number[]> =>
  page
    .locator('dl dd')
    .allInnerTexts()
    .then((texts) => texts.map((text) => Number(text.replaceAll(',', ''))))

test('thousands of customers are imported once, through a stop and a kill, and the export brings nothing new', async ({
  userData
}) => {
  test.setTimeout(300_000)
  const folder = join(userData, 'shop')
  const { text, reasons, lifetime, balance } = createFile()
  const file = join(userData, 'customers.csv')
  let shop = await ShopService.startNew(folder)
  await writeFile(file, text)
  const browser = await chromium.launch({
    executablePath: findChromium() ?? '',
    args: ['--no-sandbox', '--disable-gpu']
  })
  try {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 }, locale: 'en-GB' })
    const main = page.getByRole('main')
    const expectAccessible = async (): Promise<void> => {
      expect([...(await violationsOn(page)), ...(await smallTargets(page))]).toEqual([])
      const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(width).toBeLessThanOrEqual(0)
    }
    await openShop(page, shop)
    await page.goto(page.url().replace(/\/today.*/, '/data'))
    await expectAccessible()
    await page.getByLabel('CSV file').setInputFiles(file)
    await page.getByRole('button', { name: 'Show what it would do' }).click()
    await page.locator('dl.figures').waitFor()
    await expect(main).toContainText('Nothing is imported yet.')
    expect(await countsOf(page)).toEqual([WHOLE, 0, balance, BROKEN])
    await expectAccessible()
    const refused = recordsOf(
      await readFile(await save(page, 'Save all refused lines', join(userData, 'refused.csv')), 'utf8')
    )
    expect(refused).toHaveLength(BROKEN + 1)
    for (const [index, fields] of refused.slice(1).entries()) {
      expect(fields.slice(-2).join(' ')).toContain(reasons[index])
    }

    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByRole('button', { name: 'Stop' }).click()
    await expect(main).toContainText('The import is stopped. What was imported stays.')
    await expectAccessible()
    const [stoppedAt = 0] = await countsOf(page)
    expect(stoppedAt).toBeLessThan(WHOLE)
    await page.reload()
    expect((await countsOf(page))[0]).toBe(stoppedAt)

    await page.getByRole('button', { name: 'Go on' }).click()
    await expect(page.getByRole('progressbar')).toBeVisible()
    const { pathname } = new URL(page.url())
    // Not a page that loads itself while nothing answers.
    await page.goto('about:blank')
    const doneNow = async (): Promise<number> => {
      const body = await (await page.request.get(shop.origin + pathname)).text()
      return Number(/<progress[^>]*value="(\d+)"/.exec(body)?.[1])
    }
    await expect.poll(doneNow, { intervals: [50] }).toBeGreaterThan(stoppedAt)
    await shop.kill()
    expect(await shop.run(v.object({ faults: v.array(v.unknown()) }), 'verify')).toEqual({ faults: [] })
    shop = await ShopService.serve(folder)
    await page.goto(shop.origin + pathname)
    const [goneOnAt = WHOLE] = await countsOf(page)
    expect(goneOnAt).toBeLessThan(WHOLE)
    // The page loads itself until the end.
    await expect(main).toContainText('The import is done.', { timeout: 120_000 })
    expect(await countsOf(page)).toEqual([WHOLE, 0, balance, BROKEN])
    expect(await shop.run(v.object({ faults: v.array(v.unknown()) }), 'verify')).toEqual({ faults: [] })

    await page.getByRole('link', { name: 'Data' }).first().click()
    const exported = async (name: string): Promise<string> =>
      readFile(await save(page, `Save ${name}`, join(userData, `${name}-exported.csv`)), 'utf8')
    const customers = await exported('customers')
    const entries = await exported('entries')
    const records = recordsOf(customers)
    expect(records).toHaveLength(WHOLE + 1)
    expect(new Set(records.map(([, phone]) => phone)).size).toBe(WHOLE + 1)
    expect(records.slice(1).reduce((sum, fields) => sum + Number(fields[4]), 0)).toBe(lifetime)
    expect(
      records.flat().filter((cell) => /^["'\s]*[=@＝＋－＠]|^[+-]/.test(cell) && !cell.startsWith("'"))
    ).toEqual([])
    expect(records.flat()).toContain(`'${FORMULA}`)
    expect(recordsOf(entries)).toHaveLength(WHOLE + 1)

    await page.getByLabel('CSV file').setInputFiles(join(userData, 'customers-exported.csv'))
    await page.getByRole('button', { name: 'Show what it would do' }).click()
    await page.locator('dl.figures').waitFor()
    await expect(main).toContainText('Nothing is imported yet.')
    expect(await countsOf(page)).toEqual([0, WHOLE, 0, 0])
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await expect(main).toContainText('The import is done.', { timeout: 120_000 })
    expect(await countsOf(page)).toEqual([0, WHOLE, 0, 0])
    await page.getByRole('link', { name: 'Data' }).first().click()
    expect(await exported('customers')).toBe(customers)
    expect(await exported('entries')).toBe(entries)

    await page.getByRole('button', { name: 'Backup now' }).click()
    await expect(main).toContainText('The backup is made and checked.', { timeout: 120_000 })
    await expectAccessible()
    await main.getByRole('link', { name: 'Data' }).last().click()
    await expectAccessible()
    const backup = page.waitForEvent('download')
    await page.getByRole('link', { name: /^Download the backup of/ }).click()
    const saved = await readFile(await (await backup).path())
    expect(zstdDecompressSync(saved).subarray(0, 15).toString()).toBe('SQLite format 3')
  } finally {
    await browser.close()
    await shop.close()
  }
})
