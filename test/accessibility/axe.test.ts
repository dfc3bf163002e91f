/**
 * Every screen, dialog and state in light and dark, from left to right and from right to left: axe finds no violation,
 * the page reports no fault, and every target is large enough for a finger. In each language and size, by keyboard and
 * by touch, no text or hint is cut, no name at its beginning, nothing scrolls sideways, no text is a narrow column, and
 * every control of the till is in sight. One open page serves both: opening it takes half of the time.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { LANGUAGES } from '../../electron/contract/language.ts'
import type { Screenshot } from '../support/screenshots/screenshot.ts'
import { screenshotNamed, SCREENSHOTS } from '../support/screenshots/screenshots.ts'
import {
  createScreenshotRunner,
  type Variant,
  type ScreenshotRunner
} from '../support/screenshots/screenshot-runner.ts'
import { FULL, partOf } from '../support/size.ts'
import {
  cutBeginnings,
  cutPlaceholders,
  cutTexts,
  hiddenActions,
  hiddenAnswers,
  hiddenControls,
  narrowTexts,
  sidewaysScrolls
} from './in-sight.ts'
import { smallTargets } from './small-targets.ts'
import { violationsOn } from './violations.ts'

const DESK = { width: 1024, height: 768 }
const SEVEN_INCH = { width: 800, height: 480 }
const SIZES = [
  { width: 1366, height: 768 },
  { width: 1920, height: 1080 },
  DESK,
  { width: 800, height: 600 },
  SEVEN_INCH
]

type Look = readonly ['light' | 'dark', 'ltr' | 'rtl']

/** The rules whose result depends on colours and direction. The first look of a state is checked with all rules. */
const LOOK_RULES = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size']

const ALL_LOOKS: readonly Look[] = [
  ['light', 'ltr'],
  ['dark', 'rtl'],
  ['dark', 'ltr'],
  ['light', 'rtl']
]

const ALL_TILLS = LANGUAGES.flatMap((language) =>
  [false, true].map((touch) => ({ language, touch }) as const)
)

/** The states of the till screen, and of dialogs above it. */
const isOfTill = ({ name }: Screenshot): boolean =>
  /^(till|update-(waits|in)|moved-printer|staff-till|redeem-card)/.test(name)

/** Those whose main action needs no scroll: what a cashier does. A manager's forms and lists of settings may be longer. */
const hasActionInSight = (screenshot: Screenshot): boolean =>
  isOfTill(screenshot) || /^(onboarding|many|customers|rewards|redeem|credit|help-tour)/.test(screenshot.name)

/** States with the parts of another one, which differ from it in what their texts say: in the full size alone. */
const OTHER_TEXTS: readonly Screenshot[] = [
  'customers-forgetting',
  'customers-forgotten',
  'customers-waiting',
  'customers-offline',
  'rewards-none-found',
  'rewards-old',
  'rewards-waiting',
  'rewards-offline',
  'till-rewards-none-yet',
  'till-rewards-all',
  'till-rewards-unknown',
  'till-bill-link-no-rule',
  'till-bill-link-nobody',
  'till-bill-link-refused',
  'till-last-visit-points',
  'till-quick-keys-maximum',
  'till-bill-below',
  'till-show-no-display',
  'till-reprint-failed',
  'till-reprint-none',
  'till-recent-restarted',
  'till-balance-unread',
  'till-queue-printing',
  'till-printer-busy',
  'till-refused-sizes',
  'till-save-copy-failed',
  'redeem-refused',
  'redeem-unknown',
  'redeem-attention-end',
  'redeem-undo-late',
  'redeem-undone',
  'redeem-settings-managed',
  'phone-link-wrong',
  'report-month',
  'report-empty',
  'slips-reprint-failed',
  'slips-empty',
  'slips-queue',
  'slips-checked-not-found',
  'many-stopped',
  'many-queue-cancel',
  'many-finished',
  'settings-printer-none',
  'settings-network-wrong',
  'find-printers-none',
  'find-printers-failed',
  'settings-display-none',
  'settings-display-queue',
  'settings-test-failed',
  'settings-test-busy',
  'settings-test-insecure',
  'settings-reconnect-elsewhere',
  'onboarding-code-unknown',
  'settings-points',
  'managed-slip',
  'managed-programs',
  'managed-about',
  'managed-general',
  'settings-programs-port',
  'settings-pairing-ended',
  'staff-locked-wrong',
  'staff-locked-forgotten',
  'staff-locked-forgotten-code',
  'staff-settings-empty',
  'settings-updates-downloading',
  'settings-updates-failed',
  'settings-updates-refused',
  'till-register-name',
  'till-unknown',
  'till-training-printed',
  'till-existed',
  'till-offline-typed',
  'rewards-rich',
  'rewards-reading',
  'rewards-not-all',
  'till-rewards-some',
  'till-rewards-points',
  'till-last-visit-long',
  'till-last-visit-opened',
  'till-bill-link-issued',
  'till-quick-keys-pressed',
  'till-level-offline',
  'till-bill-capped',
  'till-bill-wrong',
  'till-copy-failed',
  'till-save-failed',
  'till-show-both',
  'till-register-typing',
  'till-pad-register-timed-out',
  'till-refused-size',
  'till-print-delayed',
  'till-returned-bill',
  'customers-forget-wait',
  'customers-returned',
  'redeem-left',
  'redeem-undo',
  'redeem-card-points',
  'redeem-card-offline',
  'redeem-not-offered',
  'credit-cashier-slip',
  'credit-running',
  'credit-given-slip',
  'credit-refused',
  'credit-undo-spent',
  'credit-undone',
  'slips-returned-details',
  'slips-returned-not-printed',
  'slips-waiting',
  'slips-checked-unknown',
  'many-wrong',
  'many-cancel',
  'many-queue-running',
  'offline-limit-reached',
  'offline-stopped-by-owner',
  'offline-key-ended',
  'offline-refused',
  'settings-test-page-delayed',
  'settings-no-paper',
  'settings-slip-a4',
  'settings-pairing-again',
  'settings-programs-full',
  'settings-updates-off',
  'managed-ignored',
  'managed-mistake',
  'staff-till-no-cashier',
  'staff-locked-bill',
  'staff-locked-manager',
  'help-tour-2',
  'help-tour-3',
  'help-tour-4'
].map(screenshotNamed)

