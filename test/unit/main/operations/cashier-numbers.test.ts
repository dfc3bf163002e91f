/** Who issued a code, made a credit, a redemption, an undo and a return: from the till, over its client, to the pages of the service. */
import { randomUUID } from 'node:crypto'
import { expect, it, onTestFinished } from 'vitest'
import type { ServingCashier } from '../../../../electron/contract/staff.ts'
import { NetworkFault } from '../../../../electron/main/loyalty/buffered-fetch.ts'
import { LoyaltyClient } from '../../../../electron/main/loyalty/loyalty-client.ts'
import type { CashierErasure } from '../../../../electron/main/settings/settings-schema.ts'
import { hashToken } from '../../../../electron/service/domain/identifiers.ts'
import { TillStore } from '../../../../electron/service/store/tills.ts'
import { business } from '../../../support/sample-business.ts'
import { openTestSlips } from '../../../support/slip-service.ts'
import { openOffice } from '../../service/manage/shop-office.ts'
import { ORIGIN, textOf } from '../../service/pages/visitor.ts'
import { press, temporaryFolder, valueOf } from '../slips/slip-service-fixture.ts'

const TOKEN = 'a-token-of-this-till'
const rosa: ServingCashier = { id: 'r', name: 'Rosa Papadaki', number: 3 }
const ben: ServingCashier = { id: 'b', name: 'Ben Ioannou', number: 4 }

/** Opens a shop and a till at it. The line loses requests while `isLost`: all, or those to a path. */
async function openTill({ training = false } = {}) {
  const { shop, path, signedIn, fetch, ...office } = await openOffice()
  shop.now = new Date()
  await new TillStore(shop.database).add(
    { id: 'till_1', business: shop.business, name: 'Counter', createdAt: shop.now.toISOString() },
    hashToken(TOKEN)
  )
  const line: { isLost: boolean | string; readonly lost: string[] } = { isLost: false, lost: [] }
  const client = new LoyaltyClient({
    baseUrl: `${ORIGIN}/api/`,
    token: TOKEN,
    languages: { screen: 'en' },
    fetch: async (request) => {
      const { pathname } = new URL(request.url)
      if (line.isLost === true || line.isLost === pathname) {
        line.lost.push(pathname)
        throw new NetworkFault('lost')
      }
      const { method, headers } = request
      return fetch(pathname, { method, headers, ...(method === 'POST' && { body: await request.text() }) })
    }
  })
  const serving: { cashier: ServingCashier | null } = { cashier: rosa }
  const erasures: CashierErasure[] = []
  const slips = openTestSlips(temporaryFolder(), {
    currentBusiness: () => ({ ...business, training, extensions: [...business.extensions, 'codes/1'] }),
    currentCashier: () => serving.cashier,
    retryDelaysMs: [],
    issueCode: (key, asked) => client.issueCode(key, asked),
    credit: (key, asked) => client.credit(key, asked),
    reverseCredit: (key, asked) => client.reverseCredit(key, asked),
    redeem: (key, asked) => client.redeem(key, asked),
    reverseRedemption: (key, asked) => client.reverseRedemption(key, asked),
    takeBack: (key, asked) => client.takeBack(key, asked),
    forgetCashier: (asked) => client.forgetCashier(asked),
    erasures
  })
  onTestFinished(() => slips.close())
  const customer = { id: await shop.register('+306940000001', 'Eva'), name: 'Eva' }
  const owner = await signedIn('owner')
  return {
    ...{ ...office, shop, slips, line, serving, erasures, customer },
    page: async (below: string) => textOf(await owner.get(path(below))),
    credit: (points = 100, intentId = randomUUID()) =>
      slips.credits.credit({ intentId, customer, points, balanceBefore: 0, reference: null })
  }
}

