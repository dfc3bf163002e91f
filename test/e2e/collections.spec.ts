import { join } from 'node:path'
import * as v from 'valibot'
import type { GatewayResponse } from '../support/faulty-network.ts'
import { slipsOf, stateOf } from './support/bridge.ts'
import { collect } from './support/collect.ts'
import { FULL } from '../support/size.ts'
import { expect, test } from './support/fixtures.ts'
import { ShopService } from './support/shop-service.ts'
import { shown } from './support/shown.ts'

test('history, details and report show which slips a phone has collected', async ({ open, userData }) => {
  const shop = await ShopService.start(join(userData, 'shop'))
  try {
    const { code } = await shop.run(v.object({ code: v.string() }), 'till', 'pair', '--name', 'Till 1')
    const first = await open()
    await first.manager.connect(shop.origin, code.toLowerCase())
    for (const points of [250, 40]) {
      await first.cashier.print(points)
      await expect
        .poll(async () => (await slipsOf(first.page))[0])
        .toMatchObject({ points, state: 'printed' })
    }
    const collected = (await slipsOf(first.page)).find(({ points }) => points === 250)
    await collect(String(collected?.url), '690 123 4567')
    await first.close()

    // A till that starts reads at once what happened meanwhile.
    const { page, cashier } = await open()
    await expect.poll(async () => (await stateOf(page)).collectionsAsOf).not.toBeNull()
    await cashier.goTo('Slips')
    await expect(shown(page, /^What was collected is as of \d/)).toBeVisible()
    const history = page.getByRole('list', { name: 'History' })
    const row = history.getByRole('button').filter({ hasText: '250 points' })
    await expect(row).toContainText(/Collected \d/)
    await expect(history.getByRole('button').filter({ hasText: '40 points' })).toContainText(
      'Not collected yet'
    )
    await row.click()
    await expect(page.getByRole('complementary')).toContainText(/Collected \d.* · as of \d/)

    await page.getByRole('button', { name: 'Day report' }).click()
    const report = page.getByRole('region', { name: 'Collected or not' })
    await expect(report).toContainText('50%')
    await page.getByRole('button', { name: 'By cashier' }).click()
    await expect(page.getByRole('row', { name: /No cashier/ })).toContainText('50%')
  } finally {
    await shop.close()
  }
})

const HTML = '<!doctype html><title>Welcome</title>'
const REFUSAL = {
  name: 'a refusal',
  answer: { status: 401, body: '{"statusCode":401,"error":"","message":""}' }
}
const STRANGERS = [
  { name: 'a page that is not there', answer: { status: 404, body: HTML } },
  { name: 'an error', answer: { status: 500, body: '{"statusCode":500,"error":"","message":""}' } },
  { name: 'HTML', answer: { status: 200, body: HTML } },
  { name: 'nonsense', answer: { status: 200, body: '{"hello":"world"}' } },
  REFUSAL
]

test('a stranger at the address of the extension leaves the till as it is', async ({
  openConnected,
  network
}) => {
  const refuse = (answer: GatewayResponse): void => network.fail({ answer }, 'GET /ext/collections')
  refuse(REFUSAL.answer)
  const first = await openConnected()
  await first.cashier.print(30)
  await expect.poll(async () => (await slipsOf(first.page))[0]?.state).toBe('printed')
  await first.close()
  const asked = () => network.seen.filter(({ path }) => path.startsWith('/ext/collections')).length
  // A refusal could disconnect the till; what becomes of each answer is in `test/unit/main/reports/collection-reader.test.ts`.
  for (const [index, { name, answer }] of (FULL ? STRANGERS : [REFUSAL]).entries()) {
    await test.step(name, async () => {
      refuse(answer)
      const before = asked()
      const till = await openConnected()
      const { page, cashier } = till
      await expect.poll(asked).toBe(before + 1)
      const points = 40 + index
      await cashier.print(points)
      await expect.poll(async () => (await slipsOf(page))[0]).toMatchObject({ points, state: 'printed' })
      expect(await stateOf(page)).toMatchObject({ collectionsAsOf: null, accepted: true, offlineSince: null })
      await cashier.goTo('Slips')
      await expect(page.getByRole('list', { name: 'History' })).toContainText(`${points} points`)
      await expect(page.getByRole('main')).not.toContainText(/collected/i)
      await page.getByRole('button', { name: 'Day report' }).click()
      await expect(page.getByRole('button', { name: 'Save report' })).toBeVisible()
      await expect(page.getByRole('main')).not.toContainText(/collected/i)
      expect(asked()).toBe(before + 1)
      await till.close()
    })
  }
})
