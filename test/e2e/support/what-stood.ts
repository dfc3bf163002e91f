/** What there was to see when a test failed: often it tells what the test alone does not. */
import type { Page, TestInfo } from '@playwright/test'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Milliseconds that a page has to say what stands in it: the test may have failed because it does not answer. */
const PATIENCE = 5_000

/** Gives the test's report what stood in a page, as a reader of screens would hear it. */
export async function attachPage(page: Page, testInfo: TestInfo): Promise<void> {
  const body = await page
    .locator('body')
    .ariaSnapshot({ timeout: PATIENCE })
    .catch((error: unknown) => `The page did not answer: ${String(error)}`)
  await testInfo.attach('page', { body: `${page.url()}\n${body}`, contentType: 'text/plain' })
}

/** Gives the test's report the logs of the tills on this folder; nothing when there are none. */
export async function attachLogs(userData: string, testInfo: TestInfo): Promise<void> {
  const folder = join(userData, 'logs')
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.log')).sort()
  for (const name of names) {
    await testInfo.attach(name, { body: await readFile(join(folder, name)), contentType: 'text/plain' })
  }
}
