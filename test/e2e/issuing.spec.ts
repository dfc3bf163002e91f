import { groupedCode } from '../../electron/contract/code-groups.ts'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { KNOWN_CUSTOMERS, LoyaltyPointsService } from '../../electron/service/index.ts'
import { listen } from '../../electron/service/server.ts'
import { openSqlite } from '../../electron/service/store/sqlite.ts'
import { MAX_PROBE_WAIT_MS } from '../../electron/main/session/reachability.ts'
import { readSlip } from '../support/read-slip.ts'
import { slipsOf, stateOf } from './support/bridge.ts'
import { expect, test, TOKENS } from './support/fixtures.ts'
import { holdTimers } from './support/main-process.ts'

const [known] = KNOWN_CUSTOMERS

const posts = (seen: readonly { method: string }[]): number =>
  seen.filter(({ method }) => method === 'POST').length

test.describe('issuing points', () => {
  test('issuing 250 points prints a slip whose QR code decodes to the service’s URL', async ({ shared }) => {
    const till = shared
    const { cashier } = till
    await cashier.choose(known.phone, known.name)
    await expect(cashier.customer).toContainText(known.name)
    await cashier.print(250)
    await expect(cashier.lastSlip).toBeVisible()
    // The slip is in sight as soon as its code is on disk; the paper follows.
    await expect.poll(async () => (await slipsOf(till.page))[0]?.state).toBe('printed')
    const [slip] = await slipsOf(till.page)
    if (!slip?.code || !slip.url) throw new Error('no slip')
    await expect(cashier.lastSlip).toContainText(groupedCode(slip.code))
    await expect(cashier.search).toBeFocused()

    const read = await readSlip(
      new Uint8Array(await readFile(join(till.userData, 'slips', `${slip.code}.pdf`)))
    )
    expect(read.codes).toEqual([slip.url])
    expect(read.text).toContain('250')
    expect(read.text).toContain(groupedCode(slip.code))
    expect(Math.round(read.widthMillimetres)).toBe(80)
  })

  test('a double click on Print slip issues one slip', async ({ shared }) => {
    const till = shared
    const { network } = shared
    await till.cashier.choose(known.phone, known.name)
    await till.cashier.points.fill('104')
    await till.cashier.printButton.dblclick()
    await expect(till.cashier.lastSlip).toBeVisible()
    expect(posts(network.seen)).toBe(1)
    expect((await slipsOf(till.page)).filter(({ points }) => points === 104)).toHaveLength(1)
  })

  test('9,999,999 points are accepted', async ({ shared }) => {
    const { cashier } = shared
    await cashier.print('9999999')
    await expect(cashier.lastSlip).toContainText('9,999,999')
  })

  test('10,000,000 points are refused without a request', async ({ shared }) => {
    const { cashier, network } = shared
    await cashier.print('10000000')
    await expect(cashier.alert).toContainText('9,999,999')
    await expect(cashier.points).toHaveValue('10,000,000')
    expect(posts(network.seen)).toBe(0)
  })

  test('an unreachable service issues nothing and keeps the input; the next press issues', async ({
    openConnected,
    network
  }) => {
    const { app, cashier } = await openConnected()
    await holdTimers(app, MAX_PROBE_WAIT_MS)
    await cashier.choose(known.phone, known.name)
    await network.unplug()
    await cashier.print(75)
    await expect(cashier.alert).toContainText('No answer from the points service')
    await expect(cashier.points).toHaveValue('75')
    await expect(cashier.customer).toContainText(known.name)
    await network.plugIn()
    await cashier.printButton.click()
    await expect(cashier.lastSlip).toBeVisible()
    expect(posts(network.seen)).toBe(1)
  })

  test('a service whose disk is full makes no code; with space again the next press makes one', async ({
    open
  }) => {
    const database = await openSqlite(':memory:')
    const service = await listen({
      port: 0,
      openService: (publicUrl) =>
        LoyaltyPointsService.over(database, {
          ...{ tokens: [TOKENS.good], publicUrl, seed: { customers: 10 } },
          onInternalError: () => undefined
        })
    })
    try {
      const { cashier, page } = await open({
        env: { TILLPOINTS_BASE_URL: service.url, TILLPOINTS_TOKEN: TOKENS.good }
      })
      await expect.poll(async () => (await stateOf(page)).business).not.toBeNull()
      // No more pages than there are, and no room in them for one more code of 250 points.
      await database.write('PRAGMA max_page_count = 1')
      const headers = { authorization: `Bearer ${TOKENS.good}`, 'content-type': 'application/json' }
      const issue = { method: 'POST', headers, body: '{"points":250}' }
      while ((await fetch(`${service.url}/qr`, issue)).ok);
      const codes = () => database.read('SELECT code FROM codes')
      const before = await codes()

      await cashier.print(250)
      await expect(cashier.alert).toContainText('the disk of the points service is full')
      await expect(cashier.points).toHaveValue('250')
      expect((await slipsOf(page)).map(({ state }) => state)).toEqual(['refused'])
      expect(await codes()).toEqual(before)

      await database.write('PRAGMA max_page_count = 1000000')
      await cashier.printButton.click()
      await expect(cashier.lastSlip).toBeVisible()
      await expect
        .poll(async () => (await slipsOf(page)).map(({ state }) => state))
        .toEqual(['printed', 'refused'])
      expect(await codes()).toHaveLength(before.length + 1)
    } finally {
      await service.close()
    }
  })
})

test.describe('lost response of a vendor’s service while issuing', () => {
  test.use({ isVendors: true })

  test('gives an unknown outcome: nothing is printed or sent again, and it is shown after a restart', async ({
    openConnected,
    network
  }) => {
    const till = await openConnected()
    await till.cashier.choose(known.phone, known.name)
    network.fail('lose-answer', 'POST')
    await till.cashier.print(40)
    await expect(till.cashier.alert).toContainText(/We don.t know whether this code was made/)
    expect(posts(network.seen)).toBe(1)
    expect((await slipsOf(till.page)).map(({ state, file }) => ({ state, file }))).toEqual([
      { state: 'unknown', file: null }
    ])
    await till.close()

    const again = await openConnected()
    await again.cashier.goTo('Slips')
    await expect(again.page.getByRole('main').getByRole('listitem').first()).toContainText('Unknown')
    expect(posts(network.seen)).toBe(1)
  })

  test('Issue again creates a new slip', async ({ openConnected, network }) => {
    const till = await openConnected()
    network.fail('lose-answer', 'POST')
    await till.cashier.print(40)
    await expect(till.cashier.alert).toContainText(/We don.t know/)
    network.fail('pass', 'POST')
    await till.page.getByRole('button', { name: 'Issue again' }).click()
    await expect(till.cashier.lastSlip).toBeVisible()
    await expect
      .poll(async () => (await slipsOf(till.page)).slice(0, 2).map(({ state }) => state))
      .toEqual(['printed', 'unknown'])
  })

  test('is found at the next start after a kill during the request', async ({ openConnected, network }) => {
    const till = await openConnected()
    network.fail('silence', 'POST')
    await till.cashier.print(40)
    await expect.poll(() => posts(network.seen)).toBe(1)
    await till.kill()

    const again = await openConnected()
    expect((await slipsOf(again.page)).map(({ state }) => state)).toEqual(['unknown'])
  })
})
