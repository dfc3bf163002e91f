/** Responses of the service's interface, and a client without delays. */
import { LoyaltyClient } from '../../../../electron/main/loyalty/loyalty-client.ts'
import type { LoyaltyClientOptions } from '../../../../electron/main/loyalty/http-client.ts'
import type { Account, Customer } from '../../../../electron/contract/loyalty.ts'

export const customer = {
  id: 'c-1',
  name: 'Ada Lovelace',
  email: null,
  phone: '+33612345678',
  avatar: 'https://pictures.example/c-1.png',
  balance: 120,
  lifetimePoints: 400
} as const satisfies Customer

export const customerPage = { hasMore: true, currentPage: 2, pageSize: 1, noCustomers: 1, data: [customer] }
export const reward = { id: 'r-1', name: 'Coffee', cost: 50, index: 1, isEnable: null }
export const rewardPage = { hasMore: false, currentPage: 1, pageSize: 20, noRewards: 1, data: [reward] }
export const rewardDetail = {
  ...reward,
  createdAt: '2026-01-02T03:04:05.000Z',
  updatedAt: '2026-02-02T03:04:05.000Z',
  isEnable: true
}
export const qrCode = {
  createdAt: '2026-01-02T03:04:05.000Z',
  updatedAt: '2026-01-02T03:04:05.000Z',
  code: 'AB12CD',
  rewardPoints: 250,
  status: 'active',
  usedDate: null,
  expiresAt: null,
  qrURL: 'https://points.example/q/AB12CD',
  qrImageURL: null
}
export const account = {
  id: 'b-1',
  name: 'Corner Shop',
  logo: 'https://pictures.example/logo.png',
  timeZone: 'Europe/Paris',
  currentPlan: 'Pro',
  currentPlanInterval: 'month',
  currentCustomers: 500,
  getStartedLink: 'https://points.example/join',
  address: { street: '1 Rue A', city: 'Paris', state: '', country: 'France', zipCode: '75001' },
  extensions: ['collections/1']
} satisfies Account

/** Returns the object without some of its fields. */
export const without = (object: object, ...fields: readonly string[]): object =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !fields.includes(name)))

/** A client with Node's fetch, no delay between attempts and a timeout of one second. */
export const serviceAt = (baseUrl: string, options: Partial<LoyaltyClientOptions> = {}): LoyaltyClient =>
  new LoyaltyClient({
    baseUrl,
    token: 'secret-token',
    languages: { screen: 'fr' },
    fetch: globalThis.fetch,
    timeoutMs: 5000,
    retryDelay: () => 0,
    ...options
  })
