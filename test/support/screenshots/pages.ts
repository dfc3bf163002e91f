/** Pages of one browser that are used again and again: a Chromium with windows takes long to open one. */
import type { Browser, CDPSession, Page } from 'playwright-core'

/** A page, while somebody has it. */
export interface LentPage {
  readonly page: Page
  /** what the page has complained of, its own security policy and errors */
  readonly faults: string[]
  /** Gives it back. */
  readonly close: () => Promise<void>
}

/** How a page is to look, and what runs in it before its own scripts. */
export interface Wanted {
  /** in CSS pixels */
  readonly size: { readonly width: number; readonly height: number }
  readonly theme: 'light' | 'dark'
  readonly script: string
}

interface Kept {
  readonly page: Page
  readonly devTools: CDPSession
  faults: string[]
}

async function makePage(browser: Browser): Promise<Kept> {
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  const page = await context.newPage()
  // A limit for what hangs, never for what is slow.
  page.setDefaultTimeout(30_000)
  const devTools = await context.newCDPSession(page)
  await devTools.send('Page.enable')
  const kept: Kept = { page, devTools, faults: [] }
  page.on('console', (message) => {
    // A picture that fails to load is one of the states shown.
    if (message.type() === 'error' && !message.text().includes('404')) kept.faults.push(message.text())
  })
  page.on('pageerror', (error) => kept.faults.push(error.message))
  return kept
}

/** Lends pages of `browser`, each to one at a time. Nothing of the one before is left on it once it has gone somewhere. */
export function createPages(browser: Browser): (wanted: Wanted) => Promise<LentPage> {
  const idle: Kept[] = []
  return async ({ size, theme, script }) => {
    const kept = idle.pop() ?? (await makePage(browser))
    const { page, devTools } = kept
    const faults: string[] = []
    kept.faults = faults
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    // What the pointer rests on looks otherwise.
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
