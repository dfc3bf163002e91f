/**
 * Measures the time from a key to its visible effect with the page's own clock, without the time of the test driver.
 */
import type { Page } from '@playwright/test'

/** The key and its expected effect. */
export interface Awaited {
  /** `key` of the keyboard event that begins the time */
  readonly key: string
  /** the element that shows it */
  readonly selector: string
  /** its text after the key */
  readonly text: string
}

/** Moments of the page's clock, ms. */
export interface Seen {
  /** when Chromium made the key's event */
  readonly pressed: number
  /** the frame that has it was handed over to be drawn */
  readonly painted: number
}

declare global {
  interface Window {
    benchProbe?: Promise<Seen>
  }
}

/** Starts the probe in the page; `seen` resolves with its result. */
export const watch = (page: Page, awaited: Awaited): Promise<void> =>
  page.evaluate(({ key, selector, text }) => {
    const pressing = new Promise<number>((resolve) => {
      const hear = (event: KeyboardEvent): void => {
        if (event.key !== key) return
        removeEventListener('keydown', hear, { capture: true })
        resolve(event.timeStamp)
      }
      addEventListener('keydown', hear, { capture: true })
    })
    const isThere = (): boolean =>
      [...document.querySelectorAll(selector)].some((found) => found.textContent.includes(text))
    if (isThere()) throw new Error(`${selector} shows it already`)
    const appearing = new Promise<number>((resolve) => {
      const observer = new MutationObserver(() => {
        if (!isThere()) return
        observer.disconnect()
        // A message that is sent in a frame comes after its paint.
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => resolve(performance.now())
          port2.postMessage(null)
        })
      })
      observer.observe(document.body, { subtree: true, childList: true, characterData: true })
    })
    window.benchProbe = Promise.all([pressing, appearing]).then(([pressed, painted]) => ({
      pressed,
      painted
    }))
  }, awaited)

/** Resolves with the probe's result. */
export const seen = async (page: Page): Promise<Seen> => {
  const moments = await page.evaluate(() => window.benchProbe)
  if (!moments) throw new Error('Nothing is watched for')
  return moments
}
