/** A 7-inch till has room for the whole job at once: what prints is in sight, whatever there is to say above it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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
