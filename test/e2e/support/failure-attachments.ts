/** Attachments for the report of a failed test: the page and the logs. */
import type { Page, TestInfo } from '@playwright/test'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The time limit of the snapshot: an unresponsive page may be the reason of the failure. */
const SNAPSHOT_TIMEOUT_MS = 5_000

/** Attaches the accessibility tree of a page. */
export async function attachPage(page: Page, testInfo: TestInfo): Promise<void> {
  const body = await page
    .locator('body')
    .ariaSnapshot({ timeout: SNAPSHOT_TIMEOUT_MS })
    .catch((error: unknown) => `The page did not answer: ${String(error)}`)
  await testInfo.attach('page', { body: `${page.url()}\n${body}`, contentType: 'text/plain' })
}

/** Attaches the log files of a user data folder, if there are any. */
export async function attachLogs(userData: string, testInfo: TestInfo): Promise<void> {
  const folder = join(userData, 'logs')
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.log')).sort()
  for (const name of names) {
    await testInfo.attach(name, { body: await readFile(join(folder, name)), contentType: 'text/plain' })
  }
}
