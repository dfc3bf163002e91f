/**
 * Every page and form of the service by Back, reload, a double press, another language in the middle, and without cookies:
 * nothing is lost, nothing happens twice, and the browser shows no error page of its own.
 */
import { createPages } from '../../electron/service/pages/index.ts'
import { systemRandomBytes } from '../../electron/service/domain/identifiers.ts'
import { openSqlite } from '../../electron/service/store/sqlite.ts'
import {
  createServiceRunner,
  type ServiceRunner,
  type ServiceScene
} from '../support/screenshots/service-runner.ts'
import { expect, test } from '@playwright/test'
import {
  CUSTOMER_FILES,
  CUSTOMER_FORMS,
  CUSTOMER_PAGES,
  type ServiceForm,
  type ServicePage
} from './support/service-forms.ts'

const PAGES = [...CUSTOMER_PAGES]
const FORMS = [...CUSTOMER_FORMS]

let runner: ServiceRunner
test.beforeAll(async () => {
  runner = await createServiceRunner()
})
test.afterAll(() => runner.close())

const PHONE = { size: { width: 390, height: 844 }, theme: 'light', language: 'en' } as const

/** None of the tables: a browser has an address that is opened twice once in its history. */
const ANOTHER_PAGE = '/?code='

/** Opens the page of a form or its like in a shop of its own, and does something there. */
const inShop = async (
  { prepare }: Pick<ServicePage, 'prepare'>,
  work: (scene: ServiceScene) => Promise<void>,
  { keepsCookies = true } = {}
): Promise<void> => {
  const { faults, close } = await runner.open(
    {
      name: 'form',
      ...(keepsCookies ? {} : { isWithoutCookies: true as const }),
      steps: async (scene) => {
        await scene.visit(await prepare(scene))
        await work(scene)
      }
    },
    PHONE
  )
  await close()
  expect(faults).toEqual([])
}

/** The part of a page, or of a page in a frame, that an error page of the browser does not have. */
const OWN_PART = 'main, body.frame > div'

const textOf = ({ page }: ServiceScene): Promise<string> => page.locator(OWN_PART).innerText()

const expectOwnPage = async ({ page }: ServiceScene): Promise<void> => {
  await expect(page.locator(OWN_PART)).toBeVisible()
  expect(page.url()).toMatch(/^http/)
}

const fill = async ({ page }: ServiceScene, typed: Readonly<Record<string, string>>): Promise<void> => {
  for (const [name, text] of Object.entries(typed)) {
    const field = page.locator(`main [name="${name}"]`)
    if ((await field.evaluate(({ tagName }) => tagName)) === 'SELECT') await field.selectOption(text)
    else await field.fill(text)
  }
}

const expectTyped = async (
  { page }: ServiceScene,
  typed: Readonly<Record<string, string>>
): Promise<void> => {
  for (const [name, text] of Object.entries(typed))
    await expect(page.locator(`main [name="${name}"]`)).toHaveValue(text)
}

const send = async (scene: ServiceScene, { button, typed = {}, says }: ServiceForm): Promise<void> => {
  await fill(scene, typed)
  await scene.page.locator(button).first().click()
  await expect(scene.page.locator('main')).toContainText(says)
}

