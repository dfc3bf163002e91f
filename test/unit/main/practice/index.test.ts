import { describe, expect, it } from 'vitest'
import {
  createPracticeService,
  DEFAULT_SEED,
  KNOWN_CUSTOMERS,
  PRACTICE_BASE_URL,
  PRACTICE_PUBLIC_URL,
  PRACTICE_TOKEN,
  SEEDED_CODES
} from '../../../../electron/main/practice/index.ts'

describe('the practice service of the till', () => {
  it('answers below its base address, to its token, with a shop of ordinary size', async () => {
    const service = createPracticeService({
      file: ':memory:',
      tokens: [PRACTICE_TOKEN],
      publicUrl: PRACTICE_PUBLIC_URL
    })
    const ask = async (path: string): Promise<unknown> => {
      const headers = { authorization: `Bearer ${PRACTICE_TOKEN}` }
      return (await service.fetch(new Request(PRACTICE_BASE_URL + path, { headers }))).json()
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
    const service = createPracticeService({
      file: ':memory:',
      tokens: [PRACTICE_TOKEN],
      publicUrl: PRACTICE_PUBLIC_URL,
      seed: { customers: 0 },
      onFault: (fault) => faults.push(fault)
    })
    service.close()
    service.close()
    const headers = { authorization: `Bearer ${PRACTICE_TOKEN}` }
    const response = await service.fetch(new Request(`${PRACTICE_BASE_URL}/account`, { headers }))
    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject({ error: 'Internal Server Error', statusCode: 500 })
    expect(faults).toHaveLength(1)
  })
})
