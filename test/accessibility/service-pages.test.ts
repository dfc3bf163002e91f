/**
 * The pages of a shop's own service, for its customers and for owner and staff, in each language, in light and dark, on a phone and in a window:
 * axe finds no violation, every target is large enough for a finger, nothing is wider than the screen, and the Tab key
 * stops where the eye reads, visibly. They are complete without script, and small.
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LANGUAGES } from '../../electron/contract/language.ts'
import type { Variant } from '../support/screenshots/screenshot-runner.ts'
import { MANAGE_SCREENSHOTS } from '../support/screenshots/screenshots-manage.ts'
import { SERVICE_SCREENSHOTS } from '../support/screenshots/screenshots-service.ts'
import {
  createServiceRunner,
  SERVICE_SIZES,
  type ServiceRunner
} from '../support/screenshots/service-runner.ts'
import { FULL, partOf } from '../support/size.ts'
import { sidewaysScrolls } from './in-sight.ts'
import { smallTargets } from './small-targets.ts'
import { violationsOn } from './violations.ts'

/** The narrowest phone. */
const NARROW = { width: 320, height: 568 }

/** Bytes at a visit, beside the logo; the shop's pages have lists of countries and time zones. */
const MAX_BYTES = { service: 40_000, manage: 90_000 }

const LOOKS: readonly Pick<Variant, 'size' | 'theme'>[] = SERVICE_SIZES.flatMap((size) =>
  (['light', 'dark'] as const).map((theme) => ({ size, theme }))
)

/** Pages with the parts of another one, which differ from it in what their texts say: in the full size alone. */
const OTHER_TEXTS = [
  'code-wrong-name',
  'code-in-another-language',
  'collected-linked',
  'collected-without-cookies',
  'account-unlink-other',
  'code-expired',
  'code-cancelled',
  'code-unknown',
  'code-form-of-another-site',
  'too-many-attempts',
  'account-deleted',
  'account-linked-empty',
  'join-wrong-phone',
  'not-found',
  'error',
  'manage-welcome-colleague',
  'manage-too-many-attempts',
  'manage-today-empty',
  'manage-collected-today',
  'manage-customers-empty',
  'manage-customers-second-page',
  'manage-customer-refused',
  'manage-codes-not-found',
  'manage-code-expired',
  'manage-code-collected',
  'manage-code-cancelled',
  'manage-rewards-empty',
  'manage-rules-no-day',
  'manage-rules-wrong-level',
  'manage-rules-off-asked',
  'manage-customer-corrected',
  'manage-activity-none',
  'manage-by-till-none',
  'manage-offline-none',
  'manage-backup-failed',
  'manage-today-offline',
  'manage-codes-offline',
  'account-digits',
  'account-unlinked-now',
  'account-unlinked-other',
  'collected-again',
  'code-offline-refused',
  'manage-tills-empty',
  'manage-data-no-backups',
  'manage-data-several-shops',
  'manage-backup-copied',
  'manage-backup-checked',
  'manage-backup-refused',
  'manage-backup-cancelled',
  'manage-owners-only',
  'manage-not-found',
  'manage-form-of-another-site',
  'manage-unavailable'
]

let runner: ServiceRunner
beforeAll(async () => {
  runner = await createServiceRunner()
})
afterAll(() => runner.close())

/** By how many CSS pixels something is wider than the window or the slip. The torn edge of a slip covers its border. */
const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const BORDER = 1
    const slips = [...document.querySelectorAll('.slip')].map(
      ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth - BORDER
    )
    return Math.max(0, document.documentElement.scrollWidth - innerWidth, ...slips)
  })

test.concurrent.each(LANGUAGES)(
  'every number by till and cashier is in sight on a phone, in %s',
  async (language) => {
    const screenshot = MANAGE_SCREENSHOTS.find(({ name }) => name === 'manage-by-till')
    if (!screenshot) throw new Error('There is no such screenshot')
    const { page, close } = await runner.open(screenshot, { size: NARROW, theme: 'light', language })
    const found = await sidewaysScrolls(page)
    const numbers = await page.locator('.named .number').count()
    await close()
    expect(found).toEqual([])
    expect(numbers).toBeGreaterThan(0)
  }
)

