/** A 7-inch till has room for the whole job at once: what prints is in sight, whatever there is to say above it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DISPLAY_SCREENSHOTS, DISPLAY_SIZES } from '../support/screenshots/screenshots-customer-display.ts'
import { screenshotNamed } from '../support/screenshots/screenshots.ts'
import {
  createScreenshotRunner,
  type Variant,
  type ScreenshotRunner
} from '../support/screenshots/screenshot-runner.ts'

const SEVEN_INCH = { width: 800, height: 480 }
const LOOKS: readonly (readonly [string, Variant])[] = [
  ['in English', { size: SEVEN_INCH, theme: 'light', language: 'en' }],
  ['in Arabic', { size: SEVEN_INCH, theme: 'dark', language: 'ar' }]
]

/** Each with something above the counter, or much in it. */
const FULL = [
  'till-notices',
  'till-left-behind',
  'till-customer',
  'till-printed',
  'till-bill',
  'till-pad-points'
]

let runner: ScreenshotRunner
beforeAll(async () => {
  runner = await createScreenshotRunner()
})
afterAll(() => runner.close())

describe.each(LOOKS)('at 800 × 480, %s', (_name, variant) => {
  test.concurrent.each(FULL)('the points and what prints them are in sight: %s', async (name) => {
    const { page, close } = await runner.open(screenshotNamed(name), variant)
    const sights = await page.locator('.points input, .footer button').evaluateAll((controls) =>
      controls.map((control) => {
        const { top, bottom, left, right } = control.getBoundingClientRect()
        const middle = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
        const isWhole = top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth
        return { isWhole, isOnTop: control.contains(middle) }
      })
    )
    await close()
    expect(sights.length).toBeGreaterThanOrEqual(3)
    expect(sights.filter(({ isWhole, isOnTop }) => !isWhole || !isOnTop)).toEqual([])
  })
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