test('the tables have every route of the customers’ pages', async () => {
  const database = await openSqlite(':memory:')
  const { routes } = createPages({
    database,
    publicUrl: 'http://127.0.0.1',
    addressOf: () => '',
    now: () => new Date(),
    random: systemRandomBytes,
    onCollected: () => undefined,
    onInternalError: () => undefined
  })
  await database.close()
  // The capitals of a QR code lead to the same page.
  const having = (wanted: string): readonly string[] =>
    [
      ...new Set(
        routes.filter(({ method }) => method === wanted).map(({ path }) => path.replace(/^\/Q\//, '/q/'))
      )
    ].toSorted()
  expect([...new Set([...CUSTOMER_PAGES.map(({ route }) => route), ...CUSTOMER_FILES])].toSorted()).toEqual(
    having('GET')
  )
  expect([...new Set(CUSTOMER_FORMS.map(({ route }) => route))].toSorted()).toEqual(having('POST'))
})

for (const [index, servicePage] of PAGES.entries()) {
  test(`page ${String(index + 1)}, ${servicePage.route}: reload, Back, another language, without cookies`, async () => {
    await inShop(servicePage, async (scene) => {
      const { page } = scene
      await expectOwnPage(scene)
      const text = await textOf(scene)
      await page.reload()
      await expectOwnPage(scene)
      expect(await textOf(scene)).toBe(text)
      await scene.visit(ANOTHER_PAGE)
      await page.goBack()
      await expectOwnPage(scene)
      expect(await textOf(scene)).toBe(text)
      const german = page.locator('footer [lang="de"]')
      // A frame has none.
      if ((await german.count()) > 0) {
        await german.click()
        await expect(page.locator('html')).toHaveAttribute('lang', 'de')
        await page.goBack()
        await expectOwnPage(scene)
        expect(await textOf(scene)).toBe(text)
      }
    })
    await inShop(
      { prepare: ({ business }) => Promise.resolve(`/me/${business}`) },
      async (scene) => {
        await scene.visit(
          servicePage.route.replace(':business', scene.business).replace(':code', await scene.shop.issue(1))
        )
        await expectOwnPage(scene)
      },
      { keepsCookies: false }
    )
  })
}

for (const form of FORMS) {
  test(`${form.name}: Back and forward, also from the next page`, async () => {
    await inShop(form, async (scene) => {
      const { page } = scene
      await send(scene, form)
      await scene.visit(ANOTHER_PAGE)
      await page.goBack()
      await expectOwnPage(scene)
      await expect(page.locator('main')).toContainText(form.says)
      await page.goBack()
      await expectOwnPage(scene)
      await page.goForward()
      await expectOwnPage(scene)
      await expect(page.locator('main')).toContainText(form.says)
      expect(await form.count(scene)).toBe(form.done)
    })
  })

  test(`${form.name}: reload`, async () => {
    await inShop(form, async (scene) => {
      const { page } = scene
      await send(scene, form)
      const text = await textOf(scene)
      await page.reload()
      await expectOwnPage(scene)
      expect(await textOf(scene)).toBe(text)
      expect(await form.count(scene)).toBe(form.done)
    })
  })

  test(`${form.name}: pressed twice, and sent again`, async () => {
    await inShop(form, async (scene) => {
      const { page } = scene
      await fill(scene, form.typed ?? {})
      const button = page.locator(form.button).first()
      const sent = await button.evaluate((element: HTMLButtonElement) => {
        const { form: own } = element
        if (own === null) throw new Error('The button has no form.')
        const fields = new Map<string, string>()
        for (const [name, value] of new FormData(own)) if (typeof value === 'string') fields.set(name, value)
        return { action: own.action, fields: Object.fromEntries(fields) }
      })
      await button.dblclick()
      await expectOwnPage(scene)
      await expect(page.locator('main')).toContainText(form.says)
      expect(await form.count(scene)).toBe(form.done)
      const headers = { 'sec-fetch-site': 'same-origin' }
      const again = await page.request.post(sent.action, { form: sent.fields, headers, maxRedirects: 0 })
      expect(again.status()).toBe(303)
      expect(await form.count(scene)).toBe(form.done)
    })
  })

  test(`${form.name}: another language in the middle`, async () => {
    await inShop(form, async (scene) => {
      const { page } = scene
      const { typed = {} } = form
      const choose = async (language: string): Promise<void> => {
        await page.locator(`footer [lang="${language}"]`).click()
        await expect(page.locator('html')).toHaveAttribute('lang', language)
      }
      await fill(scene, typed)
      for (const language of ['ar', 'de', 'en']) {
        await choose(language)
        await expectTyped(scene, typed)
      }
      await page.locator(form.button).first().click()
      await expect(page.locator('main')).toContainText(form.says)
      await choose('de')
      await expectOwnPage(scene)
      await choose('en')
      await expect(page.locator('main')).toContainText(form.says)
      expect(await form.count(scene)).toBe(form.done)
    })
  })

  for (const [index, refused] of (form.refused ?? []).entries()) {
    test(`${form.name}: refused ${String(index + 1)}, then corrected`, async () => {
      await inShop(form, async (scene) => {
        const { page } = scene
        await page.locator('main form').evaluate((element: HTMLFormElement) => (element.noValidate = true))
        await fill(scene, refused)
        await page.locator(form.button).first().click()
        const [wrong = ''] = Object.keys(refused)
        const field = page.locator(`main [name="${wrong}"]`)
        const expectRefused = async (): Promise<void> => {
          await expect(field).toHaveAttribute('aria-invalid', 'true')
          await expect(field).toBeFocused()
          await expect(field).toHaveAccessibleDescription(/./)
          await expectTyped(scene, refused)
        }
        await expectRefused()
        await page.reload()
        await expectRefused()
        await page.locator('footer [lang="de"]').click()
        await expect(page.locator('html')).toHaveAttribute('lang', 'de')
        await expectTyped(scene, refused)
        await page.goBack()
        await expectRefused()
        await send(scene, form)
        expect(await form.count(scene)).toBe(form.done)
        await page.goBack()
        await expectOwnPage(scene)
      })
    })
  }

  const { saysWithoutCookies } = form
  if (saysWithoutCookies === null) continue
  test(`${form.name}: without cookies`, async () => {
    await inShop(
      form,
      async (scene) => {
        const { page } = scene
        await send(scene, { ...form, says: saysWithoutCookies })
        await page.reload()
        await expect(page.locator('main')).toContainText(saysWithoutCookies)
        await page.goBack()
        await expectOwnPage(scene)
        expect(await form.count(scene)).toBe(form.done)
      },
      { keepsCookies: false }
    )
  })
}