const CONTROLS = 'a[href], button, input:not([type="hidden"]), select, summary, [tabindex="0"]'

/** The places of the controls where the Tab key stops, among those that can be seen, and whether the focus shows there. */
const tabStops = async (page: Page): Promise<{ readonly place: number; readonly isShown: boolean }[]> => {
  // The page notes each stop by itself: asking it after each press took longer than the press.
  const stops = await page.evaluateHandle((controls) => {
    const found: { place: number; isShown: boolean }[] = []
    const all = [...document.querySelectorAll(controls)].filter((control) => control.checkVisibility())
    document.addEventListener('focusin', ({ target }) => {
      if (!(target instanceof Element)) return
      const { outlineStyle, outlineWidth } = getComputedStyle(target)
      const stop = {
        place: all.indexOf(target),
        isShown: outlineStyle === 'solid' && parseFloat(outlineWidth) >= 2
      }
      if (stop.place >= 0 && stop.place !== found.at(-1)?.place) found.push(stop)
    })
    return found
  }, CONTROLS)
  // A field for a time or a day has a stop for each of its parts, and one for its calendar.
  const parts = 3 * (await page.locator('[type="time"], [type="date"]').count())
  // Where the focus begins within the page, the way round leads through its frame.
  const frames = 2 * (await page.locator('iframe').count())
  const count = (await page.locator(CONTROLS).count()) + parts + frames
  for (let press = 0; press <= count; press++) await page.keyboard.press('Tab')
  return stops.jsonValue()
}

/** What a page that is rendered on the server does without: scripts, and anything but its text and the logo. */
const loadedBy = (page: Page): Promise<{ scripts: number; resources: string[]; bytes: number }> =>
  page.evaluate(() => ({
    scripts: document.querySelectorAll('script, [onclick], [style]').length,
    resources: performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
    bytes: new TextEncoder().encode(document.documentElement.outerHTML).length
  }))

test.concurrent.each(
  [...SERVICE_SCREENSHOTS, ...MANAGE_SCREENSHOTS]
    .filter(({ name }) => FULL || !OTHER_TEXTS.includes(name))
    .flatMap((screenshot, index) =>
      partOf(LANGUAGES, index).map((language) => [screenshot.name, language, screenshot, index] as const)
    )
)('%s in %s', async (_name, language, screenshot, index) => {
  const looks = partOf(LOOKS, index)
  const [first = { size: NARROW, theme: 'light' as const }] = looks
  const { page, faults, close } = await runner.open(screenshot, { ...first, language })
  const { scripts, resources, bytes } = await loadedBy(page)
  const found: unknown[] = []
  for (const { size, theme } of looks) {
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme: theme })
    found.push(...(await violationsOn(page)), ...(await smallTargets(page)))
    found.push({ size, overflow: await overflow(page) })
  }
  await page.setViewportSize(NARROW)
  found.push(...(await smallTargets(page)), { size: NARROW, overflow: await overflow(page) })
  const stops = await tabStops(page)
  await close()

  expect(faults).toEqual([])
  expect(found).toEqual([...looks, { size: NARROW }].map(({ size }) => ({ size, overflow: 0 })))
  // Once round in the order of the document, from wherever the focus was.
  const places = stops.map(({ place }) => place)
  const start = places[0] ?? 0
  const count = new Set(places).size
  expect(count).toBeGreaterThanOrEqual(LANGUAGES.length)
  expect(places.slice(0, count)).toEqual(places.slice(0, count).map((_place, at) => (start + at) % count))
  expect(stops.filter(({ isShown }) => !isShown)).toEqual([])
  expect(scripts).toBe(0)
  expect(resources.filter((path) => !/^\/images\/logo|^\/me\/\w+\/code$/.test(path))).toEqual([])
  expect(bytes).toBeLessThanOrEqual(
    screenshot.name.startsWith('manage-') ? MAX_BYTES.manage : MAX_BYTES.service
  )
})
