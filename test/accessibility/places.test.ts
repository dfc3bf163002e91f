/**
 * A button keeps its place when what was asked is done or fails: a second press of the same finger meets no other button. In each
 * language, since labels differ in length.
 */
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LANGUAGES } from '../../electron/contract/language.ts'
import { createScreenshotRunner, type ScreenshotRunner } from '../support/screenshots/screenshot-runner.ts'
import { screenshotNamed } from '../support/screenshots/screenshots.ts'
import { FULL } from '../support/size.ts'

const SIZES = [
  { width: 1366, height: 768 },
  { width: 800, height: 480 }
] as const

/** Those with the longest and the shortest words, and from right to left; in the full size all. */
const IN_LANGUAGES = LANGUAGES.filter((language) => FULL || ['ar', 'de'].includes(language))

let runner: ScreenshotRunner
beforeAll(async () => {
  runner = await createScreenshotRunner()
})
afterAll(() => runner.close())

/** The corner of each button where its row begins or ends, in CSS pixels. */
const corners = (buttons: Locator): Promise<readonly (readonly number[])[]> =>
  buttons.evaluateAll((all) =>
    all.map((button, index) => {
      const { left, right, bottom } = button.getBoundingClientRect()
      const isFirst = index === 0 && all.length > 1
      const isAtLeft = isFirst === (document.documentElement.dir !== 'rtl')
      return [isAtLeft ? left : right, bottom].map(Math.round)
    })
  )

const REDEMPTIONS = [
  'redeem-question',
  'redeem-refused',
  'redeem-done',
  'redeem-not-printed',
  'redeem-unknown',
  'redeem-undone'
]

test.concurrent.each(IN_LANGUAGES)('of a redemption in %s', async (language) => {
  const places: unknown[] = []
  for (const name of REDEMPTIONS) {
    const { page, faults, close } = await runner.open(screenshotNamed(name), {
      ...{ size: SIZES[0], language },
      theme: 'light'
    })
    const ofSizes: unknown[] = []
    for (const size of SIZES) {
      await page.setViewportSize(size)
      ofSizes.push({ size, corners: await corners(page.getByRole('dialog').locator('.large')) })
    }
    places.push({ faults, ofSizes })
    await close()
  }
  expect(places).toEqual(places.map(() => places[0]))
  expect(places[0]).toMatchObject({ faults: [] })
})

test.concurrent.each(IN_LANGUAGES)('of a slip that is printed again in %s', async (language) => {
  const { name, case: printerIsEmpty = {} } = screenshotNamed('slips-reprint-failed')
  const { steps } = screenshotNamed('slips-details')
  const { page, faults, close } = await runner.open(
    { name, case: printerIsEmpty, ...(steps && { steps }) },
    { size: { width: 1366, height: 768 }, theme: 'light', language }
  )
  const button = page.getByRole('complementary').locator('.large')
  const before = await corners(button)
  await button.click()
  await page.getByRole('complementary').getByRole('alert').waitFor()
  const after = await corners(button)
  await close()
  expect(faults).toEqual([])
  expect(after).toEqual(before)
})

test.concurrent.each(IN_LANGUAGES)(
  'of a slip in the details of its customer, apart from its text, in %s',
  async (language) => {
    const variant = { size: { width: 1024, height: 768 }, theme: 'light', language } as const
    const { page, faults, close } = await runner.open(screenshotNamed('customers-chosen-slips'), variant)
    const overlaps = await page.locator('aside .line').evaluateAll(
      (lines) =>
        lines.filter((line) => {
          const button = line.querySelector('button')?.getBoundingClientRect()
          const text = document.createRange()
          text.selectNodeContents(line.querySelector('.what') ?? line)
          return [...text.getClientRects()].some(
            ({ left, right, top, bottom }) =>
              button &&
              left < button.right &&
              right > button.left &&
              top < button.bottom &&
              bottom > button.top
          )
        }).length
    )
    await close()
    expect(faults).toEqual([])
    expect(overlaps).toBe(0)
  }
)
