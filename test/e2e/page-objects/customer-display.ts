/** Page object of the customer display. */
import { expect, type ElectronApplication, type Locator, type Page } from '@playwright/test'
import { PNG } from 'pngjs'
import type {
  CustomerDisplayBridge,
  CustomerDisplayView
} from '../../../electron/contract/customer-display.ts'
import { scan } from '../../support/read-slip.ts'

declare global {
  interface Window {
    /** Exposed by the preload of the customer display. */
    readonly customerDisplay?: CustomerDisplayBridge
    /** the views received since `recordViews()` */
    recordedViews?: CustomerDisplayView[]
  }
}

const isDisplay = (page: Page): boolean => page.url().includes('customer-display')

/** The customer display of one till. */
export class CustomerDisplayPage {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  /** The whole content of the display. */
  get content(): Locator {
    return this.page.getByRole('main')
  }

  /** Decodes the QR codes in a screenshot of the display. */
  async scanQrCodes(): Promise<readonly string[]> {
    const { width, height, data } = PNG.sync.read(await this.page.screenshot())
    const pixels = Uint8Array.from({ length: width * height }, (_, index) => data[index * 4] ?? 0)
    return scan({ width, height, pixels })
  }

  /** The side of the QR code with its quiet zone, relative to the shorter side of the screen. */
  async codeShare(): Promise<number> {
    const box = await this.page.getByRole('img', { name: /QR/ }).boundingBox()
    const [width, height] = await this.page.evaluate(() => [innerWidth, innerHeight] as const)
    return (box?.width ?? 0) / Math.min(width, height)
  }

  /** Records every view from now on, including the current one. */
  async recordViews(): Promise<void> {
    await this.page.evaluate(async () => {
      const first = await window.customerDisplay?.view()
      window.recordedViews = first ? [first] : []
      window.customerDisplay?.onView((view) => window.recordedViews?.push(view))
    })
  }

  /** The views received since `recordViews()`. */
  recordedViews(): Promise<readonly CustomerDisplayView[]> {
    return this.page.evaluate(() => window.recordedViews ?? [])
  }
}

/** Resolves with the page object once the customer display of `app` is open. */
export async function openCustomerDisplay(app: ElectronApplication): Promise<CustomerDisplayPage> {
  // The window exists before its page is loaded.
  await expect.poll(() => app.windows().some(isDisplay)).toBe(true)
  const page = app.windows().find(isDisplay)
  if (!page) throw new Error('The customer display closed again')
  await page.getByRole('main').waitFor()
  return new CustomerDisplayPage(page)
}
