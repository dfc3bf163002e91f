/**
 * The customer display: all lines have room on the smallest ones. What customers do there, and do not only look at: axe
 * finds no violation, nothing is cut or outside of the window, and every key is at least 64 pixels high and wide.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LANGUAGES } from '../../electron/contract/language.ts'
import { DISPLAY_SCREENSHOTS, DISPLAY_SIZES } from '../support/screenshots/screenshots-customer-display.ts'
import { createScreenshotRunner, type ScreenshotRunner } from '../support/screenshots/screenshot-runner.ts'
import { FULL } from '../support/size.ts'
import { cutTexts } from './in-sight.ts'
import { violationsOn } from './violations.ts'

const SMALLEST_KEY = 64

/** The narrowest upright and the lowest wide display. */
const SIZES = FULL ? DISPLAY_SIZES : DISPLAY_SIZES.filter(({ width }) => width === 768 || width === 800)

let runner: ScreenshotRunner
beforeAll(async () => {
  runner = await createScreenshotRunner()
})
afterAll(() => runner.close())

test.concurrent.each(
  DISPLAY_SCREENSHOTS.filter(({ name }) => name.startsWith('phone-entry')).flatMap((screenshot) =>
    (FULL ? LANGUAGES : (['de', 'ar'] as const)).map(
      (language) => [screenshot.name, language, screenshot] as const
    )
  )
)('%s in %s', async (_name, language, screenshot) => {
  const found: unknown[] = []
  for (const [index, size] of SIZES.entries()) {
    const theme = index % 2 === 0 ? 'light' : 'dark'
    const { page, faults, close } = await runner.openDisplay(screenshot, { size, theme, language })
    found.push(...faults, ...(await violationsOn(page)), ...(await cutTexts(page)))
    const parts = await page.locator('main :is(h1, p, output, button)').evaluateAll((elements) =>
      elements.map((element) => {
        const { top, bottom, left, right, width, height } = element.getBoundingClientRect()
        return {
          name: element.textContent,
          isKey: element instanceof HTMLButtonElement,
          side: Math.min(width, height),
          isWhole: top >= -1 && bottom <= innerHeight + 1 && left >= -1 && right <= innerWidth + 1
        }
      })
    )
    found.push(...parts.filter(({ isKey, side, isWhole }) => !isWhole || (isKey && side < SMALLEST_KEY)))
    await close()
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
