/**
 * Every screen, dialog and state, in both themes and both directions: no violation that axe knows of, nothing that the
 * page complains of itself, and nothing to touch that is smaller than a finger.
 */
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SCREENSHOTS } from '../support/screenshots/screenshots.ts'
import {
  createScreenshotRunner,
  type Variant,
  type ScreenshotRunner
} from '../support/screenshots/screenshot-runner.ts'
import { FULL } from '../support/size.ts'
import { smallTargets } from './small-targets.ts'

const DESK = { width: 1024, height: 768 }
const SEVEN_INCH = { width: 800, height: 480 }

/** What changes with the colours and the direction; the rest is the same in every look. */
const OF_THE_LOOK = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size']

/**
 * The themes and directions checked after light and left-to-right. `npm test` checks each theme and each direction,
 * `npm run test:accessibility` every combination.
 */
const OTHER_LOOKS: readonly (readonly ['light' | 'dark', 'ltr' | 'rtl'])[] = FULL
  ? [
      ['dark', 'ltr'],
      ['dark', 'rtl'],
      ['light', 'rtl']
    ]
  : [['dark', 'rtl']]

let runner: ScreenshotRunner
beforeAll(async () => {
  runner = await createScreenshotRunner()
})
afterAll(() => runner.close())

/** What axe finds wrong on a page, by its rules or by some of them. */
async function violationsOn(page: Page, rules?: string[]): Promise<unknown[]> {
  // The page has no frames of others: a second page to bring their findings together would be for nothing.
  // What was found in order is only counted: axe then is through in two thirds of the time.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze()
  return violations.map(({ id, nodes }) => ({
    id,
    where: nodes.map(({ target, failureSummary }) => ({ target, failureSummary }))
  }))
}

test.concurrent.each(SCREENSHOTS.map((screenshot) => [screenshot.name, screenshot] as const))(
  '%s, in light and dark, from left to right and from right to left',
  async (_name, screenshot) => {
    // What is only on small screens is looked at there.
    const { page, faults, close } = await runner.open(screenshot, {
      size: screenshot.small ? SEVEN_INCH : DESK,
      theme: 'light',
      language: 'en'
    })
    const found = [...(await violationsOn(page)), ...(await smallTargets(page))]
    for (const [theme, direction] of OTHER_LOOKS) {
      await page.emulateMedia({ colorScheme: theme })
      await page.evaluate((dir) => {
        document.documentElement.dir = dir
      }, direction)
      found.push(...(await violationsOn(page, OF_THE_LOOK)), ...(await smallTargets(page)))
    }
    await close()
    expect(faults).toEqual([])
    expect(found).toEqual([])
  }
)

/** Screens that stand for all. */
const FEW = ['till-points', 'till-printed', 'customers', 'rewards', 'slips', 'settings', 'report-day']

describe.each([
  ['high contrast', { size: DESK, theme: 'light', language: 'en', highContrast: true }],
  ['high contrast, dark', { size: DESK, theme: 'dark', language: 'en', highContrast: true }],
  ['Arabic', { size: DESK, theme: 'dark', language: 'ar' }]
] as const satisfies readonly (readonly [string, Variant])[])('%s', (_name, variant) => {
  test.concurrent.each(
    SCREENSHOTS.filter(({ name }) => FEW.includes(name)).map(
      (screenshot) => [screenshot.name, screenshot] as const
    )
  )('%s', async (_of, screenshot) => {
    const { page, faults, close } = await runner.open(screenshot, variant)
    const found = await violationsOn(page)
    await close()
    expect(faults).toEqual([])
    expect(found).toEqual([])
  })
})
