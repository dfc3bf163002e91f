/** The training service of several businesses, with faults between it and the till. */
import { LoyaltyClient } from '../../electron/main/loyalty/loyalty-client.ts'
import type { SlipBusiness } from '../../electron/main/session/current-business.ts'
import { LoyaltyPointsService } from '../../electron/service/index.ts'
import { business } from '../support/sample-business.ts'
import type { Reality } from './reality.ts'

/** What happens to a request. */
export const SERVICE_FAULTS = [
  'none',
  /** it does not reach the service */
  'refuse-connection',
  /** it reaches the service, and the connection breaks before the response */
  'lose-answer',
  /** the service refuses */
  'refuse',
  /** the service fails after it made a code */
  'fail',
  /** it reaches the service, and the response waits until it is released */
  'hold',
  /** the response carries a code that was issued before */
  'repeat-code',
  /** the response carries a code that was used before */
  'used-code',
  /** the response carries other points */
  'other-points'
] as const
export type ServiceFault = (typeof SERVICE_FAULTS)[number]

/**
 * The businesses that a till can be connected to; the last one is training mode of the first. Codes are asked for with a key
 * by all but the second.
 */
const extensions = [...business.extensions, 'codes/1'] as const
export const BUSINESSES: readonly SlipBusiness[] = [
  { ...business, id: 'business-a', extensions },
  { ...business, id: 'business-b', name: 'Other Café' },
  { ...business, id: 'business-a', extensions, training: true }
]

const tokenOf = ({ id, training }: SlipBusiness): string => (training ? 'training' : id)

/** The service itself: one for all runs, because its codes are never equal. */
export const openService = (): Promise<LoyaltyPointsService> =>
  LoyaltyPointsService.open({
    file: ':memory:',
    tokens: BUSINESSES.map(tokenOf),
    publicUrl: 'https://points.example',
    seed: { customers: 0, rewards: 0 }
  })

/** An error of Node's fetch. */
const fetchError = (code: string): Error =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) })

export interface ServiceLineDependencies {
  readonly service: Pick<LoyaltyPointsService, 'fetch'>
  readonly reality: Reality
  /** resolves when the responses are released */
  readonly hold: () => Promise<void>
  /** called before each response */
  readonly beforeResponse: () => void
}

/** The network between the till and its service. */
export class ServiceLine {
  fault: ServiceFault = 'none'
  readonly #dependencies: ServiceLineDependencies
  readonly #clients: readonly LoyaltyClient[]
  readonly #keys = new Set<string>()

  constructor(dependencies: ServiceLineDependencies) {
    this.#dependencies = dependencies
    this.#clients = BUSINESSES.map(
      (current) =>
        new LoyaltyClient({
          baseUrl: 'https://points.example/api',
          token: tokenOf(current),
          languages: { screen: 'en' },
          fetch: (request) => this.#fetch(request, current)
        })
    )
  }

  /** Returns the client of a business. */
  client(current: SlipBusiness): Pick<LoyaltyClient, 'createQr' | 'issueCode'> {
    const client = this.#clients[BUSINESSES.indexOf(current)]
    if (client === undefined) throw new Error('The till is connected to no business')
    return client
  }

  async #fetch(request: Request, { id, training }: SlipBusiness): Promise<Response> {
    const { service, reality, hold, beforeResponse } = this.#dependencies
    const { fault } = this
    const scope = { businessId: id, training }
    const { points } = (await request.clone().json()) as { points: number }
    // However often it is asked with its key, it is one request.
    const key = request.headers.get('idempotency-key')
    if (key === null || !this.#keys.has(key)) reality.addPost(points)
    if (key !== null) this.#keys.add(key)
    if (fault === 'refuse-connection') throw fetchError('ECONNREFUSED')
    if (fault === 'refuse') return Response.json({ message: 'No' }, { status: 422 })
    const response = await service.fetch(request)
    const body = (await response.json()) as { code: string; usedDate: string }
    const earlier = [...reality.stored.values()].findLast((code) => {
      const one = reality.made.get(code)
      return one?.businessId === id && one.training === training
    })
    // The service answered with an earlier code: it made no new one.
    if (fault !== 'repeat-code' || earlier === undefined) {
      reality.made.set(body.code, { ...scope, points, isUsed: fault === 'used-code' })
    }
    if (fault === 'hold') await hold()
    beforeResponse()
    switch (fault) {
      case 'lose-answer':
        throw fetchError('ECONNRESET')
      case 'fail':
        return Response.json({ message: 'Failed' }, { status: 500 })
      case 'repeat-code':
        return Response.json({ ...body, code: earlier ?? body.code })
      case 'used-code':
        return Response.json({ ...body, status: 'used', usedDate: '2026-11-20T10:00:00.000Z' })
      case 'other-points':
        return Response.json({ ...body, rewardPoints: points + 1 })
      default:
        return Response.json(body)
    }
  }
}
