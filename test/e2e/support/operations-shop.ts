/** A shop with the project's own service over a network with faults, and a till at it, for specs of operations with a key. */
import type { Page, TestInfo } from '@playwright/test'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import * as v from 'valibot'
import { KNOWN_CUSTOMERS } from '../../../electron/service/index.ts'
import { serve } from '../../../electron/service/server.ts'
import { openFaultyNetwork, type FaultyNetwork } from '../../support/faulty-network.ts'
import { CashierPage } from '../page-objects/cashier.ts'
import { stateOf } from './bridge.ts'
import { attachLogs, attachPage } from './failure-attachments.ts'
import { test as base, expect, TOKENS } from './fixtures.ts'
import { newUserData, openTill, removeUserData, type OpenTill } from './till.ts'

export type KnownCustomer = (typeof KNOWN_CUSTOMERS)[number]
/** Returns the customer with this phone. */
export const known = (phone: string): KnownCustomer => {
  const found = KNOWN_CUSTOMERS.find((customer) => customer.phone === phone)
  if (found === undefined) throw new Error(`No customer has the phone ${phone}`)
  return found
}

/** The parts of a shop, which it closes. */
interface ShopParts {
  readonly folder: string
  readonly service: Awaited<ReturnType<typeof serve>>
  readonly network: FaultyNetwork
  readonly clock: { aheadMs: number }
}

/** Starts a service with the known customers, and a network with faults before it. */
export async function startShop(): Promise<ShopParts> {
  const folder = await newUserData()
  const clock = { aheadMs: 0 }
  const service = await serve({
    port: 0,
    tokens: [TOKENS.good],
    file: join(folder, 'service.sqlite'),
    // The dearest of the first rewards costs 200 points.
    seed: { customers: KNOWN_CUSTOMERS.length, rewards: 12 },
    now: () => new Date(Date.now() + clock.aheadMs)
  })
  return { folder, service, network: await openFaultyNetwork(service.url), clock }
}

/** A service with its clock, and a till that is connected to it over a network with faults. */
export class OperationsShop {
  readonly folder: string
  readonly network: FaultyNetwork
  readonly clock: { aheadMs: number }
  readonly #origin: string
  readonly #closeService: () => Promise<void>
  #till: OpenTill | null = null

  constructor({ folder, service, network, clock }: ShopParts) {
    this.folder = folder
    this.network = network
    this.clock = clock
    this.#origin = service.origin
    this.#closeService = () => service.close()
  }

  get till(): OpenTill {
    if (this.#till === null) throw new Error('The till is not open')
    return this.#till
  }

  get page(): Page {
    return this.till.page
  }

  get cashier(): CashierPage {
    return new CashierPage(this.page)
  }

  /** Opens the till, also after a kill, and waits until it knows the extensions of its service. */
  async openTill(): Promise<void> {
    this.#till = await openTill({
      userData: join(this.folder, 'till'),
      size: { width: 1024, height: 768 },
      env: { TILLPOINTS_BASE_URL: this.network.url, TILLPOINTS_TOKEN: TOKENS.good }
    })
    const extensions = async () => (await stateOf(this.page)).business?.extensions ?? []
    await expect.poll(extensions).toContain('redemptions/1')
  }

  /** Returns the points that a customer has, as the service says. */
  async balanceOf(customer: KnownCustomer): Promise<number> {
    return (await this.read(customer)).balance
  }

  /** Reads a customer from the service, past the network of the till. */
  async read({ phone }: KnownCustomer) {
    const response = await fetch(`${this.#origin}/api/customers/${encodeURIComponent(phone)}?type=phone`, {
      headers: { authorization: `Bearer ${TOKENS.good}` }
    })
    return v.parse(v.object({ id: v.string(), balance: v.number() }), await response.json())
  }

  /** Asks the extension of the service, as another till does. Resolves with its status. */
  async askExtension(path: string, body: object): Promise<number> {
    const response = await fetch(`${this.#origin}/ext/${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${TOKENS.good}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID()
      },
      body: JSON.stringify(body)
    })
    return response.status
  }

  /** Returns the key of each request to `path` of the extension that the network has seen since `first`. */
  keysOf(path: string, first = 0): readonly unknown[] {
    return this.network.seen
      .filter((request) => `${request.method} ${request.path}` === `POST /ext/${path}`)
      .slice(first)
      .map(({ headers }) => headers['idempotency-key'])
  }

  async attachIfFailed(testInfo: TestInfo): Promise<void> {
    if (testInfo.status === testInfo.expectedStatus) return
    if (!this.till.isClosed()) await attachPage(this.page, testInfo)
    await attachLogs(join(this.folder, 'till'), testInfo)
  }

  async close(): Promise<void> {
    if (this.#till?.isClosed() === false) await this.#till.close()
    await this.network.close()
    await this.#closeService()
    await removeUserData(this.folder)
  }
}

/** Returns the tests of a kind of shop: they share one shop with an open till. */
export const testOf = <Shop extends OperationsShop>(createShop: (parts: ShopParts) => Shop) =>
  base.extend<{ readonly shop: Shop }, { readonly sharedShop: Shop }>({
    sharedShop: [
      async ({}, use) => {
        const shop = createShop(await startShop())
        await shop.openTill()
        await use(shop)
        await shop.close()
      },
      { scope: 'worker' }
    ],
    shop: async ({ sharedShop }, use, testInfo) => {
      await use(sharedShop)
      await sharedShop.attachIfFailed(testInfo)
    }
  })
