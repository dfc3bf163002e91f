/** What is read has its room in each language: labels differ in length. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LANGUAGES } from '../../electron/contract/language.ts'
import { cutPlaceholders, cutTexts, hiddenActions, narrowTexts, sidewaysScrolls } from './in-sight.ts'
import { createScreenshotRunner, type ScreenshotRunner } from '../support/screenshots/screenshot-runner.ts'
import { screenshotNamed } from '../support/screenshots/screenshots.ts'

const DESK = { width: 1024, height: 768 }
const LARGE = { width: 1920, height: 1080 }
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

const CASES = [
  { name: 'redeem-settings', size: DESK, what: 'the labels of checkboxes', faultsOf: labelsInHints },
  { name: 'settings-slip', size: DESK, what: 'the labels of checkboxes', faultsOf: labelsInHints },
  { name: 'report-collected', size: DESK, what: 'the table', faultsOf: sidewaysScrolls },
  { name: 'rewards-many', size: DESK, what: 'the chosen order', faultsOf: cutTexts },
  { name: 'slips', size: DESK, what: 'the hint of the search', faultsOf: cutPlaceholders },
  { name: 'staff-history', size: LARGE, what: 'the hint of the search', faultsOf: cutPlaceholders },
  { name: 'many-running', size: LARGE, what: 'the counts', faultsOf: cut('main dt') },
  { name: 'find-printers', size: LARGE, what: 'the found printers', faultsOf: narrowTexts },
  { name: 'till-points', size: DESK, what: 'what is below the points', faultsOf: sidewaysScrolls },
  { name: 'rewards', size: DESK, what: 'the number of rewards', faultsOf: cut('.count') },
  { name: 'settings-network', size: DESK, what: 'an address', faultsOf: cut('.network [dir=ltr]', 150) },
  { name: 'redeem-card-pad', size: COMPACT, what: 'the name of a reward', faultsOf: cut('.brief .name', 60) },
  { name: 'till-pad', size: COMPACT, what: 'the hint of the search', faultsOf: cutPlaceholders },
  {
    name: 'help-word',
    size: COMPACT,
    what: 'the meaning of a word',
    faultsOf: cut('[role=tooltip]:popover-open')
  },
  { name: 'staff-settings-rename', size: DESK, what: 'the button that saves', faultsOf: hiddenActions },
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
