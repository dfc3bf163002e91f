import { readFile } from 'node:fs/promises'
import { directionOf, languageName, LANGUAGES, type Language } from '../../electron/contract/language.ts'
import { KNOWN_CUSTOMERS } from '../../electron/service/index.ts'
import { messagesByLanguage as SLIP_MESSAGES } from '../../generated/messages/slip/all.js'
import { readSlip } from '../support/read-slip.ts'
import { CashierPage } from './page-objects/cashier.ts'
import { SCREEN_MESSAGES } from './page-objects/locales.ts'
import { changeSettings, slipsOf } from './support/bridge.ts'
import { expect, test } from './support/fixtures.ts'

const [known] = KNOWN_CUSTOMERS

/** What the newest slip says, which is of so many points, once it is on paper: lines joined, since words may wrap. */
async function newestPaper({ page }: CashierPage, points: number): Promise<string> {
  await expect.poll(async () => (await slipsOf(page))[0]).toMatchObject({ points, state: 'printed' })
  const [slip] = await slipsOf(page)
  if (!slip?.file) throw new Error('no slip')
  return (await readSlip(new Uint8Array(await readFile(slip.file)))).text.replaceAll(/\s+/gu, ' ')
}

/** The box with the choice of the till's language, under whatever name. */
const languageBox = (cashier: CashierPage) =>
  cashier.page.getByRole('combobox', { name: cashier.words.language(), exact: true })

test.describe('languages', () => {
  test('a till in each language searches, issues and prints', async ({ shared }) => {
    const { page, network } = shared
    for (const [index, language] of LANGUAGES.entries()) {
      await test.step(languageName(language), async () => {
        // Each slip has points of its own: the one before is printed, too.
        const points = 1250 + index
        await changeSettings(page, { language })
        const cashier = new CashierPage(page, SCREEN_MESSAGES[language])
        await expect(cashier.search).toBeFocused()
        // The shop of the training service is in Greece; English is written there as in Britain.
        const locale = language === 'en' ? 'en-GB' : `${language}-GR`
        await expect(page.locator('html')).toHaveAttribute('lang', locale)
        await expect(page.locator('html')).toHaveAttribute('dir', directionOf(language))

        const before = network.seen.length
        await cashier.choose(known.phone, known.name)
        await expect(cashier.customer).toContainText(known.name)
        await cashier.print(points)
        await expect(cashier.lastSlip).toContainText(cashier.words.slipState({ state: 'saved' }))
        const paper = await newestPaper(cashier, points)
        expect(paper).toContain(SLIP_MESSAGES[language].date())
        expect(paper).toMatch(new RegExp(`1[., \\u00a0\\u202f]?${String(points - 1000)}`, 'u'))
        const languages = network.seen.slice(before).map(({ headers }) => headers['x-lang'])
        expect([...new Set(languages)]).toEqual([language])
      })
    }
  })

  test('changing the language keeps the input and needs no restart', async ({ shared }) => {
    const { cashier: english, page, network } = shared
    await english.choose(known.phone, known.name)
    await english.points.fill('250')

    let cashier = english
    for (const language of ['el', 'ar', 'fr'] satisfies Language[]) {
      await cashier.goTo('Settings')
      await languageBox(cashier).selectOption(languageName(language))
      cashier = new CashierPage(page, SCREEN_MESSAGES[language])
      await cashier.goTo('Till')
      await expect(cashier.points).toHaveValue('250')
      await expect(cashier.customer).toContainText(known.name)
      await expect(page.locator('html')).toHaveAttribute('dir', directionOf(language))
    }
    await cashier.searchFor(known.phone)
    await expect(cashier.result(known.name).first()).toBeVisible()
    expect(network.seen.findLast(({ path }) => path.startsWith('/customers'))?.headers['x-lang']).toBe('fr')
  })

  test('slip and screen can have different languages', async ({ shared }) => {
    const { cashier, page } = shared
    await cashier.goTo('Settings')
    await page
      .getByRole('combobox', { name: cashier.words.slipLanguage(), exact: true })
      .selectOption(languageName('de'))
    await cashier.goTo('Till')
    await expect(page.getByRole('complementary', { name: cashier.words.slip() })).toContainText(
      SLIP_MESSAGES.de.headline()
    )
    await cashier.print(30)
    await expect(cashier.lastSlip).toContainText(cashier.words.slipState({ state: 'saved' }))
    const paper = await newestPaper(cashier, 30)
    expect(paper).toContain(SLIP_MESSAGES.de.headline())
    expect(paper).not.toContain(SLIP_MESSAGES.en.headline())
  })

  test('phones, codes and digits keep their direction in Arabic', async ({ openConnected }) => {
    const { page } = await openConnected({ args: ['--lang=ar'] })
    const cashier = new CashierPage(page, SCREEN_MESSAGES.ar)
    await changeSettings(page, { country: 'EG' })
    await cashier.choose(known.phone, known.name)
    const phone = cashier.customer.locator('bdi[dir="ltr"]').first()
    await expect(phone).toContainText('+30')
    // The name begins beside the avatar, where the phone does.
    const edges = await cashier.customer.evaluate((card) =>
      ['h2 bdi', 'bdi[dir="ltr"]'].map((selector) => {
        const range = document.createRange()
        range.selectNodeContents(card.querySelector(selector) ?? card)
        return Math.round(range.getBoundingClientRect().right)
      })
    )
    expect(edges[0]).toBe(edges[1])
    // The cashier may type the digits of Egypt; a shop shows one kind of digits.
    await cashier.points.fill('٢٥٠')
    await expect(page.getByRole('complementary', { name: cashier.words.slip() })).toContainText('250')
    await cashier.printButton.click()
    await expect(cashier.lastSlip).toContainText(cashier.words.slipState({ state: 'saved' }))
    expect((await slipsOf(page))[0]?.points).toBe(250)
    await cashier.goTo('Slips')
    await expect(page.getByRole('main')).toContainText(cashier.words.points({ count: 250, number: '250' }))
  })
})
