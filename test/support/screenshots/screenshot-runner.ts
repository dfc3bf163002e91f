/** Opens the built page in a browser, with a fake bridge in the state of each screenshot. */
import { readFile } from 'node:fs/promises'
import { chromium, type Page } from 'playwright-core'
import type { Language } from '../../../electron/contract/language.ts'
import { CHROMIUM_MISSING, findChromium } from '../chromium.ts'
import { FAKE_BRIDGE, PAGES } from './build.ts'
import { BROWSER_ARGS, createPagePool } from './page-pool.ts'
import type { Screenshot } from './screenshot.ts'
import { viewOf, type DisplayScreenshot } from './screenshots-customer-display.ts'
import { servePage } from './serve-page.ts'
import { localizedPage } from './localized-page.ts'

/** The size, theme and language of a screenshot. */
export interface Variant {
  /** in CSS pixels */
  readonly size: { readonly width: number; readonly height: number }
  readonly theme: 'light' | 'dark'
  readonly language: Language
  /** the high contrast setting of the till */
  readonly highContrast?: boolean
  /** a touch screen, where the till has its number pad */
  readonly touch?: boolean
}

/** A page in the state of a screenshot. */
export interface OpenScreen {
  readonly page: Page
  readonly faults: readonly string[]
  readonly close: () => Promise<void>
}

export interface ScreenshotRunner {
  /**
   * Opens the till in the state of `screenshot` and runs its steps. `faults` of the result has logged errors and a step
   * that failed.
   */
  open(screenshot: Screenshot, variant: Variant): Promise<OpenScreen>
  /** Opens the customer display in the state of `screenshot`. */
  openDisplay(screenshot: DisplayScreenshot, variant: Variant): Promise<OpenScreen>
  close(): Promise<void>
}

/** The time until the delay of a search has passed and skeletons are visible. */
const SETTLE_MS = 450

/** Starts a browser and a server for the pages that `build.ts` built. Throws without a Chromium. */
export async function createScreenshotRunner(): Promise<ScreenshotRunner> {
  const executablePath = findChromium()
  if (!executablePath) throw new Error(CHROMIUM_MISSING)
  const fakeBridge = await readFile(FAKE_BRIDGE, 'utf8')
  const { url, stop } = await servePage(PAGES)
  const browser = await chromium.launch({ executablePath, args: BROWSER_ARGS })

  const lend = createPagePool(browser)

  return {
    async open(screenshot, variant) {
      const { language, highContrast = false, touch = false } = variant
      const fakeState = {
        ...screenshot.case,
        state: { language, slipLanguage: language, ...screenshot.case?.state },
        settings: {
          ...(highContrast ? { contrast: 'more' } : {}),
          ...(touch ? { numberPad: 'shown' } : {}),
          ...screenshot.case?.settings
        }
      }
      const script = `globalThis.fakeState = ${JSON.stringify(fakeState)};${fakeBridge}`
      const scene = await lend({ ...variant, script })
      const { page, faults } = scene
      // Until the till has loaded its screens.
      await page.goto(url, { waitUntil: 'networkidle' })
      await page.evaluate('document.fonts.ready')
      try {
        await screenshot.steps?.(localizedPage(page, language))
      } catch (error) {
        faults.push(String(error))
      }
      // The delay before a search and the skeletons are part of the screenshot.
      await scene.settled(SETTLE_MS)
      return scene
    },
    async openDisplay(screenshot, variant) {
      const view = JSON.stringify({
        ...viewOf(screenshot, variant.language),
        contrast: variant.highContrast === true ? 'more' : 'system'
      })
      const script = `globalThis.customerDisplay = {
        view: async () => (${view}),
        onView: () => () => undefined,
        reportTouch: async () => undefined,
        pressKey: async () => undefined
      }`
      const scene = await lend({ ...variant, script })
      await scene.page.goto(`${url}customer-display.html`)
      await scene.page.locator('main').waitFor()
      await scene.page.evaluate('document.fonts.ready')
      return scene
    },
    async close() {
      await browser.close()
      await stop()
    }
  }
}
