/** The project's own service, and tills that redeem at it over a line that tests break. Vitest is not loaded here. */
import { join } from 'node:path'
import * as v from 'valibot'
import { err } from '../../electron/contract/failure.ts'
import { NetworkFault } from '../../electron/main/loyalty/buffered-fetch.ts'
import { LoyaltyClient } from '../../electron/main/loyalty/loyalty-client.ts'
import type { SlipService } from '../../electron/main/slips/slip-service.ts'
import { LoyaltyPointsService } from '../../electron/service/index.ts'
import { business } from './sample-business.ts'
import { openTestSlips, type SlipDoubles } from './slip-service.ts'

const TOKEN = 'redemption-test'
const BASE_URL = 'https://points.example/api'

const customerRows = v.object({
  data: v.array(v.object({ id: v.string(), name: v.string(), balance: v.number() }))
})
const rewardRows = v.object({
  data: v.array(v.object({ id: v.string(), name: v.string(), cost: v.number() }))
})

/** What a line does with a request of the extension: the service's answer, a lost one, or an answer of its own. */
export type LineFault =
  'none' | 'lost-before' | 'lost-after' | 'not-sent' | (() => Response | Promise<Response>)

/** A service with sample data. */
export class RedemptionService {
  readonly service: LoyaltyPointsService

  private constructor(service: LoyaltyPointsService) {
    this.service = service
  }

  static async open(file = ':memory:', now?: () => Date): Promise<RedemptionService> {
    const service = await LoyaltyPointsService.open({
      file,
      tokens: [TOKEN],
      publicUrl: 'https://points.example',
      seed: { customers: 12, rewards: 12 },
      ...(now !== undefined && { now })
    })
    return new RedemptionService(service)
  }

  async read<Schema extends v.GenericSchema>(path: string, schema: Schema): Promise<v.InferOutput<Schema>> {
    const response = await this.service.fetch(
      new Request(`${BASE_URL}/${path}`, { headers: { authorization: `Bearer ${TOKEN}` } })
    )
    return v.parse(schema, await response.json())
  }

  /** Returns a customer who can afford a reward, and the most expensive such reward. */
  async customerAndReward() {
    const { data: customers } = await this.read('customers?pageSize=50', customerRows)
    const { data: rewards } = await this.read('rewards?pageSize=50', rewardRows)
    for (const customer of customers.toSorted((one, other) => other.balance - one.balance)) {
      for (const reward of rewards.toSorted((one, other) => other.cost - one.cost)) {
        const { isEnable } = await this.read(`rewards/${reward.id}`, v.object({ isEnable: v.boolean() }))
        if (isEnable && reward.cost <= customer.balance) return { customer, reward }
      }
    }
    throw new Error('No customer can afford a reward')
  }

  /** Returns the cheapest reward that is enabled. */
  async cheapestReward() {
    const { data: rewards } = await this.read('rewards?pageSize=50', rewardRows)
    for (const reward of rewards.toSorted((one, other) => one.cost - other.cost)) {
      const { isEnable } = await this.read(`rewards/${reward.id}`, v.object({ isEnable: v.boolean() }))
      if (isEnable) return reward
    }
    throw new Error('No reward is enabled')
  }

  async balanceOf(customerId: string): Promise<number> {
    const { balance } = await this.read(`customers/${customerId}?type=id`, v.object({ balance: v.number() }))
    return balance
  }

  close(): Promise<void> {
    return this.service.close()
  }
}

/** The line of one till to a service. */
export class BreakingLine {
  fault: LineFault = 'none'
  /** keys of the requests of the extension, in order */
  readonly keys: string[] = []
  readonly client: LoyaltyClient

  constructor(service: RedemptionService) {
    this.client = new LoyaltyClient({
      baseUrl: BASE_URL,
      token: TOKEN,
      languages: { screen: 'en' },
      fetch: async (request) => {
        if (!new URL(request.url).pathname.startsWith('/ext/')) return service.service.fetch(request)
        const { fault } = this
        if (fault === 'not-sent') throw new NetworkFault('not-sent')
        this.keys.push(request.headers.get('idempotency-key') ?? '')
        if (fault === 'lost-before') throw new NetworkFault('lost')
        if (typeof fault === 'function') return fault()
        const response = await service.service.fetch(request)
        if (fault === 'lost-after') throw new NetworkFault('lost')
        return response
      }
    })
  }
}

/** Opens the slips of a till in `folder` whose redemptions go over `line`. */
export function openRedeemingTill(
  folder: string,
  line: BreakingLine,
  changes: Partial<SlipDoubles> = {}
): SlipService {
  return openTestSlips(folder, {
    journalFile: join(folder, 'journal.db'),
    retryDelaysMs: [],
    currentBusiness: () => business,
    redeem: (key, asked, { id }) =>
      id === business.id ? line.client.redeem(key, asked) : Promise.resolve(err({ kind: 'not-connected' })),
    reverseRedemption: (key, asked) => line.client.reverseRedemption(key, asked),
    credit: (key, asked) => line.client.credit(key, asked),
    reverseCredit: (key, asked) => line.client.reverseCredit(key, asked),
    takeBack: (key, asked) => line.client.takeBack(key, asked),
    ...changes
  })
}
