/** At 200 % zoom a screen of 1024 × 768 has 512 × 384 CSS pixels: everything that can be used must be reachable there. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { screenshotNamed } from '../support/screenshots/screenshots.ts'
import {
  createScreenshotRunner,
  type Variant,
  type ScreenshotRunner
} from '../support/screenshots/screenshot-runner.ts'
import { FULL } from '../support/size.ts'
import { unreachableControls } from './focusable.ts'

const ZOOMED = { width: 512, height: 384 }
const LOOKS: readonly (readonly [string, Variant, number])[] = [
  ['from left to right', { size: ZOOMED, theme: 'light', language: 'en' }, 0],
  ['from right to left', { size: ZOOMED, theme: 'light', language: 'ar' }, 1]
]

/** One screenshot of each screen and of each kind of dialog. */
const SCREENS = [
  'onboarding',
  'till',
  'till-points',
  'till-register',
  'till-results',
  'customers',
  'rewards',
  'slips',
  'slips-details',
  'slips-discard',
  'report-day',
  'settings',
  'settings-printer',
  'staff-settings'
]

let runner: ScreenshotRunner
beforeAll(async () => {
  runner = await createScreenshotRunner()
})
afterAll(() => runner.close())

describe.each(LOOKS)('zoomed in twice, %s', (_name, variant, turn) => {
  // `npm run test:all` opens each screen in one direction, in turn.
  const screens = SCREENS.filter((_screen, index) => FULL || index % 2 === turn)
  test.concurrent.each(screens)('every control of %s can be reached', async (name) => {
    const { page, faults, close } = await runner.open(screenshotNamed(name), variant)
    const unreachable = await unreachableControls(page)
    await close()
    expect(faults).toEqual([])
    expect(unreachable).toEqual([])
  })
})
