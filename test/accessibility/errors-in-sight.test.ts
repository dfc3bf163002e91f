/** What is wrong with a field is in sight, and whole above the buttons of its form: on the lowest screen, in each language. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LANGUAGES } from '../../electron/contract/language.ts'
import { createScreenshotRunner, type ScreenshotRunner } from '../support/screenshots/screenshot-runner.ts'
import { screenshotNamed } from '../support/screenshots/screenshots.ts'
import { partOf } from '../support/size.ts'

const FORMS = [
  'onboarding-refused',
  'onboarding-address',
  'onboarding-code-unknown',
  'till-wrong',
  'many-wrong',
  'phone-link-wrong',
  'settings-network-wrong',
  'settings-reconnect-elsewhere'
]

let runner: ScreenshotRunner
beforeAll(async () => {
  runner = await createScreenshotRunner()
})
afterAll(() => runner.close())

test.concurrent.each(
  FORMS.flatMap((name, index) => partOf(LANGUAGES, index).map((language) => ({ name, language })))
)('in $name in $language', async ({ name, language }) => {
  const size = { width: 800, height: 480 }
  const { page, faults, close } = await runner.open(screenshotNamed(name), {
    ...{ size, language },
    theme: 'light'
  })
  const hidden = await page
    .locator('.field-hint.wrong, form .alert')
    .filter({ visible: true })
    .evaluateAll((errors) =>
      errors.flatMap((error) => {
        const box = error.getBoundingClientRect()
        const isOut = box.top < 0 || box.bottom > innerHeight
        const covers = [...document.querySelectorAll('.buttons, .last-row')].filter((buttons) => {
          const { top, bottom, left, right } = buttons.getBoundingClientRect()
          return left < box.right && right > box.left && top < box.bottom && bottom > box.top
        })
        const text = error.textContent.trim()
        return [
          ...(isOut ? [`out of sight: ${text}`] : []),
          ...covers.map(() => `below the buttons: ${text}`)
        ]
      })
    )
  await close()
  expect(faults).toEqual([])
  expect(hidden).toEqual([])
})
