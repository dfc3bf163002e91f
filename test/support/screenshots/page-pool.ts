/** Reuses the pages of one browser: opening a page in a Chromium with windows is slow. */
import type { Browser, CDPSession, Page, Request } from 'playwright-core'
import { drawPreview } from './slip-preview.ts'

/** A page lives for seconds: code that is optimized for it takes more processor time than it saves. */
export const BROWSER_ARGS = ['--no-sandbox', '--disable-gpu', '--js-flags=--no-opt,--no-maglev']

/** A page in use. */
export interface PooledPage {
  readonly page: Page
  /** logged errors: violations of the content security policy and uncaught exceptions */
  readonly faults: string[]
  /** Resolves when nothing has changed in the page, and nothing was loaded, for `ms` on the clock of the page. */
  readonly settled: (ms: number) => Promise<void>
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
  /** those without a whole response */
  readonly requests: Set<Request>
  faults: string[]
}

async function createPage(browser: Browser): Promise<PooledEntry> {
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  await context.exposeFunction('drawPreview', drawPreview)
  const page = await context.newPage()
  // Only a hung page takes this long.
  page.setDefaultTimeout(90_000)
  const devTools = await context.newCDPSession(page)
  await devTools.send('Page.enable')
  const kept: PooledEntry = { page, devTools, faults: [], requests: new Set() }
  page.on('request', (request) => kept.requests.add(request))
  page.on('requestfinished', (request) => kept.requests.delete(request))
  page.on('requestfailed', (request) => kept.requests.delete(request))
  page.on('console', (message) => {
    // An image that fails to load is one of the states shown.
    if (message.type() === 'error' && !message.text().includes('404')) kept.faults.push(message.text())
  })
  page.on('pageerror', (error) => kept.faults.push(error.message))
  return kept
}

/** Runs in the page. Its short pauses take longer while the page does something else, or has no processor. */
async function waitForQuiet(ms: number): Promise<void> {
  const PAUSE_MS = 10
  const countLoaded = (): number => performance.getEntriesByType('resource').length
  let quietMs = 0
  let loaded = countLoaded()
  const observer = new MutationObserver(() => {
    quietMs = 0
  })
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
  while (quietMs < ms) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    quietMs = countLoaded() === loaded ? quietMs + PAUSE_MS : 0
    loaded = countLoaded()
  }
  observer.disconnect()
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
      async settled(ms) {
        do await page.evaluate(waitForQuiet, ms)
        while (kept.requests.size > 0)
      },
      async close() {
        await devTools.send('Page.removeScriptToEvaluateOnNewDocument', { identifier })
        await page.goto('about:blank')
        idle.push(kept)
      }
    }
  }
}
