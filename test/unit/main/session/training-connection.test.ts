/** Training mode has the extension: a till redeems and undoes, and learns what sample customers have collected. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { err } from '../../../../electron/contract/failure.ts'
import { collectionOf } from '../../../../electron/contract/slips.ts'
import { LoyaltyClient } from '../../../../electron/main/loyalty/loyalty-client.ts'
import { TrainingConnection } from '../../../../electron/main/session/training-connection.ts'
import { Session } from '../../../../electron/main/session/session.ts'
import { SEEDED_CODES } from '../../../../electron/service/index.ts'
import { AccountClient, connectorOf, MemorySettings } from '../../../support/session.ts'
import { openTestSlips } from '../../../support/slip-service.ts'
import { business } from '../../../support/sample-business.ts'
import { temporaryFolder, valueOf } from '../slips/slip-service-fixture.ts'

const MINUTE_MS = 60_000

it('redeems, undoes, and shows which slips were collected', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const folder = temporaryFolder()
  const faults: unknown[] = []
  const training = new TrainingConnection(join(folder, 'training.sqlite'), (fault) => faults.push(fault))
  const connectTraining = async (): Promise<LoyaltyClient> =>
    new LoyaltyClient({
      ...(await training.open()),
      languages: { screen: 'en' },
      fetch: (request) => training.fetch(request)
    })
  const connector = connectorOf(() => new AccountClient(() => err({ kind: 'offline' })), connectTraining)
  const session = new Session({ settings: new MemorySettings(), connector, onChange: () => undefined })
  await session.startTraining()
  const client = valueOf(await session.service())
  const served = session.business
  if (served === null) throw new Error('Training mode has no business')
  const slips = openTestSlips(folder, {
    currentBusiness: () => ({ ...business, ...served, training: true, logo: null }),
    issueCode: (key, asked) => client.issueCode(key, asked),
    redeem: (key, asked) => client.redeem(key, asked),
    reverseRedemption: (key, asked) => client.reverseRedemption(key, asked),
    readCollections: (since) => client.collections(since)
  })
  onTestFinished(async () => {
    await slips.close()
    session.close()
    await training.close()
  })
  expect(served.extensions).toEqual(['redemptions/1', 'codes/1', 'credits/1', 'returns/1', 'collections/1'])

  const [customer] = valueOf(await client.listCustomers({ page: 1 })).data
  const rewards = valueOf(await client.listRewards({ page: 1 })).data
  const reward = rewards.find(({ cost }) => cost !== null && cost <= (customer?.balance ?? 0))
  const cost = reward?.cost ?? null
  if (customer === undefined || reward === undefined || cost === null)
    throw new Error('No customer can afford a reward')
  const intentId = randomUUID()
  const redeemed = await slips.redemptions.redeem({
    intentId,
    customer: { id: customer.id, name: customer.name },
    reward: { id: reward.id, name: reward.name },
    cost,
    balanceBefore: customer.balance
  })
  expect(redeemed).toMatchObject({ ok: true, value: { state: 'redeemed', training: true } })
  expect(await slips.redemptions.undo({ intentId, reason: 'For practice' })).toMatchObject({
    ok: true,
    value: { state: 'undone', balance: customer.balance }
  })

  // Two of three are collected: that none of these is has a probability of 10^-15.
  for (let count = 0; count < 30; count += 1) {
    valueOf(await slips.counter.issue({ intentId: randomUUID(), points: 5, customer: null }))
  }
  vi.setSystemTime(Date.now() + 2 * MINUTE_MS)
  slips.collections.start()
  const collected = (): number => {
    const all = valueOf(slips.queries.list({ offset: 0 })).slips
    return all.filter((slip) => collectionOf(slip, slips.collections.asOf) === 'collected').length
  }
  await expect.poll(collected).toBeGreaterThan(0)
  const [unused] = SEEDED_CODES.unused
  expect(await client.qr(unused)).toMatchObject({ ok: true, value: { status: 'active' } })
  expect(faults).toEqual([])
})
