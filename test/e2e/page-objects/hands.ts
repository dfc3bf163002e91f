/** How a cashier works the till: by keyboard, by touch, and with a scanner. Each goes by what the hand does. */
import { expect, type CDPSession, type Locator, type Page } from '@playwright/test'
import { pressesOf, type Layout } from '../../support/scanner/presses.ts'

/** ms between the keys of a person who types fast: far slower than any scanner. */
const PERSON = 90
/** ms between the keys of a scanner. */
const SCANNER = 8

/** The focus is on something that is there: the next key goes somewhere. */
export async function expectFocus(page: Page): Promise<void> {
  const focused = () =>
    page.evaluate(() => {
      const element = document.activeElement
      return element !== null && element !== document.body && element.getClientRects().length > 0
    })
  await expect.poll(focused).toBe(true)
}

/** Two hands on the keyboard. Counts the keys beyond digits, and minds after each that the focus is somewhere. */
export class Keyboard {
  readonly #page: Page
  #keys = 0

  constructor(page: Page) {
    this.#page = page
  }

  /** Keys pressed since the last time this was asked, digits not counted. */
  count(): number {
    const keys = this.#keys
    this.#keys = 0
    return keys
  }

  /** Types a text, one key after the other. */
  async types(text: string): Promise<void> {
    this.#keys += text.replace(/\d/g, '').length
    await this.#page.keyboard.type(text, { delay: PERSON })
    await expectFocus(this.#page)
  }

  /** Presses keys by their names. */
  async presses(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      this.#keys++
      await this.#page.keyboard.press(key, { delay: PERSON })
      await expectFocus(this.#page)
    }
  }
}

/** A scanner that types what it reads on the keyboard of a machine. */
export class Scanner {
  readonly #page: Page
  #session: CDPSession | undefined

  constructor(page: Page) {
    this.#page = page
  }

  /** Reads a code. The keys are stamped as a scanner's are, however slow the machine passes them on. */
  async reads(
    text: string,
    how: { readonly layout?: Layout; readonly suffix?: 'Enter' | 'Tab' } = {}
  ): Promise<void> {
    const { layout = 'us', suffix = 'Enter' } = how
    this.#session ??= await this.#page.context().newCDPSession(this.#page)
    const keys = [
      ...pressesOf(text, layout).map((press) => ({ ...press, text: press.key })),
      { key: suffix, code: suffix, shift: false, text: suffix === 'Enter' ? '\r' : '' }
    ]
    const start = Date.now()
    const session = this.#session
    // All at once: a machine that is slow to pass keys on must not look like a pause between them.
    await Promise.all(
      keys.flatMap(({ key, code, shift, text: typed }, place) => {
        const timestamp = (start + place * SCANNER) / 1000
        const common = { key, code, timestamp, modifiers: shift ? 8 : 0 }
        return [
          session.send('Input.dispatchKeyEvent', { ...common, type: 'keyDown', text: typed }),
          session.send('Input.dispatchKeyEvent', { ...common, type: 'keyUp' })
        ]
      })
    )
  }
}

/** A finger on a touch screen. */
export class Finger {
  readonly #page: Page
  readonly #session: CDPSession

  private constructor(page: Page, session: CDPSession) {
    this.#page = page
    this.#session = session
  }

  /** Makes the till's screen one that can be touched. */
  static async on(page: Page): Promise<Finger> {
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 1 })
    return new Finger(page, session)
  }

  /** Touches the middle of what is there, and lets go. */
  async taps(target: Locator): Promise<void> {
    await target.scrollIntoViewIfNeeded()
    const box = await target.boundingBox()
    if (!box) throw new Error('Nothing to touch')
    const touchPoints = [{ x: box.x + box.width / 2, y: box.y + box.height / 2 }]
    await this.#session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
    await this.#session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await expectFocus(this.#page)
  }
}
