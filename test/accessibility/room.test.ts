/** What is read has its room in each language: labels differ in length. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LANGUAGES } from '../../electron/contract/language.ts'
import { cutPlaceholders, cutTexts, hiddenActions, narrowTexts, sidewaysScrolls } from './in-sight.ts'
import { coveredMessages, coveredSlipLines, distantIcons, narrowAlerts } from './layout.ts'
import { createScreenshotRunner, type ScreenshotRunner } from '../support/screenshots/screenshot-runner.ts'
import { screenshotNamed } from '../support/screenshots/screenshots.ts'
import { partOf } from '../support/size.ts'

const DESK = { width: 1024, height: 768 }
const LAPTOP = { width: 1366, height: 768 }
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

/** The elements that are not within the one around them with the selector `frame`, at least `margin` CSS pixels from its edges. */
const outside =
  (selector: string, frame: string, margin = 0) =>
  async (page: Page): Promise<readonly string[]> => {
    const elements = page.locator(selector)
    await elements.first().waitFor()
    return elements.evaluateAll(
      (found, [around, least]) =>
        found.flatMap((element) => {
          const box = element.getBoundingClientRect()
          const edge = element.closest(around)?.getBoundingClientRect()
          const isWithin =
            edge &&
            box.top >= edge.top + least &&
            box.bottom <= edge.bottom - least &&
            box.left >= edge.left + least &&
            box.right <= edge.right - least
          return isWithin ? [] : [element.textContent]
        }),
      [frame, margin] as const
    )
  }

/** What the points and their keys leave of their row, in CSS pixels, where they leave something. */
const restOfPoints = (page: Page): Promise<readonly string[]> =>
  page.locator('form:has(> #points)').evaluateAll((forms) =>
    forms.flatMap((form) => {
      const boxes = [...form.querySelectorAll('#points, button')]
        .filter((one) => one.checkVisibility())
        .map((one) => one.getBoundingClientRect())
      const taken = Math.max(...boxes.map(({ right }) => right)) - Math.min(...boxes.map(({ left }) => left))
      const rest = form.getBoundingClientRect().width - taken
      return rest > 1 ? [`${String(rest)} px`] : []
    })
  )

/** The number in the field of the points, where it is too high for it. */
const highDigits = (page: Page): Promise<readonly string[]> =>
  page.locator('#points').evaluateAll((fields) =>
    fields.flatMap((field) => {
      const LINE = 1.2
      const size = parseFloat(getComputedStyle(field).fontSize)
      return size * LINE > field.clientHeight
        ? [`${String(size)} px in ${String(field.clientHeight)} px`]
        : []
    })
  )

/** The buttons of a credit that have a row of their own, below the points. */
const buttonsBelow = (page: Page): Promise<readonly string[]> =>
  page.locator('.credit .button').evaluateAll((buttons) =>
    buttons.flatMap((button) => {
      const points = button.closest('.credit')?.querySelector('dl')?.getBoundingClientRect()
      return points && button.getBoundingClientRect().top < points.bottom ? [] : [button.textContent]
    })
  )

/** The buttons on the card of the customer that show no word. */
const wordlessActions = (page: Page): Promise<readonly string[]> =>
  page
    .locator('.card .button')
    .evaluateAll((buttons) =>
      buttons.flatMap((button) =>
        button instanceof HTMLElement && button.innerText.trim() === '' ? [button.outerHTML] : []
      )
    )

/** The field of the points where its lower edge is below what stands before it. */
const coveredPoints = (page: Page): Promise<readonly string[]> =>
  page.locator('#points').evaluateAll((fields) =>
    fields.flatMap((field) => {
      const { left, right, bottom } = field.getBoundingClientRect()
      const hit = document.elementFromPoint((left + right) / 2, bottom - 2)
      return field === hit ? [] : [String(hit?.className)]
    })
  )

/** The buttons of an operation that need a second row, though their words fit one on two lines. */
const secondRows = (page: Page): Promise<readonly string[]> =>
  page.locator('li.ends .actions').evaluateAll((rows) =>
    rows.flatMap((row) => {
      const buttons = [...row.querySelectorAll<HTMLElement>('.button')]
      const tops = new Set(buttons.map((button) => button.getBoundingClientRect().top))
      const GAP = 8
      const needed = buttons.reduce((sum, button) => {
        button.style.flex = 'none'
        button.style.inlineSize = 'min-content'
        return sum + button.getBoundingClientRect().width + GAP
      }, -GAP)
      const room = row.parentElement?.clientWidth ?? 0
      return tops.size > 1 && needed <= room ? [row.textContent] : []
    })
  )

