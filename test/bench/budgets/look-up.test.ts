/** The cost of a look-up in IPC calls and requests. */
import { expect, it, onTestFinished } from 'vitest'
import { ok } from '../../../electron/contract/failure.ts'
import { findCustomers } from '../../../electron/main/loyalty/customers.ts'
import { LoyaltyClient } from '../../../electron/main/loyalty/loyalty-client.ts'
import {
  LoyaltyPointsService,
  KNOWN_CUSTOMERS,
  TRAINING_BASE_URL,
  TRAINING_PUBLIC_URL,
  TRAINING_TOKEN
} from '../../../electron/service/index.ts'
import { IpcClient } from '../../../renderer/src/state/ipc-client.svelte.ts'
import { Checkout } from '../../../renderer/src/state/checkout.svelte.ts'
import { bridgeWith } from '../../unit/renderer/support/bridge.ts'

const [known] = KNOWN_CUSTOMERS

/** A counter whose bridge leads to a training service; what was asked of both. */
async function open() {
  const calls: string[] = []
  const requests: string[] = []
  const training = await LoyaltyPointsService.open({
    file: ':memory:',
    tokens: [TRAINING_TOKEN],
    publicUrl: TRAINING_PUBLIC_URL
  })
  onTestFinished(() => training.close())
  const service = new LoyaltyClient({
    baseUrl: TRAINING_BASE_URL,
    token: TRAINING_TOKEN,
    languages: { screen: 'en' },
    fetch: async (request) => {
      requests.push(`${request.method} ${request.url.replace(TRAINING_BASE_URL, '')}`)
      return training.fetch(request)
    }
  })
  const bridge = bridgeWith({
    customers: {
      recent: () => {
        calls.push('recent')
        return Promise.resolve(ok([]))
      },
      find: ({ text, page }) => {
        calls.push('find')
        return findCustomers(service, { text, page, country: 'GR' })
      }
    }
  })
  return { checkout: new Checkout(bridge, new IpcClient()), calls, requests }
}

it('a phone and Enter take 1 call and 2 requests, side by side', async () => {
  const { checkout, calls, requests } = await open()
  checkout.search.type(known.phone)
  expect(await checkout.chooseOnlyMatch()).toBe(true)
  const spelt = encodeURIComponent(known.phone)
  expect(calls).toEqual(['find'])
  expect(requests).toEqual([
    `GET /customers/${spelt}?type=phone`,
    `GET /customers/?name=${spelt}&pageNumber=1`
  ])
})

it('a name takes 1 call and 1 request', async () => {
  const { checkout, calls, requests } = await open()
  checkout.search.type(known.name)
  await checkout.chooseOnlyMatch()
  expect([calls, requests.length]).toEqual([['find'], 1])
})

it('choosing who is found takes none', async () => {
  const { checkout, calls, requests } = await open()
  checkout.search.type(known.phone)
  await checkout.search.searchNow()
  const [before, asked] = [calls.length, requests.length]
  expect(await checkout.chooseOnlyMatch()).toBe(true)
  expect([calls.length - before, requests.length - asked]).toEqual([0, 0])
})
