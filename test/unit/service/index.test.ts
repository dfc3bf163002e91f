import { describe, expect, it } from 'vitest'
import {
  createTrainingService,
  DEFAULT_SEED,
  KNOWN_CUSTOMERS,
  TRAINING_BASE_URL,
  TRAINING_PUBLIC_URL,
  TRAINING_TOKEN,
  SEEDED_CODES
} from '../../../electron/service/index.ts'

describe('the training service of the till', () => {
  it('answers below its base address, to its token, with a shop of ordinary size', async () => {
    const service = createTrainingService({
      file: ':memory:',
      tokens: [TRAINING_TOKEN],
      publicUrl: TRAINING_PUBLIC_URL
    })
    const ask = async (path: string): Promise<unknown> => {
      const headers = { authorization: `Bearer ${TRAINING_TOKEN}` }
      return (await service.fetch(new Request(TRAINING_BASE_URL + path, { headers }))).json()
    }
    expect(await ask('/account')).toMatchObject({ currentCustomers: DEFAULT_SEED.customers })
    expect(await ask('/rewards?pageSize=100')).toMatchObject({ noRewards: DEFAULT_SEED.rewards })
    expect(await ask(`/qr/${SEEDED_CODES.used[0]}`)).toMatchObject({ status: 'used' })
    const [maria] = KNOWN_CUSTOMERS
    expect(await ask(`/customers/${encodeURIComponent(maria.phone)}?type=phone`)).toMatchObject(maria)
    service.close()
  })

  it('says so when it is asked after it was closed', async () => {
    const faults: unknown[] = []
    const service = createTrainingService({
      file: ':memory:',
      tokens: [TRAINING_TOKEN],
      publicUrl: TRAINING_PUBLIC_URL,
      seed: { customers: 0 },
      onFault: (fault) => faults.push(fault)
    })
    service.close()
    service.close()
    const headers = { authorization: `Bearer ${TRAINING_TOKEN}` }
    const response = await service.fetch(new Request(`${TRAINING_BASE_URL}/account`, { headers }))
    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject({ error: 'Internal Server Error', statusCode: 500 })
    expect(faults).toHaveLength(1)
  })
})