/** The corners of a dialog that are above the backdrop of the one that was opened from it, with which they look as usable. */
const cornersInFront = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const [first, ...others] = document.querySelectorAll('.frame')
    const box = first?.getBoundingClientRect()
    if (others.length === 0 || !box) return ['there is no second dialog']
    const INSET = 12
    return [box.left + INSET, box.right - INSET].flatMap((x) =>
      [box.top + INSET, box.bottom - INSET].flatMap((y) =>
        first?.contains(document.elementFromPoint(x, y)) ? [`${String(x)}, ${String(y)}`] : []
      )
    )
  })

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
  { name: 'slips', size: COMPACT, what: 'the buttons of the slips', faultsOf: cut('.work > .top') },
  { name: 'slips', size: COMPACT, what: 'the hint of the check', faultsOf: cutPlaceholders },
  {
    name: 'slips-empty',
    size: COMPACT,
    what: 'the export',
    faultsOf: outside('.head > .button', '.head')
  },
  {
    name: 'staff-locked',
    size: COMPACT,
    what: 'the name of a cashier',
    faultsOf: outside('.cashier .name', '.cashier', 4)
  },
  { name: 'till-quick-keys-none', size: COMPACT, what: 'the row of the points', faultsOf: restOfPoints },
  { name: 'till-reprint-none', size: COMPACT, what: 'the row of the points', faultsOf: restOfPoints },
  { name: 'till-pad-points', size: COMPACT, what: 'the digits', faultsOf: highDigits },
  { name: 'credit-given', size: COMPACT, what: 'Undo beside the points', faultsOf: buttonsBelow },
  {
    name: 'credit-not-printed',
    size: COMPACT,
    touch: true,
    what: 'the points of the next sale',
    faultsOf: coveredPoints
  },
  { name: 'customers-return', size: COMPACT, what: 'the buttons of a credit', faultsOf: secondRows },
  { name: 'credit-ready', size: DESK, what: 'the icons of buttons', faultsOf: distantIcons },
  { name: 'redeem-card-long', size: DESK, what: 'the words of buttons', faultsOf: wordlessActions },
  { name: 'settings-serial', size: LARGE, what: 'the chosen options', faultsOf: cutTexts },
  { name: 'till-printer-said', size: LARGE, what: 'the text of an alert', faultsOf: narrowAlerts },
  { name: 'till-notices', size: LARGE, what: 'the date of the slip', faultsOf: coveredSlipLines },
  { name: 'till-notices', size: LAPTOP, what: 'the date of the slip', faultsOf: coveredSlipLines },
  {
    name: 'offline-printed',
    size: DESK,
    what: 'the code of the slip',
    faultsOf: outside('.code-text bdi', '.paper', 4)
  },
  {
    name: 'offline-printed',
    size: DESK,
    what: 'the first and the last lines of the slip',
    faultsOf: outside('.printed :is(.business, dd)', '.stage')
  },
  {
    name: 'offline-printed',
    size: LARGE,
    what: 'the code of the slip',
    faultsOf: outside('.code-text bdi', '.paper', 4)
  },
  { name: 'slips-return-pin', size: DESK, what: 'the PIN before a dialog', faultsOf: cornersInFront },
  { name: 'till-copies', size: LARGE, what: 'the label of the copies', faultsOf: cut('.copies span') },
  { name: 'customers-personal-data', size: LARGE, what: 'where data was saved', faultsOf: coveredMessages }
]

const IN_LANGUAGES = CASES.flatMap((wanted, index) =>
  partOf(LANGUAGES, index).map((language) => ({ ...wanted, language }))
)

test.concurrent.each(IN_LANGUAGES)(
  '$what of $name in $language',
  async ({ name, size, touch = false, language, faultsOf }) => {
    const { page, faults, close } = await runner.open(screenshotNamed(name), {
      ...{ size, language, touch },
      theme: 'light'
    })
    const found = await faultsOf(page)
    await close()
    expect(faults).toEqual([])
    expect(found).toEqual([])
  }
)

test.concurrent.each(partOf(LANGUAGES, 1))(
  'the places are as wide on each screen in %s',
  async (language) => {
    const { page, close } = await runner.open(screenshotNamed('till'), {
      size: LARGE,
      theme: 'light',
      language
    })
    const widths: number[] = []
    for (const place of await page.locator('nav a').all()) {
      await place.click()
      await page.locator('nav a[aria-current]').and(place).waitFor()
      widths.push(await page.locator('nav').evaluate(({ clientWidth }) => clientWidth))
    }
    await close()
    expect(widths).toHaveLength(5)
    expect(new Set(widths).size).toBe(1)
  }
)

test('an unknown balance promises no reward and denies none', async () => {
  const { page, close } = await runner.open(screenshotNamed('till-balance-unread'), {
    size: LARGE,
    theme: 'light',
    language: 'en'
  })
  const said = await page.getByRole('region', { name: 'Can have' }).innerText()
  await close()
  expect(said).toContain('Not known')
})

test.concurrent.each(partOf(LANGUAGES, 4))(
  'the answers of a question need no more rows on a large screen than on others, in %s',
  async (language) => {
    const rowsOn = async (size: typeof DESK | typeof LARGE): Promise<number> => {
      const { page, close } = await runner.open(screenshotNamed('many-queue-cancel'), {
        size,
        theme: 'light',
        language
      })
      const tops = await page
        .locator('.alert .buttons button')
        .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().top))
      await close()
      return new Set(tops).size
    }
    expect(await rowsOn(LARGE)).toBe(await rowsOn(DESK))
  }
)
