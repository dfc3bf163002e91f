/** Reuses the pages of one browser: opening a page in a Chromium with windows is slow. */
import type { Browser, CDPSession, Page } from 'playwright-core'

/** A page in use. */
export interface PooledPage {
  readonly page: Page
  /** logged errors: violations of the content security policy and uncaught exceptions */
  readonly faults: string[]
  /** Returns the page to the pool. */
  readonly close: () => Promise<void>
}

/** Size and theme of a page, and a script that runs before its own. */
export interface PageOptions {
  /** in CSS pixels */
  readonly size: { readonly width: number; readonly height: number }
  readonly theme: 'light' | 'dark'
  readonly script: string
}

interface PooledEntry {
  readonly page: Page
  readonly devTools: CDPSession
  faults: string[]
}

async function createPage(browser: Browser): Promise<PooledEntry> {
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  const page = await context.newPage()
  // Only a hung page takes this long.
  page.setDefaultTimeout(30_000)
  const devTools = await context.newCDPSession(page)
  await devTools.send('Page.enable')
  const kept: PooledEntry = { page, devTools, faults: [] }
  page.on('console', (message) => {
    // An image that fails to load is one of the states shown.
    if (message.type() === 'error' && !message.text().includes('404')) kept.faults.push(message.text())
  })
  page.on('pageerror', (error) => kept.faults.push(error.message))
  return kept
}

/** Returns a function that takes a page from the pool, or opens one. A page keeps nothing of its previous use. */
export function createPagePool(browser: Browser): (wanted: PageOptions) => Promise<PooledPage> {
  const idle: PooledEntry[] = []
  return async ({ size, theme, script }) => {
    const kept = idle.pop() ?? (await createPage(browser))
    const { page, devTools } = kept
    const faults: string[] = []
    kept.faults = faults
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    // Avoids hover styles.
    await page.mouse.move(0, 0)
    const { identifier } = await devTools.send('Page.addScriptToEvaluateOnNewDocument', { source: script })
    return {
      page,
      faults,
      async close() {
        await devTools.send('Page.removeScriptToEvaluateOnNewDocument', { identifier })
        await page.goto('about:blank')
        idle.push(kept)
      }
    }
  }
}
