/** What each end-to-end test starts with: a training service over HTTP, a fresh folder, and a way to open tills. */
import { expect, test as base, type Page } from '@playwright/test'
import { join } from 'node:path'
import type { SeedSize } from '../../../electron/service/index.ts'
import { serve, type ServiceServer } from '../../../electron/service/server.ts'
import { openFaultyNetwork, type FaultyNetwork } from '../../support/faulty-network.ts'
import { stateOf } from './bridge.ts'
import { newUserData, openTill, removeUserData, type OpenOptions, type OpenTill } from './till.ts'
import { attachLogs, attachPage } from './what-stood.ts'
import { Cashier } from '../page-objects/cashier.ts'
import { Manager } from '../page-objects/manager.ts'

/** Tokens of two businesses, and one that the training service answers as expired. */
export const TOKENS = { good: 'demo', other: 'second-shop', expired: 'demo-expired' }

/** An open till and the two people in front of it. */
export interface Counter extends OpenTill {
  readonly cashier: Cashier
  readonly manager: Manager
}

/** Whether a till has heard of its business, or that nobody tells it. */
async function knowsItsService(page: Page): Promise<boolean> {
  const { business, offlineSince, accepted } = await stateOf(page)
  return business !== null || offlineSince !== null || !accepted
}

interface Fixtures {
  /** how much the service's businesses have, where it is not a shop of ordinary size: `test.use({ seed })` */
  readonly seed: Partial<SeedSize>
  readonly service: ServiceServer
  /** between the till and the service; passes everything until told otherwise */
  readonly network: FaultyNetwork
  readonly userData: string
  /** Opens a till on this test's folder; closed at the end of the test. */
  readonly open: (options?: Partial<OpenOptions>) => Promise<Counter>
  /** Opens a till that is connected to the service already. */
  readonly openConnected: (options?: Partial<OpenOptions>) => Promise<Counter>
}

export const test = base.extend<Fixtures>({
  seed: [{}, { option: true }],
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
  network: async ({ service }, use) => {
    const network = await openFaultyNetwork(service.url)
    await use(network)
    await network.close()
  },
  open: async ({ userData }, use, testInfo) => {
    const tills: OpenTill[] = []
    await use(async (options = {}) => {
      const till = await openTill({ userData: join(userData, 'till'), ...options })
      tills.push(till)
      return { ...till, cashier: new Cashier(till.page), manager: new Manager(till.page) }
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
      // A phone is read as one of the business's country; until that is known, of the system's.
      await expect.poll(() => knowsItsService(counter.page)).toBe(true)
      return counter
    })
  }
})

export { expect } from '@playwright/test'
