/**
 * Every screen, dialog and state in light and dark, from left to right and from right to left: axe finds no violation,
 * the page reports no fault, and every target is large enough for a finger.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SCREENSHOTS } from '../support/screenshots/screenshots.ts'
import {
  createScreenshotRunner,
  type Variant,
  type ScreenshotRunner
} from '../support/screenshots/screenshot-runner.ts'
import { FULL } from '../support/size.ts'
import { smallTargets } from './small-targets.ts'
import { violationsOn } from './violations.ts'

const DESK = { width: 1024, height: 768 }
const SEVEN_INCH = { width: 800, height: 480 }

type Look = readonly ['light' | 'dark', 'ltr' | 'rtl']

/** The rules whose result depends on colours and direction. The first look of a state is checked with all rules. */
const LOOK_RULES = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size']

const ALL_LOOKS: readonly Look[] = [
  ['light', 'ltr'],
  ['dark', 'rtl'],
  ['dark', 'ltr'],
  ['light', 'rtl']
]

/** `npm run test:accessibility` checks each state in every look, `npm run test:all` in one of the first two, in turn. */
const looksOf = (index: number): readonly Look[] =>
  FULL ? ALL_LOOKS : ALL_LOOKS.slice(index % 2, (index % 2) + 1)

let runner: ScreenshotRunner
beforeAll(async () => {
  runner = await createScreenshotRunner()
})
afterAll(() => runner.close())

test.concurrent.each(
  SCREENSHOTS.map((screenshot, index) => [screenshot.name, screenshot, looksOf(index)] as const)
)('%s has no violation', async (_name, screenshot, looks) => {
  const { page, faults, close } = await runner.open(screenshot, {
    // States that only small screens have are checked on one.
    size: screenshot.small ? SEVEN_INCH : DESK,
    theme: 'light',
    language: 'en'
  })
  const found: unknown[] = []
  for (const [index, [theme, direction]] of looks.entries()) {
    await page.emulateMedia({ colorScheme: theme })
    await page.evaluate((dir) => {
      document.documentElement.dir = dir
    }, direction)
    found.push(...(await violationsOn(page, index === 0 ? undefined : LOOK_RULES)))
    found.push(...(await smallTargets(page)))
  }
  await close()
  expect(faults).toEqual([])
  expect(found).toEqual([])
})

/** Screens that contain every kind of control. */
const REPRESENTATIVE = [
  'till-points',
  'till-printed',
  'customers',
  'rewards',
  'slips',
  'settings',
  'report-day'
]

describe.each([
  ['high contrast', { size: DESK, theme: 'light', language: 'en', highContrast: true }, 0],
  ['high contrast, dark', { size: DESK, theme: 'dark', language: 'en', highContrast: true }, 1],
  ['Arabic', { size: DESK, theme: 'dark', language: 'ar' }, 2]
] as const satisfies readonly (readonly [string, Variant, number])[])('%s', (_name, variant, turn) => {
  test.concurrent.each(
    // `npm run test:all` checks each screen in one of the variants, in turn.
    SCREENSHOTS.filter(({ name }) => REPRESENTATIVE.includes(name))
      .filter((_screenshot, index) => FULL || index % 3 === turn)
      .map((screenshot) => [screenshot.name, screenshot] as const)
  )('%s', async (_of, screenshot) => {
    const { page, faults, close } = await runner.open(screenshot, variant)
    const found = await violationsOn(page)
    await close()
    expect(faults).toEqual([])
    expect(found).toEqual([])
  })
})
