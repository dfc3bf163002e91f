/** Text that a page shows, without the sentences that it only says to screen readers. */
import type { Locator, Page } from '@playwright/test'

/** Finds text as `getByText` does, outside of the live region: what is announced stands there, too, for some seconds. */
export const shown = (within: Page | Locator, ...query: Parameters<Page['getByText']>): Locator => {
  const page = 'page' in within ? within.page() : within
  return within.getByText(...query).and(page.locator(':not(.spoken *)'))
}
