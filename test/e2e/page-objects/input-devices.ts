/** The input devices of a till: keyboard, barcode scanner and touch screen. */
import { expect, type CDPSession, type JSHandle, type Locator, type Page } from '@playwright/test'
import { setTimeout as wait } from 'node:timers/promises'
import { SCAN_END_GAP_MS } from '../../../renderer/src/scanner/scan-detector.ts'
import { pressesOf, type Layout } from '../../support/scanner/presses.ts'

/** The time between keys of a fast typist: far slower than any scanner. */
const TYPIST_KEY_INTERVAL_MS = 90
/** The time between the keys that a scanner sends. */
const SCANNER_KEY_INTERVAL_MS = 8

/** Expects the focus on a visible element, not on the body: the next key has a target. */
export async function expectFocus(page: Page): Promise<void> {
  const focused = () =>
    page.evaluate(() => {
      const element = document.activeElement
      return element !== null && element !== document.body && element.getClientRects().length > 0
    })
  await expect.poll(focused).toBe(true)
}

/** A keyboard. Counts the keys other than digits, and checks after each that an element has the focus. */
export class Keyboard {
  readonly #page: Page
  #keys = 0

  constructor(page: Page) {
    this.#page = page
  }

  /** Returns the number of keys pressed since the last call, digits not counted, and resets it. */
  count(): number {
    const keys = this.#keys
    this.#keys = 0
    return keys
  }

  /** Types a text key by key. */
  async type(text: string): Promise<void> {
    this.#keys += text.replace(/\d/g, '').length
    await this.#page.keyboard.type(text, { delay: TYPIST_KEY_INTERVAL_MS })
    await expectFocus(this.#page)
  }

  /** Presses keys by their names, as `Enter` or `Control+F`. */
  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      this.#keys++
      await this.#page.keyboard.press(key, { delay: TYPIST_KEY_INTERVAL_MS })
      await expectFocus(this.#page)
    }
  }
}

/** A barcode scanner that works as a keyboard. */
export class Scanner {
  readonly #page: Page
  #session: CDPSession | undefined

  constructor(page: Page) {
    this.#page = page
  }

  /**
   * Sends the keys of a scanned code, with the timestamps of a scanner, however slow the machine delivers them.
   * @param how.typed what a cashier types right before, in characters of a US keyboard
   */
  async scan(
    text: string,
    how: { readonly layout?: Layout; readonly suffix?: 'Enter' | 'Tab'; readonly typed?: string } = {}
  ): Promise<void> {
    const { layout = 'us', suffix = 'Enter', typed: before = '' } = how
    this.#session ??= await this.#page.context().newCDPSession(this.#page)
    const keys = [
      ...pressesOf(before, 'us').map((press) => ({ ...press, text: press.key })),
      ...pressesOf(text, layout).map((press) => ({ ...press, text: press.key })),
      { key: suffix, code: suffix, shift: false, text: suffix === 'Enter' ? '\r' : '' }
    ]
    // Slow delivery must not look like a pause between keys: the end of a scan is its suffix, not the till's timer.
    const timer = await this.#holdEndTimer()
    const start = Date.now()
    const scanStart = before.length * TYPIST_KEY_INTERVAL_MS
    const timeOf = (index: number): number =>
      index < before.length
        ? index * TYPIST_KEY_INTERVAL_MS
        : scanStart + (index - before.length) * SCANNER_KEY_INTERVAL_MS
    const session = this.#session
    await Promise.all(
      keys.flatMap(({ key, code, shift, text: typed }, index) => {
        const timestamp = (start + timeOf(index)) / 1000
        const common = { key, code, timestamp, modifiers: shift ? 8 : 0 }
        return [
          session.send('Input.dispatchKeyEvent', { ...common, type: 'keyDown', text: typed }),
          session.send('Input.dispatchKeyEvent', { ...common, type: 'keyUp' })
        ]
      })
    )
    await timer.evaluate((held) => held.release())
    await timer.dispose()
    // The timestamps are ahead of the clock. Until they have passed, the till takes an Enter for one of the scanner.
    await wait(start + timeOf(keys.length) + SCAN_END_GAP_MS - Date.now())
  }

  /** Holds the timer of the page that ends a scan without a suffix. */
  #holdEndTimer(): Promise<JSHandle<{ release(): void }>> {
    return this.#page.evaluateHandle((delay) => {
      const start = window.setTimeout.bind(window)
      window.setTimeout = new Proxy(start, {
        apply: (target, self, [run, ms, ...values]: [TimerHandler, number?, ...unknown[]]) =>
          // The longest delay of a browser.
          Reflect.apply(target, self, [run, ms === delay ? 2 ** 31 - 1 : ms, ...values]) as number
      })
      return {
        release() {
          window.setTimeout = start
        }
      }
    }, SCAN_END_GAP_MS)
  }
}

/** A touch screen. */
export class TouchScreen {
  readonly #page: Page
  readonly #session: CDPSession
  readonly #isFocusable: boolean

  private constructor(page: Page, session: CDPSession, isFocusable: boolean) {
    this.#page = page
    this.#session = session
    this.#isFocusable = isFocusable
  }

  /**
   * Turns on touch emulation for a page.
   * @param isFocusable whether an element must have the focus after each tap
   */
  static async enable(page: Page, { isFocusable = true } = {}): Promise<TouchScreen> {
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 1 })
    return new TouchScreen(page, session, isFocusable)
  }

  /** Ends the emulation: the page has no touch screen any more. */
  disable(): Promise<void> {
    return this.#session.detach()
  }

  /** Taps the centre of an element. */
  async tap(target: Locator): Promise<void> {
    await target.scrollIntoViewIfNeeded()
    const box = await target.boundingBox()
    if (!box) throw new Error('The element is not visible')
    const touchPoints = [{ x: box.x + box.width / 2, y: box.y + box.height / 2 }]
    await this.#session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
    await this.#session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    if (this.#isFocusable) await expectFocus(this.#page)
  }
}
