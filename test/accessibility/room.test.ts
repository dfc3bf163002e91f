/** What is read has its room in each language: labels differ in length. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LANGUAGES } from '../../electron/contract/language.ts'
import { createScreenshotRunner, type ScreenshotRunner } from '../support/screenshots/screenshot-runner.ts'
import { screenshotNamed } from '../support/screenshots/screenshots.ts'

const DESK = { width: 1024, height: 768 }
const COMPACT = { width: 800, height: 480 }

let runner: ScreenshotRunner
beforeAll(async () => {
  runner = await createScreenshotRunner()
})
afterAll(() => runner.close())

/** The labels of checkboxes whose text runs into the hint below it. */
const labelsInHints = (page: Page): Promise<readonly string[]> =>
  page.locator('.field:has(> [type=checkbox]):has(> .field-hint)').evaluateAll((fields) =>
    fields.flatMap((field) => {
      const [label, hint] = [field.querySelector('label'), field.querySelector('.field-hint')]
      const text = document.createRange()
      text.selectNodeContents(label ?? field)
      const runsInto = text.getBoundingClientRect().bottom > (hint?.getBoundingClientRect().top ?? 0)
      return runsInto ? [label?.textContent ?? ''] : []
    })
  )

/** The elements with the selector of which a part is cut off, or which are narrower than `minimum` CSS pixels. */
const cut =
  (selector: string, minimum = 0) =>
  async (page: Page): Promise<readonly string[]> => {
    const elements = page.locator(selector)
    await elements.first().waitFor()
    return elements.evaluateAll(
      (found, least) =>
        found
          .filter(
            ({ scrollWidth, clientWidth }) =>
              clientWidth < least || (least === 0 && scrollWidth > clientWidth)
          )
          .map(({ textContent, clientWidth }) => `${textContent}: ${String(clientWidth)}`),
      minimum
    )
  }

/** The placeholders that are wider than their field. */
const placeholdersCut = (page: Page): Promise<readonly string[]> =>
  page.locator('input[placeholder]').evaluateAll((inputs) =>
    inputs.flatMap((input) => {
      if (!(input instanceof HTMLInputElement)) return []
      const { font, paddingLeft, paddingRight } = getComputedStyle(input)
      const words = document.createElement('canvas').getContext('2d')
      if (!words) return ['no canvas']
      words.font = font
      const room = input.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)
      return words.measureText(input.placeholder).width > room ? [input.placeholder] : []
    })
  )

const CASES = [
  { name: 'redeem-settings', size: DESK, what: 'the labels of checkboxes', faultsOf: labelsInHints },
  { name: 'settings-slip', size: DESK, what: 'the labels of checkboxes', faultsOf: labelsInHints },
  { name: 'rewards', size: DESK, what: 'the number of rewards', faultsOf: cut('.count') },
  { name: 'settings-network', size: DESK, what: 'an address', faultsOf: cut('.network [dir=ltr]', 150) },
  { name: 'redeem-card-pad', size: COMPACT, what: 'the name of a reward', faultsOf: cut('.brief .name', 60) },
  { name: 'till-pad', size: COMPACT, what: 'the hint of the search', faultsOf: placeholdersCut },
  { name: 'slips', size: COMPACT, what: 'the buttons of the slips', faultsOf: cut('.work > .top') }
]

test.concurrent.each(CASES.flatMap((wanted) => LANGUAGES.map((language) => ({ ...wanted, language }))))(
  '$what of $name in $language',
  async ({ name, size, language, faultsOf }) => {
    const { page, faults, close } = await runner.open(screenshotNamed(name), {
      size,
      theme: 'light',
      language
    })
    const found = await faultsOf(page)
    await close()
    expect(faults).toEqual([])
    expect(found).toEqual([])
  }
)
