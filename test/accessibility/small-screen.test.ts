/**
 * Every state of the till, in each language and size: no text is cut, and what the cashier presses next is in sight. On a
 * 7-inch screen every control of the till is in sight, too.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LANGUAGES } from '../../electron/contract/language.ts'
import { DISPLAY_SCREENSHOTS, DISPLAY_SIZES } from '../support/screenshots/screenshots-customer-display.ts'
import { screenshotNamed, SCREENSHOTS } from '../support/screenshots/screenshots.ts'
import { createScreenshotRunner, type ScreenshotRunner } from '../support/screenshots/screenshot-runner.ts'
import { FULL } from '../support/size.ts'
import { cutTexts, hiddenControls } from './in-sight.ts'

/** The first is the one in which the steps of a state are taken. */
const SEVEN_INCH = { width: 800, height: 480 }
const SIZES = [
  { width: 1366, height: 768 },
  { width: 1920, height: 1080 },
  { width: 1024, height: 768 },
  { width: 800, height: 600 },
  SEVEN_INCH
]
const SMALL = SIZES.filter(({ width }) => width === 800)
const SMALLEST = [SEVEN_INCH]

/** The states of the till screen, and of dialogs above it. */
const TILL = SCREENSHOTS.filter(({ name }) =>
  /^(till|update-(waits|in)|moved-printer|staff-till|redeem-card)/.test(name)
)

const LOOKS = LANGUAGES.flatMap((language) => [true, false].map((touch) => ({ language, touch }) as const))

/** `npm run test:all` opens each state in one look on the smallest screen, in turn. */
const CASES = TILL.map((screenshot, index) => ({
  screenshot,
  name: screenshot.name,
  looks: FULL ? LOOKS : LOOKS.slice(index % LOOKS.length, (index % LOOKS.length) + 1),
  sizes: !FULL ? SMALLEST : screenshot.small ? SMALL : SIZES
}))

let runner: ScreenshotRunner
beforeAll(async () => {
  runner = await createScreenshotRunner()
})
afterAll(() => runner.close())

test.concurrent.each(CASES)('$name: nothing is cut or out of sight', async ({ screenshot, looks, sizes }) => {
  const found: string[] = []
  for (const { language, touch } of looks) {
    const [size = SEVEN_INCH] = sizes
    const { page, faults, close } = await runner.open(screenshot, { size, theme: 'light', language, touch })
    for (const { width, height } of sizes) {
      await page.setViewportSize({ width, height })
      await page.evaluate(
        () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      )
      const wrong = [...(await cutTexts(page)), ...(await hiddenControls(page))]
      const label = `${String(width)} × ${String(height)} ${language}${touch ? ' touch' : ''}`
      found.push(...wrong.map((one) => `${label}: ${one}`))
    }
    await close()
    found.push(...faults)
  }
  expect(found).toEqual([])
})

describe.each(['en', 'ar'] as const)('the customer display, in %s', (language) => {
  // The narrowest upright and the lowest wide display.
  const sizes = DISPLAY_SIZES.filter(({ width }) => width === 768 || width === 800)
  const cases = DISPLAY_SCREENSHOTS.filter(({ name }) => /^points-issued|-long$/u.test(name)).flatMap(
    (screenshot) => sizes.map((size) => [screenshot.name, size.width, screenshot, size] as const)
  )
  test.concurrent.each(cases)(
    '%s has room for all lines at %i px',
    async (_name, _width, screenshot, size) => {
      const { page, close } = await runner.openDisplay(screenshot, { size, theme: 'light', language })
      const outside = await page.locator('main :is(h1, p, strong, .slip)').evaluateAll((lines) =>
        lines.flatMap((line) => {
          const { top, bottom, left, right } = line.getBoundingClientRect()
          const isWhole = top >= -1 && bottom <= innerHeight && left >= -1 && right <= innerWidth + 1
          // Beside the paper, or below it with its shadow.
          const paper = document.querySelector('.slip')?.getBoundingClientRect()
          const isFree =
            !paper ||
            line.closest('.slip') !== null ||
            left >= paper.right ||
            right <= paper.left ||
            top >= paper.bottom + 4
          return isWhole && isFree ? [] : [line.textContent]
        })
      )
      await close()
      expect(outside).toEqual([])
    }
  )
})

test.concurrent.each(['rewards-rich', 'staff-locked'])(
  'names are truncated at their own end in Arabic: %s',
  async (name) => {
    const variant = { size: SEVEN_INCH, theme: 'light', language: 'ar' } as const
    const { page, close } = await runner.open(screenshotNamed(name), variant)
    const beginnings = await page.locator('bdi').evaluateAll((names) =>
      names.flatMap((element) => {
        const cut = [element, element.parentElement].find(
          (one) => one && getComputedStyle(one).overflow === 'hidden'
        )
        const isLatin = /^\p{Script=Latin}/u.test(element.textContent)
        // An element truncates at the end of its own direction.
        return cut && isLatin && getComputedStyle(cut).direction === 'rtl' ? [element.textContent] : []
      })
    )
    await close()
    expect(beginnings).toEqual([])
  }
)
