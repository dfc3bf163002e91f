/**
 * The forms of the shop's own pages in a browser: in another language, sent after the session has ended, pressed twice, loaded
 * again, returned to, and sent again. What was typed stays, nothing happens twice, and the browser shows no error page of its own.
 */
import { expect, test, type Locator } from '@playwright/test'
import { systemRandomBytes } from '../../electron/service/domain/identifiers.ts'
import { hashPassword } from '../../electron/service/domain/staff.ts'
import { createManagePages } from '../../electron/service/manage/index.ts'
import { openSqlite } from '../../electron/service/store/sqlite.ts'
import {
  createServiceRunner,
  type ServiceRunner,
  type ServiceScene
} from '../support/screenshots/service-runner.ts'
import { PASSWORD, SHOP_FORMS, type ShopForm } from './support/shop-forms.ts'

let runner: ServiceRunner
let passwordHash: string
test.beforeAll(async () => {
  ;[runner, passwordHash] = await Promise.all([createServiceRunner(), hashPassword(PASSWORD)])
})
test.afterAll(() => runner.close())

const WINDOW = { size: { width: 1366, height: 768 }, theme: 'light', language: 'en' } as const

/** A browser has a page that is opened twice in a row once in its history. */
const ANOTHER_PAGE = '/?code='

/** Of two presses the second may come when the first has ended its session: `sent-twice.test.ts` sends it without a browser. */
const NOT_HERE = ['/manage/:business/me']

test('the table has every other form', async () => {
  const database = await openSqlite(':memory:')
  const { routes } = createManagePages({
    database,
    publicUrl: 'http://127.0.0.1',
    addressOf: () => '',
    now: () => new Date(),
    random: systemRandomBytes,
    onInternalError: () => undefined
  })
  await database.close()
  const posts = new Set(routes.filter(({ method }) => method === 'POST').map(({ path }) => path))
  const inTable = SHOP_FORMS.flatMap(({ route, standsFor }) => [route, ...standsFor])
  expect([...inTable, ...NOT_HERE].toSorted()).toEqual([...posts].toSorted())
})

/** The form of a page: the first in its text whose action ends as the route. */
const formIn = ({ page }: ServiceScene, { route }: ShopForm): Locator => {
  const end = route.split('/').at(-1) ?? ''
  const action = end.startsWith(':') ? '' : `[action$="/${end}"]`
  const place = end === 'sign-out' ? 'nav' : 'main'
  return page.locator(`${place} form[method="post"]${action}`).first()
}

const expectSaid = async ({ page }: ServiceScene, text: string): Promise<void> => {
  await expect(page.locator('main')).toContainText(text)
  expect(page.url()).toMatch(/^http/)
}

const fill = async (own: Locator, texts: Readonly<Record<string, string>>): Promise<void> => {
  for (const [name, text] of Object.entries(texts)) await own.locator(`[name="${name}"]`).fill(text)
}

const expectTyped = async (own: Locator, texts: Readonly<Record<string, string>>): Promise<void> => {
  for (const [name, text] of Object.entries(texts))
    await expect(own.locator(`[name="${name}"]`)).toHaveValue(text)
}

/** Sends a form after its session has ended, and signs in again: the page has what was typed, and nothing is done. */
const sendAfterTheSession = async (scene: ServiceScene, own: Locator): Promise<void> => {
  const { page, shop } = scene
  const address = page.url()
  await shop.database.write(
    'DELETE FROM sessions WHERE member IN (SELECT id FROM staff_members WHERE business = $1)',
    [shop.business]
  )
  await own.locator('button').last().click()
  await expectSaid(scene, 'Please sign in again.')
  await page.locator('#name').fill('Μαρία')
  await page.locator('#password').fill(PASSWORD)
  await page.locator('main form button').click()
  await expectSaid(scene, 'You were signed out before this was sent.')
  // A question, and what a file would do, are pages before the one that is led to.
  if ((await own.count()) === 0) await page.goto(address)
}

for (const form of SHOP_FORMS) {
  const { route, open, typed = {}, typedLast = {}, says, count, done } = form
  test(route, async () => {
    const work = async (scene: ServiceScene): Promise<void> => {
      const { page, shop, visit } = scene
      const own = formIn(scene, form)
      const choose = async (language: string): Promise<void> => {
        await page.locator(`footer [lang="${language}"]`).click()
        await expect(page.locator('html')).toHaveAttribute('lang', language)
      }
      await open(scene)
      await shop.database.write(
        'UPDATE staff_members SET password_hash = $2 WHERE business = $1 AND name_key IS NOT NULL',
        [shop.business, passwordHash]
      )
      await fill(own, typed)
      for (const language of ['ar', 'en']) {
        await choose(language)
        await expectTyped(own, typed)
      }
      await fill(own, typedLast)
      if (/^\/manage\/:business(?!\/sign-)/.test(route)) {
        const before = await count(scene)
        await sendAfterTheSession(scene, own)
        await expectTyped(own, typed)
        expect(await count(scene)).toBe(before)
        await fill(own, typedLast)
      }
      const sent = await own.evaluate((element: HTMLFormElement) => {
        const fields = [...new FormData(element)].filter(
          (field): field is [string, string] => typeof field[1] === 'string'
        )
        return { action: element.action, fields: Object.fromEntries(fields) }
      })

      await own.locator('button').last().dblclick()
      await expectSaid(scene, says)
      expect(await count(scene)).toBe(done)
      await page.reload()
      await expectSaid(scene, says)
      await visit(ANOTHER_PAGE)
      await page.goBack()
      await expectSaid(scene, says)
      await page.goBack()
      await expectSaid(scene, '')
      await page.goForward()
      await expectSaid(scene, says)
      await choose('de')

      const headers = { 'sec-fetch-site': 'same-origin' }
      const again = await page.request.post(sent.action, { form: sent.fields, headers, maxRedirects: 0 })
      expect(again.status()).toBe(303)
      expect(await count(scene)).toBe(done)
    }
    const { faults, close } = await runner.open({ name: 'form', steps: work }, WINDOW)
    await close()
    expect(faults).toEqual([])
  })
}
