import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RewardDetail } from '../../electron/contract/loyalty.ts'
import { KNOWN_CUSTOMERS } from '../../electron/service/index.ts'
import { LoyaltyClient } from '../../electron/main/loyalty/loyalty-client.ts'
import { changeSettings } from './support/bridge.ts'
import { expect, test, TOKENS } from './support/fixtures.ts'
import { shown } from './support/shown.ts'

const [known] = KNOWN_CUSTOMERS

/** Every reward with its details, asked for without the till's screen. */
const catalogue = async (baseUrl: string): Promise<RewardDetail[]> => {
  const service = new LoyaltyClient({
    baseUrl: `${baseUrl}/`,
    token: TOKENS.good,
    fetch,
    languages: { screen: 'en' }
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

/** Whether a response lists rewards or has the detail of one. */
const isCatalogue = ({ body }: { readonly body: Buffer }): boolean => body.includes('"cost"')

test.describe('rewards', () => {
  test('show the whole catalogue in the order of the service', async ({ shared }) => {
    const { cashier, page, service } = shared
    await cashier.goTo('Rewards')
    const rows = page.getByRole('list', { name: 'Rewards' }).getByRole('listitem')
    await expect(rows).toHaveCount(24)
    const rewards = await catalogue(service.url)
    const names = rewards.sort((one, other) => (one.index ?? 0) - (other.index ?? 0)).map(({ name }) => name)
    for (const [index, name] of names.entries()) await expect(rows.nth(index)).toContainText(name)
  })

  test('show what the chosen customer can afford and the distance to the next reward', async ({ shared }) => {
    const { cashier, page } = shared
    await cashier.choose(known.phone, known.name)
    await cashier.goTo('Rewards')
    await expect(
      page.getByRole('list', { name: 'Rewards' }).getByText('Within reach', { exact: true }).first()
    ).toBeVisible()
    await expect(shown(page, /more points/).first()).toBeVisible()
  })

  test('show the disabled state once the details are read', async ({ shared }) => {
    const { cashier, page, service } = shared
    const [disabled] = (await catalogue(service.url)).filter(({ isEnable }) => isEnable === false)
    if (!disabled) throw new Error('the training shop has disabled rewards')
    await cashier.goTo('Rewards')
    const row = page
      .getByRole('list', { name: 'Rewards' })
      .getByRole('listitem')
      .filter({ hasText: disabled.name })
    await row.getByRole('button').click()
    await expect(row).toContainText('Disabled')
  })

  test('at the till: what the balance buys, then with the typed points, and one press opens the rewards', async ({
    shared
  }) => {
    const { cashier, page, service } = shared
    const enabled = (await catalogue(service.url)).flatMap(({ name, cost, isEnable }) =>
      isEnable === false || cost === null ? [] : [{ name, cost }]
    )
    await cashier.choose(known.phone, known.name)
    const line = (balance: number): readonly RegExp[] => {
      const affordable = enabled.filter(({ cost }) => cost <= balance)
      const best = Math.max(...affordable.map(({ cost }) => cost))
      const missing = Math.min(...enabled.map(({ cost }) => cost).filter((cost) => cost > balance)) - balance
      const name = enabled.find(({ cost }) => cost === best)?.name ?? ''
      return [
        new RegExp(`${name} and ${String(affordable.length - 1)} more`),
        new RegExp(`${missing.toLocaleString('en')} more points? for`)
      ]
    }
    const button = page.getByRole('button', { name: /more points? for/ })
    await expect(button).toContainText('Can have')
    for (const text of line(known.balance)) await expect(button).toContainText(text)
    await cashier.points.fill('500')
    await expect(button).toContainText('With these points')
    for (const text of line(known.balance + 500)) await expect(button).toContainText(text)
    await button.click()
    await expect(cashier.rewards.first()).toContainText('Within reach')
    await expect(page.getByRole('combobox', { name: 'Sort rewards' })).toHaveValue('affordable')
  })

  test('at the till: known from the disk at the next start, while the service answers no request for rewards', async ({
    openConnected,
    network
  }) => {
    const first = await openConnected()
    const cache = join(first.userData, 'rewards.json')
    await expect.poll(() => readFile(cache, 'utf8').catch(() => '')).toContain('"isEnable":true')
    await first.close()
    network.fail({ change: (response) => (isCatalogue(response) ? { status: 503 } : response) }, 'GET')
    const { cashier, page } = await openConnected()
    await cashier.choose(known.phone, known.name)
    await expect(shown(page, 'Can have')).toBeVisible()
  })

  test('are read again in the language that the till is switched to', async ({ openConnected, network }) => {
    const { cashier, page } = await openConnected()
    await cashier.choose(known.phone, known.name)
    await expect(shown(page, 'Can have')).toBeVisible()
    network.fail(
      {
        change: (response) =>
          isCatalogue(response)
            ? { ...response, body: response.body.toString().replaceAll('"name":"', '"name":"DE ') }
            : response
      },
      'GET'
    )
    await changeSettings(page, { language: 'de' })
    await expect(shown(page, /DE .* weitere/)).toBeVisible()
    await page.getByRole('link', { name: 'Prämien' }).click()
    await expect(page.getByRole('list', { name: 'Prämien' }).getByRole('listitem').first()).toContainText(
      'DE '
    )
  })
})
