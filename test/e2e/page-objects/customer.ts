/** What a customer sees on the second screen, and scans from it with a phone. */
import { expect, type ElectronApplication, type Locator, type Page } from '@playwright/test'
import { PNG } from 'pngjs'
import type {
  CustomerDisplayBridge,
  CustomerDisplayView
} from '../../../electron/contract/customer-display.ts'
import { scan } from '../../support/read-slip.ts'

declare global {
  interface Window {
    /** Put there by the customer display's preload. */
    readonly customerDisplay?: CustomerDisplayBridge
    /** every view that its preload handed to the page since somebody listened */
    heardViews?: CustomerDisplayView[]
  }
}

const isDisplay = (page: Page): boolean => page.url().includes('customer-display')

/** A customer in front of the customer display of a till. */
export class Customer {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  /** All that stands there. */
  get sees(): Locator {
    return this.page.getByRole('main')
  }

  /** What a phone reads from the screen. */
  async scans(): Promise<readonly string[]> {
    const { width, height, data } = PNG.sync.read(await this.page.screenshot())
    const pixels = Uint8Array.from({ length: width * height }, (_, index) => data[index * 4] ?? 0)
    return scan({ width, height, pixels })
  }

  /** Side of the code with its quiet zone, as a part of the screen's shorter side. */
  async codeShare(): Promise<number> {
    const box = await this.page.getByRole('img', { name: /QR/ }).boundingBox()
    const [width, height] = await this.page.evaluate(() => [innerWidth, innerHeight] as const)
    return (box?.width ?? 0) / Math.min(width, height)
  }

  /** Notes every view from now on. */
  async listens(): Promise<void> {
    await this.page.evaluate(async () => {
      const first = await window.customerDisplay?.view()
      window.heardViews = first ? [first] : []
      window.customerDisplay?.onView((view) => window.heardViews?.push(view))
    })
  }

  /** What was noted. */
  heard(): Promise<readonly CustomerDisplayView[]> {
    return this.page.evaluate(() => window.heardViews ?? [])
  }
}

/** The customer in front of a till's display, once it is open. */
export async function customerOf(app: ElectronApplication): Promise<Customer> {
  // A window is there before its page is.
  await expect.poll(() => app.windows().some(isDisplay)).toBe(true)
  const page = app.windows().find(isDisplay)
  if (!page) throw new Error('The customer display closed again')
  await page.getByRole('main').waitFor()
  return new Customer(page)
}
