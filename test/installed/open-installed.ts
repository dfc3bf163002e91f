/** Starts an installed till in its Debian, as the cashier's account does, and connects Playwright to it. */
import { _electron, type ElectronApplication, type Page } from '@playwright/test'
import { CashierPage } from '../e2e/page-objects/cashier.ts'
import { ManagerPage } from '../e2e/page-objects/manager.ts'
import { HOME_INSIDE, type Chroot } from './chroot.ts'

/** The user data folder of a till that is started without options. */
export const USER_DATA = `${HOME_INSIDE}/.config/Tillpoints`

/** An installed till that is open. */
export interface InstalledTill {
  readonly app: ElectronApplication
  readonly page: Page
  readonly cashier: CashierPage
  readonly manager: ManagerPage
}

/** @param command program and arguments, as a desktop or a shell starts them */
export async function openInstalled(chroot: Chroot, command: readonly string[]): Promise<InstalledTill> {
  const executablePath = await chroot.launcher(command)
  const app = await _electron.launch({ executablePath, chromiumSandbox: true })
  const page = await app.firstWindow()
  await page.waitForURL(/till/)
  await page.waitForLoadState()
  return { app, page, cashier: new CashierPage(page), manager: new ManagerPage(page) }
}