it('shows the owner the cashiers of the till with number and name', async () => {
  const { shop, slips, serving, customer, credit, page } = await openTill()
  const { intentId } = valueOf(await credit(1000))
  serving.cashier = ben
  const reward = { id: await shop.offer(10, 1), name: 'Reward 1' }
  valueOf(
    await slips.redemptions.redeem({
      intentId: randomUUID(),
      customer,
      reward,
      cost: 10,
      balanceBefore: null
    })
  )
  valueOf(
    await slips.returns.take({
      ...{ intentId: randomUUID(), customer, purchase: { by: 'credit', intentId }, part: { points: 5 } },
      ...{ atMost: 1000, reason: 'Goods returned' }
    })
  )
  serving.cashier = null
  valueOf(await credit(7))
  const byTill = await page('/by-till')
  expect(byTill).toContain('Counter 0 0 points 1 7 points 0 0 points 0 0 points')
  expect(byTill).toContain('Counter 3 Rosa Papadaki 0 0 points 1 1,000 points 0 0 points 0 0 points')
  expect(byTill).toContain('Counter 4 Ben Ioannou 0 0 points 0 0 points 1 5 points 1 10 points')
})

it('shows the owner who issued codes, and has a cashier forgotten after the codes that are not answered', async () => {
  const { slips, line, serving, erasures, page } = await openTill()
  valueOf(await slips.counter.issue(press(250)))
  serving.cashier = ben
  line.isLost = '/ext/codes'
  expect((await slips.counter.issue(press(40))).ok).toBe(false)
  erasures.push({ businessId: business.id, number: ben.number ?? 0, name: ben.name })
  for (const requests of [2, 3]) {
    slips.lostAnswers.start()
    await expect.poll(() => line.lost).toHaveLength(requests)
  }
  expect(erasures).toHaveLength(1)
  line.isLost = false
  slips.lostAnswers.start()
  await expect.poll(() => erasures).toHaveLength(0)
  const byTill = await page('/by-till')
  expect(byTill).toContain('Counter 3 Rosa Papadaki 1 250 points')
  expect(byTill).toContain('Counter 4 1 40 points')
  expect(byTill).not.toContain('Ben')
})

it('shows the owner whose undone credits are unusual', async () => {
  const { slips, serving, credit, page } = await openTill()
  for (let time = 0; time < 12; time += 1) {
    const { intentId } = valueOf(await credit())
    valueOf(await slips.credits.undo({ intentId, reason: 'Typed wrongly' }))
  }
  serving.cashier = ben
  for (let time = 0; time < 12; time += 1) valueOf(await credit())
  const activity = await page('/activity')
  expect(activity).toContain('Much is undone by 3 Rosa Papadaki · 12 of 12 undone')
  expect(activity).not.toContain('Much is undone by 4')
})

it('names the cashier of the first request when a lost answer is asked for again', async () => {
  const { slips, line, serving, credit, page } = await openTill()
  line.isLost = true
  expect((await credit()).ok).toBe(false)
  line.isLost = false
  serving.cashier = ben
  await slips.lostAnswers.askAll()
  const byTill = await page('/by-till')
  expect(byTill).toContain('3 Rosa Papadaki')
  expect(byTill).not.toContain('Ben Ioannou')
})

it('names no cashier in training mode', async () => {
  const { credit, page } = await openTill({ training: true })
  valueOf(await credit())
  expect(await page('/by-till')).not.toContain('Rosa')
})

it('has the service forget a cashier who was removed, after the requests that name them', async () => {
  const { slips, line, erasures, credit, page } = await openTill()
  valueOf(await credit())
  line.isLost = true
  expect((await credit()).ok).toBe(false)
  erasures.push(
    { businessId: 'another-shop', number: 3, name: rosa.name },
    { businessId: business.id, number: 3, name: rosa.name }
  )
  slips.lostAnswers.start()
  await expect.poll(() => slips.lostAnswers.askAgain()).toMatchObject({ value: [{}] })
  expect(erasures).toHaveLength(2)
  line.isLost = false
  slips.lostAnswers.start()
  await expect.poll(() => erasures).toHaveLength(1)
  expect(erasures[0]?.businessId).toBe('another-shop')
  const byTill = await page('/by-till')
  expect(byTill).not.toContain('Rosa')
  expect(byTill).toContain('Counter 3 0 0 points 2 200 points')
})
