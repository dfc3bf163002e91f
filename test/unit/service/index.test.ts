import { once } from 'node:events'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import {
  emitWarning,
  LoyaltyPointsService,
  DEFAULT_SEED,
  KNOWN_CUSTOMERS,
  TRAINING_BASE_URL,
  TRAINING_PUBLIC_URL,
  TRAINING_TOKEN,
  SEEDED_CODES
} from '../../../electron/service/index.ts'

describe('LoyaltyPointsService in process', () => {
  it('serves a seeded business for the token of training mode', async () => {
    const service = await LoyaltyPointsService.open({
      file: ':memory:',
      tokens: [TRAINING_TOKEN],
      publicUrl: TRAINING_PUBLIC_URL
    })
    const get = async (path: string): Promise<unknown> => {
      const headers = { authorization: `Bearer ${TRAINING_TOKEN}` }
      return (await service.fetch(new Request(TRAINING_BASE_URL + path, { headers }))).json()
    }
    expect(await get('/account')).toMatchObject({ currentCustomers: DEFAULT_SEED.customers })
    expect(await get('/rewards?pageSize=100')).toMatchObject({ noRewards: DEFAULT_SEED.rewards })
    expect(await get(`/qr/${SEEDED_CODES.used[0]}`)).toMatchObject({ status: 'used' })
    const [maria] = KNOWN_CUSTOMERS
    expect(await get(`/customers/${encodeURIComponent(maria.phone)}?type=phone`)).toMatchObject(maria)
    await service.close()
  })

  it('responds with 500 after close, and reports the error', async () => {
    const errors: unknown[] = []
    const service = await LoyaltyPointsService.open({
      file: ':memory:',
      tokens: [TRAINING_TOKEN],
      publicUrl: TRAINING_PUBLIC_URL,
      seed: { customers: 0 },
      onInternalError: (error) => errors.push(error)
    })
    await service.close()
    await service.close()
    const headers = { authorization: `Bearer ${TRAINING_TOKEN}` }
    const response = await service.fetch(new Request(`${TRAINING_BASE_URL}/account`, { headers }))
    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject({ error: 'Internal Server Error', statusCode: 500 })
    expect(errors).toHaveLength(1)
  })
})

it('warns of an internal error without the row that PostgreSQL quotes in its detail', async () => {
  const warned = once(process, 'warning').then((warnings: unknown[]) => inspect(warnings))
  emitWarning(
    Object.assign(new Error('violates a constraint'), { detail: 'Key (phone)=(+306901234567) exists' })
  )
  const warning = await warned
  expect(warning).toContain('violates a constraint')
  expect(warning).not.toContain('690123')
})
