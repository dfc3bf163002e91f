/** Playwright fixtures: a points service over HTTP, a faulty network before it, a fresh folder, and functions that open tills. */
import { expect, test as base, type Page } from '@playwright/test'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { TillSettings } from '../../../electron/contract/settings.ts'
import type { CheckoutDraft } from '../../../electron/contract/till.ts'
import type { SeedSize } from '../../../electron/service/index.ts'
import { serve, type ServiceServer } from '../../../electron/service/server.ts'
import { openFaultyNetwork, type FaultyNetwork } from '../../support/faulty-network.ts'
import { stateOf } from './bridge.ts'
import { newUserData, openTill, removeUserData, type OpenOptions, type OpenTill } from './till.ts'
import { attachLogs, attachPage } from './failure-attachments.ts'
import { CashierPage } from '../page-objects/cashier.ts'
import { ManagerPage } from '../page-objects/manager.ts'

/** Tokens of two businesses, and one that the service refuses as expired. */
export const TOKENS = { good: 'demo', other: 'second-shop', expired: 'demo-expired' }

/** Enough for every search and list of a till; the 500 of a new business take a fifth of a second for each test. */
const SEED: Partial<SeedSize> = { customers: 50 }

/** An open till with its page objects. */
export interface Counter extends OpenTill {
  readonly cashier: CashierPage
  readonly manager: ManagerPage
}

/** Whether the till has read its profile, or knows that the service is offline or refuses the token. */
async function isServiceStateKnown(page: Page): Promise<boolean> {
  const { business, offlineSince, accepted } = await stateOf(page)
  return business !== null || offlineSince !== null || !accepted
}

/** A connected till that is open for many tests, with its service and the network between them. */
interface SharedTill extends Counter {
  readonly service: ServiceServer
  readonly network: FaultyNetwork
}

/** Loads the page of a till as it is after a start: what a test set, typed and chose is gone. Slips and customers stay. */
export async function reset({ page, cashier }: Counter, settings: Partial<TillSettings> = {}): Promise<void> {
  const draft: CheckoutDraft = {
    intentId: randomUUID(),
    pressed: false,
    way: 'slip',
    customer: null,
    points: '',
    bill: '',
    copies: 1,
    linkedBill: null,
    search: '',
    registration: null
  }
  await page.evaluate(
    async (initial) => {
      await window.tillpoints?.till.set(initial.settings)
      await window.tillpoints?.till.saveDraft(initial.draft)
      // Without the screen.
      history.replaceState(null, '', location.pathname)
    },
    { settings, draft }
  )
  await page.reload()
  await cashier.search.waitFor()
  // The page has asked for the draft, and answers come in their order: it overwrites nothing that the test types.
  await page.evaluate(() => window.tillpoints?.till.draft())
}

interface Fixtures {
  /** sizes of the seeded data, where a test needs other than the default: `test.use({ seed })` */
  readonly seed: Partial<SeedSize>
  /** whether the service is a vendor's, which has the nine operations only */
  readonly isVendors: boolean
  readonly service: ServiceServer
  /** the proxy between till and service; passes everything until a test makes it fail */
  readonly network: FaultyNetwork
  readonly userData: string
  /** Opens a till on this test's folder. It is closed at the end of the test. */
  readonly open: (options?: Partial<OpenOptions>) => Promise<Counter>
  /** Opens a till that is connected to the service by its environment. */
  readonly openConnected: (options?: Partial<OpenOptions>) => Promise<Counter>
  /**
   * The connected till that all tests of a worker share, for tests that need no start of their own. It has the slips
   * and customers of the tests before; a test leaves it connected.
   */
  readonly shared: SharedTill
}

interface WorkerFixtures {
  /** The till of `shared`, and its settings at the start. */
  readonly sharedTill: { readonly till: SharedTill; readonly settings: TillSettings }
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  seed: [SEED, { option: true }],
  isVendors: [false, { option: true }],
  userData: async ({}, use) => {
    const folder = await newUserData()
    await use(folder)
    await removeUserData(folder)
  },
  service: async ({ userData, seed }, use) => {
    const service = await serve({
      port: 0,
      tokens: [TOKENS.good, TOKENS.other],
      file: join(userData, 'service.sqlite'),
      seed
    })
    await use(service)
    await service.close()
  },
  network: async ({ service, isVendors }, use) => {
    const network = await openFaultyNetwork(service.url)
    if (isVendors) network.hideExtensions()
    await use(network)
    await network.close()
  },
  open: async ({ userData }, use, testInfo) => {
    const tills: OpenTill[] = []
    await use(async (options = {}) => {
      const till = await openTill({ userData: join(userData, 'till'), ...options })
      tills.push(till)
      return { ...till, cashier: new CashierPage(till.page), manager: new ManagerPage(till.page) }
    })
    const failed = testInfo.status !== testInfo.expectedStatus
    for (const till of tills) {
      if (till.isClosed()) continue
      if (failed) await attachPage(till.page, testInfo)
      await till.close()
    }
    if (failed) await attachLogs(join(userData, 'till'), testInfo)
  },
  openConnected: async ({ open, network }, use) => {
    await use(async (options = {}) => {
      const counter = await open({
        ...options,
        env: { ...options.env, TILLPOINTS_BASE_URL: network.url, TILLPOINTS_TOKEN: TOKENS.good }
      })
      // Phones are parsed for the business's country, which is known only once the profile is read.
      await expect.poll(() => isServiceStateKnown(counter.page)).toBe(true)
      return counter
    })
  },
  sharedTill: [
    async ({}, use) => {
      const userData = await newUserData()
      const file = join(userData, 'service.sqlite')
      const service = await serve({ port: 0, tokens: [TOKENS.good, TOKENS.other], file, seed: SEED })
      const network = await openFaultyNetwork(service.url)
      const till = await openTill({
        userData: join(userData, 'till'),
        env: { TILLPOINTS_BASE_URL: network.url, TILLPOINTS_TOKEN: TOKENS.good }
      })
      const { page } = till
      await expect.poll(() => isServiceStateKnown(page)).toBe(true)
      const pages = { cashier: new CashierPage(page), manager: new ManagerPage(page) }
      const { settings } = await stateOf(page)
      await use({ till: { ...till, ...pages, service, network }, settings })
      await till.close()
      await network.close()
      await service.close()
      await removeUserData(userData)
    },
    { scope: 'worker' }
  ],
  shared: async ({ sharedTill: { till, settings } }, use, testInfo) => {
    await reset(till, settings)
    till.network.forget()
    await use(till)
    till.network.fail('pass')
    if (testInfo.status === testInfo.expectedStatus) return
    await attachPage(till.page, testInfo)
    await attachLogs(till.userData, testInfo)
  }
})

export { expect } from '@playwright/test'
