/** Starts the built app and the empty app, which has one field in one static page. */
import { _electron, type ElectronApplication, type Page } from '@playwright/test'
import { join } from 'node:path'
import { launchOf, type OpenOptions } from '../../e2e/support/till.ts'
import { PROJECT } from '../../../resources/scripts/tools.ts'

/** Folder of the empty app, the baseline. */
export const EMPTY_APP = join(PROJECT, 'test/bench/baseline/empty-app')

/** An app whose field has taken a key. */
export interface Started {
  readonly app: ElectronApplication
  readonly page: Page
  /** milliseconds from the start of its process to the key in its field */
  readonly took: number
}

const KEY = 'x'

/**
 * Starts an app, presses a key as soon as its search field has the focus, and waits for it to stand there. Both apps
 * are started and watched in the same way, so what driving them takes is in both times.
 */
export async function startApp(options: OpenOptions): Promise<Started> {
  const begun = performance.now()
  const app = await _electron.launch({ ...launchOf(options), cwd: PROJECT })
  const page = await app.firstWindow()
  await page.waitForFunction(
    () => document.activeElement instanceof HTMLInputElement && document.activeElement.type === 'search'
  )
  await page.keyboard.press(KEY)
  await page.waitForFunction(
    (key) => document.activeElement instanceof HTMLInputElement && document.activeElement.value === key,
    KEY
  )
  return { app, page, took: performance.now() - begun }
}
