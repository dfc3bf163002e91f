/** Where the page runs from right to left, what a cashier types of a phone number is read in the order it was typed in. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { screenshotNamed } from '../support/screenshots/screenshots.ts'
import { createScreenshotRunner, type ScreenshotRunner } from '../support/screenshots/screenshot-runner.ts'

let runner: ScreenshotRunner
beforeAll(async () => {
  runner = await createScreenshotRunner()
})
afterAll(() => runner.close())

test('a phone number in a search field', async () => {
  const { page, close } = await runner.open(screenshotNamed('till-no-customer'), {
    size: { width: 1024, height: 768 },
    theme: 'light',
    language: 'ar'
  })
  const field = page.getByRole('searchbox')
  const seen = await field.screenshot()
  await field.evaluate((input) => {
    // The number as text of its own, in the place of the page's text.
    const { value } = input as HTMLInputElement
    Reflect.set(input, 'value', `\u2066${value}\u2069`)
  })
  const inOrder = await field.screenshot()
  await close()
  expect(seen.equals(inOrder)).toBe(true)
})
