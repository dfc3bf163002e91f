import { KNOWN_CUSTOMERS } from '../../electron/service/index.ts'
import { slipsOf, stateOf } from './support/bridge.ts'
import { expect, test } from './support/fixtures.ts'
import { shown } from './support/shown.ts'

const [known] = KNOWN_CUSTOMERS
const OFFLINE_SINCE = /Offline since \d/
const SILENT_SINCE = /No answer from the points service since \d/

test.describe('offline', () => {
  test('shows the time, keeps the input, and reconnects by itself', async ({
    shared: { cashier, network }
  }) => {
    await expect(cashier.search).toBeFocused()
    await expect(cashier.offline).toBeHidden()
    await network.unplug()
    await cashier.searchFor(known.name)
    await expect(cashier.offline).toContainText(OFFLINE_SINCE)
    // Said once.
    await expect(cashier.alert).toBeHidden()
    await expect(cashier.search).toHaveValue(known.name)
    await network.plugIn()
    await expect(cashier.offline).toBeHidden()
    await expect(cashier.result(known.name).first()).toBeVisible()
    await expect(cashier.alert).toBeHidden()
  })

  test('Try again reconnects', async ({ shared: { cashier, page, network } }) => {
    await network.unplug()
    await cashier.searchFor(known.name)
    await expect(cashier.offline).toContainText(OFFLINE_SINCE)
    // The till asks by itself, too, and may be the quicker one: then the key meets nothing.
    await cashier.offline.getByRole('button', { name: 'Try again' }).focus()
    await network.plugIn()
    await page.keyboard.press('Enter')
    await expect(cashier.offline).toBeHidden()
    await expect(page.getByRole('alert')).toBeHidden()
  })

  test('issues nothing and says so; the same request is issued once after reconnecting', async ({
    shared: { cashier, page, network }
  }) => {
    const before = await slipsOf(page)
    await cashier.choose(known.phone, known.name)
    await network.unplug()
    await cashier.print(250)
    await expect(cashier.offline).toContainText(OFFLINE_SINCE)
    await expect(cashier.alert).toContainText(SILENT_SINCE)
    await expect(cashier.points).toHaveValue('250')
    await network.plugIn()
    await expect(cashier.offline).toBeHidden()
    await cashier.printButton.click()
    await expect(cashier.lastSlip).toBeVisible()
    const printed = async () =>
      (await slipsOf(page))
        .filter(
          ({ intentId, state }) => state === 'printed' && !before.some((slip) => slip.intentId === intentId)
        )
        .map(({ points, customer }) => [points, customer?.name])
    await expect.poll(printed).toEqual([[250, known.name]])
    expect(network.seen.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })

  test('reprints, history and checks of own codes work', async ({ shared: { cashier, page, network } }) => {
    await cashier.print(250)
    await expect(cashier.lastSlip).toBeVisible()
    // Until then F9 prints the slip itself, and no copy.
    await expect.poll(async () => (await slipsOf(page))[0]?.state).toBe('printed')
    const [slip] = await slipsOf(page)
    if (!slip?.code) throw new Error('no code was issued')
    await network.unplug()
    await cashier.searchFor(known.name)
    await expect(cashier.offline).toContainText(OFFLINE_SINCE)

    await page.keyboard.press('F9')
    await expect.poll(async () => (await slipsOf(page))[0]?.lastCopy?.state).toBe('printed')
    await cashier.goTo('Slips')
    await expect(page.getByRole('list', { name: 'History' }).getByRole('listitem').first()).toContainText(
      '250 points'
    )
    await page.getByRole('searchbox', { name: 'Check code' }).fill(slip.code)
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await expect(shown(page, 'Not checked whether it has been used')).toBeVisible()
    await expect(shown(page, 'Issued by this till')).toBeVisible()
    await network.plugIn()
    await expect(shown(page, 'This code has not been used')).toBeVisible()
  })

  test('a till with a cached profile starts', async ({ openConnected, network }) => {
    const first = await openConnected()
    await expect(first.page.getByRole('banner')).toContainText('Café')
    const name = (await stateOf(first.page)).business?.name ?? ''
    await first.close()
    await network.unplug()
    const { cashier, page } = await openConnected()
    await expect(page.getByRole('banner')).toContainText(name)
    await expect(cashier.offline).toContainText(OFFLINE_SINCE)
    await cashier.goTo('Customers')
    await expect(shown(page, 'The list appears when the points service answers again.')).toBeVisible()
    // Said once.
    await expect(cashier.alert).toBeHidden()
    await network.plugIn()
    await expect(cashier.offline).toBeHidden()
    await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
  })
})
