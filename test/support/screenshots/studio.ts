/** Where pictures are taken: the built page alone, a browser, and a till that stands as each picture wants it. */
import { readFile } from 'node:fs/promises'
import { chromium, type Page } from 'playwright-core'
import type { Language } from '../../../electron/contract/language.ts'
import { CHROMIUM_MISSING, findChromium } from '../chromium.ts'
import { FAKE_BRIDGE, PAGES } from './build.ts'
import { createPages } from './pages.ts'
import type { Picture } from './picture.ts'
import { viewOf, type DisplayPicture } from './pictures-customer-display.ts'
import { handleAppProtocol } from './serve-page.ts'
import { inEnglish } from './speaking.ts'

/** How a picture is looked at. */
export interface Look {
  /** in CSS pixels */
  readonly size: { readonly width: number; readonly height: number }
  readonly theme: 'light' | 'dark'
  readonly language: Language
  /** as a person sets it in the settings */
  readonly highContrast?: boolean
}

/** A till as a picture wants it. */
export interface Scene {
  readonly page: Page
  readonly faults: readonly string[]
  readonly close: () => Promise<void>
}

export interface Studio {
  /**
   * Opens the till as `picture` has it and takes the steps to it. What the page complains of, its own security policy
   * and errors, is in `faults` of what comes back.
   */
  open(picture: Picture, look: Look): Promise<Scene>
  /** Opens the customer display as `picture` has it. */
  openDisplay(picture: DisplayPicture, look: Look): Promise<Scene>
  close(): Promise<void>
}

/** Milliseconds until the pause before a search is over and skeletons show. */
const SETTLED = 450

/** Starts a browser before the pages that `build.ts` has built. */
export async function openStudio(): Promise<Studio> {
  const executablePath = findChromium()
  if (!executablePath) throw new Error(CHROMIUM_MISSING)
  const fakeBridge = await readFile(FAKE_BRIDGE, 'utf8')
  const { url, stop } = await handleAppProtocol(PAGES)
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })

  const lend = createPages(browser)

  return {
    async open(picture, look) {
      const { language, highContrast = false } = look
      const pictureCase = {
        ...picture.case,
        state: { language, slipLanguage: language, ...picture.case?.state },
        settings: { ...(highContrast ? { contrast: 'more' } : {}), ...picture.case?.settings }
      }
      const script = `globalThis.pictureCase = ${JSON.stringify(pictureCase)};${fakeBridge}`
      const scene = await lend({ ...look, script })
      const { page, faults } = scene
      // Until the till has fetched what it fetches when it is idle: a picture shows it as somebody at work sees it.
      await page.goto(url, { waitUntil: 'networkidle' })
      await page.evaluate('document.fonts.ready')
      try {
        await picture.steps?.(inEnglish(page, language))
      } catch (error) {
        faults.push(String(error))
      }
      // The pause before a search, and the skeletons, are part of what is shown.
      await page.waitForTimeout(SETTLED)
      return scene
    },
    async openDisplay(picture, look) {
      const view = JSON.stringify({
        ...viewOf(picture, look.language),
        contrast: look.highContrast === true ? 'more' : 'system'
      })
      const script = `globalThis.customerDisplay = { view: async () => (${view}), onView: () => () => undefined }`
      const scene = await lend({ ...look, script })
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