/**
 * `npm run test:accessibility` checks each state in every look and language, those of the till also by touch;
 * `npm run test:all` most of them in one of the first two looks and in one language, in turn.
 */
const CASES = SCREENSHOTS.filter((one) => FULL || !OTHER_TEXTS.includes(one)).map((screenshot, index) => ({
  screenshot,
  name: screenshot.name,
  looks: FULL ? ALL_LOOKS : partOf(ALL_LOOKS.slice(0, 2), index),
  tills: partOf(
    ALL_TILLS.filter(({ touch }) => !touch || isOfTill(screenshot)),
    index
  )
}))

let runner: ScreenshotRunner
beforeAll(async () => {
  runner = await createScreenshotRunner()
})
afterAll(() => runner.close())

/** What axe finds in each look, and the targets that are too small. */
async function violationsIn(page: Page, looks: readonly Look[]): Promise<unknown[]> {
  const found: unknown[] = []
  const setDirection = (direction: string): Promise<string> =>
    page.evaluate((dir) => {
      const { dir: before } = document.documentElement
      document.documentElement.dir = dir
      return before
    }, direction)
  const own = await setDirection('ltr')
  for (const [index, [theme, direction]] of looks.entries()) {
    await page.emulateMedia({ colorScheme: theme })
    await setDirection(direction)
    found.push(...(await violationsOn(page, index === 0 ? undefined : LOOK_RULES)))
    found.push(...(await smallTargets(page)))
  }
  await setDirection(own)
  return found
}

/** What is cut or out of sight at each size. */
async function outOfSight(
  page: Page,
  screenshot: Screenshot,
  sizes: readonly Variant['size'][]
): Promise<string[]> {
  const found: string[] = []
  for (const size of sizes) {
    await page.setViewportSize(size)
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    )
    const wrong = [
      ...(await cutTexts(page)),
      ...(await cutBeginnings(page)),
      ...(await cutPlaceholders(page)),
      ...(await sidewaysScrolls(page)),
      ...(await narrowTexts(page)),
      ...(await hiddenAnswers(page)),
      ...(hasActionInSight(screenshot) ? await hiddenActions(page) : []),
      ...(isOfTill(screenshot) ? await hiddenControls(page) : [])
    ]
    found.push(...wrong.map((one) => `${String(size.width)} × ${String(size.height)}: ${one}`))
  }
  return found
}

test.concurrent.each(CASES)('$name', async ({ screenshot, looks, tills }) => {
  // States that only small screens have are checked on those.
  const { small = false } = screenshot
  const sizes = !FULL ? [SEVEN_INCH] : small ? SIZES.filter(({ width }) => width === 800) : SIZES
  const wrong: unknown[] = []
  for (const [index, till] of tills.entries()) {
    const variant = { ...till, size: small ? SEVEN_INCH : DESK, theme: 'light' } as const
    const { page, faults, close } = await runner.open(screenshot, variant)
    const found = index === 0 ? await violationsIn(page, looks) : []
    found.push(...(await outOfSight(page, screenshot, sizes)))
    await close()
    if (found.length + faults.length > 0) wrong.push({ ...till, found, faults })
  }
  expect(wrong).toEqual([])
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
