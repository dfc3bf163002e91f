import type { RewardDetail } from '../../electron/contract/loyalty.ts'
import { KNOWN_CUSTOMERS } from '../../electron/service/index.ts'
import { LoyaltyClient } from '../../electron/main/loyalty/loyalty-client.ts'
import { expect, test, TOKENS } from './support/fixtures.ts'

const [known] = KNOWN_CUSTOMERS

/** Every reward with its details, asked for without the till's screen. */
const catalogue = async (baseUrl: string): Promise<RewardDetail[]> => {
  const service = new LoyaltyClient({
    baseUrl: `${baseUrl}/`,
    token: TOKENS.good,
    fetch,
    language: () => 'en'
  })
  const details: RewardDetail[] = []
  for (let page = 1, hasMore = true; hasMore; page += 1) {
    const answer = await service.listRewards({ page })
    if (!answer.ok) throw new Error(answer.failure.kind)
    for (const { id } of answer.value.data) {
      const detail = await service.reward(id)
      if (!detail.ok) throw new Error(detail.failure.kind)
      details.push(detail.value)
    }
    hasMore = answer.value.hasMore
  }
  return details
}

test.describe('rewards', () => {
  test('show the whole catalogue in the order of the service', async ({ openConnected, service }) => {
    const { cashier, page } = await openConnected()
    await cashier.goTo('Rewards')
    const rows = page.getByRole('list', { name: 'Rewards' }).getByRole('listitem')
    await expect(rows).toHaveCount(24)
    const rewards = await catalogue(service.url)
    const names = rewards.sort((one, other) => (one.index ?? 0) - (other.index ?? 0)).map(({ name }) => name)
    for (const [index, name] of names.entries()) await expect(rows.nth(index)).toContainText(name)
  })

  test('show what the chosen customer can afford and the distance to the next reward', async ({
    openConnected
  }) => {
    const { cashier, page } = await openConnected()
    await cashier.choose(known.phone, known.name)
    await cashier.goTo('Rewards')
    await expect(
      page.getByRole('list', { name: 'Rewards' }).getByText('Affordable', { exact: true }).first()
    ).toBeVisible()
    await expect(page.getByText(/more points/).first()).toBeVisible()
  })

  test('show the disabled state once the details are read', async ({ openConnected, service }) => {
    const [disabled] = (await catalogue(service.url)).filter(({ isEnable }) => isEnable === false)
    if (!disabled) throw new Error('the training shop has disabled rewards')
    const { cashier, page } = await openConnected()
    await cashier.goTo('Rewards')
    const row = page
      .getByRole('list', { name: 'Rewards' })
      .getByRole('listitem')
      .filter({ hasText: disabled.name })
    await row.getByRole('button').click()
    await expect(row).toContainText('Disabled')
  })
})
