/** A help text that is open covers no main action of its screen, so that the action can be pressed at once. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createScreenshotRunner, type ScreenshotRunner } from '../support/screenshots/screenshot-runner.ts'
import { screenshotNamed } from '../support/screenshots/screenshots.ts'
import { partOf } from '../support/size.ts'

const SIZES = [
  { width: 800, height: 480 },
  { width: 800, height: 600 },
  { width: 1024, height: 768 }
]

/** The screens with help texts, in training mode, whose mark has one as well. */
const SCREENS = [
  'till-customer',
  'till-points',
  'till-register',
  'rewards-customer',
  'redeem-rewards',
  'report-collected',
  'slips-details',
  'slips-unfinished',
  'settings-printer'
]

let runner: ScreenshotRunner
beforeAll(async () => {
  runner = await createScreenshotRunner()
})
afterAll(() => runner.close())

// In the full size each screen in every language and size, else each in a language in turn.
const CASES = SCREENS.flatMap((name, index) =>
  partOf(['en', 'de', 'ar'] as const, index).flatMap((language) =>
    SIZES.map((size) => ({ name, language, size }))
  )
)

test.concurrent.each(CASES)(
  'on $name in $language at $size.width × $size.height',
  async ({ name, size, language }) => {
    const { case: given, steps } = screenshotNamed(name)
    const { page, faults, close } = await runner.open(
      {
        name,
        case: { ...given, state: { ...given?.state, mode: 'training', baseUrl: null } },
        ...(steps && { steps })
      },
      { size, language, theme: 'light' }
    )
    const icons = page.locator('.help > button:visible')
    const covered: string[] = []
    for (let index = 0; index < (await icons.count()); index++) {
      const icon = icons.nth(index)
      await icon.focus()
      const tooltip = page.locator('[role="tooltip"]:popover-open')
      await tooltip.waitFor()
      covered.push(
        ...(await tooltip.evaluate((text) => {
          const box = text.getBoundingClientRect()
          const isOutside = box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight
          const actions = [...document.querySelectorAll('.button.primary')].filter((action) => {
            const { left, right, top, bottom } = action.getBoundingClientRect()
            return left < box.right && right > box.left && top < box.bottom && bottom > box.top
          })
          return [
            ...(isOutside ? ['outside of the window'] : []),
            ...actions.map((action) => action.textContent)
          ]
        }))
      )
    }
    const count = await icons.count()
    await close()
    expect(faults).toEqual([])
    expect(count).toBeGreaterThan(0)
    expect(covered).toEqual([])
  }
)
