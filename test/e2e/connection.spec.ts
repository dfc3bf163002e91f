/** What belongs to one connection, while another one becomes current. */
import { randomUUID } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { KNOWN_CUSTOMERS } from '../../electron/service/index.ts'
import { serve } from '../../electron/service/server.ts'
import { MAX_PROBE_WAIT_MS } from '../../electron/main/session/reachability.ts'
import { createGate } from '../support/faulty-network.ts'
import { slipsOf, stateOf } from './support/bridge.ts'
import { expect, test } from './support/fixtures.ts'
import { holdTimers } from './support/main-process.ts'
import { shown } from './support/shown.ts'

const [known] = KNOWN_CUSTOMERS

test.describe('connection', () => {
  test('a sale of one shop does not appear in another shop of the same service', async ({
    openConnected,
    userData
  }) => {
    const service = await serve({
      port: 0,
      tokens: ['shop-a', 'shop-b'],
      file: join(userData, 'hosted.sqlite')
    })
    try {
      const { page, cashier } = await openConnected()
      const connect = (token: string) =>
        page.evaluate(
          async ({ baseUrl, token }) => {
            await window.tillpoints?.connection.check({ baseUrl, token })
            await window.tillpoints?.connection.save({ acceptUnencrypted: false })
          },
          { baseUrl: service.url, token }
        )
      const kept = () =>
        page.evaluate(async () => ({
          draft: await window.tillpoints?.till.draft(),
          recent: await window.tillpoints?.customers.recent()
        }))
      await connect('shop-a')
      await cashier.choose(known.phone, known.name)
      await cashier.print(250)
      await cashier.choose(known.phone, known.name)
      await expect.poll(async () => JSON.stringify(await kept())).toContain(known.name)
      const owner = await page.evaluate(async () => {
        const state = await window.tillpoints?.till.state()
        return state?.ok ? state.value.owner : -1
      })
      await connect('shop-b')
      await expect(shown(page, known.name)).toHaveCount(0)
      expect(JSON.stringify(await kept())).not.toContain(known.name)
      // What was on its way while the shop changed.
      const late = await page.evaluate(
        async (number) => [
          await window.tillpoints?.of(number).slips.issue({
            intentId: crypto.randomUUID(),
            points: 7,
            customer: null
          }),
          await window.tillpoints?.of(number).slips.list({ offset: 0 })
        ],
        owner
      )
      const refused = { ok: false, failure: { kind: 'not-connected' } }
      expect(late).toEqual([refused, refused])
      const slips = await page.evaluate(() => window.tillpoints?.slips.list({ offset: 0 }))
      expect(slips).toMatchObject({ ok: true, value: { slips: [] } })
      await connect('shop-a')
      await page.evaluate(() => window.tillpoints?.connection.forget())
      await connect('shop-b')
      await expect(shown(page, known.name)).toHaveCount(0)
      expect(JSON.stringify(await kept())).not.toContain(known.name)
    } finally {
      await service.close()
    }
  })

  test('a till that is moved to another service, whose business has the same id, shows no slip of the first', async ({
    openConnected,
    network,
    userData
  }) => {
    const other = await serve({ port: 0, tokens: ['demo'], file: join(userData, 'other.sqlite') })
    try {
      const { page, cashier } = await openConnected()
      const connect = (baseUrl: string) =>
        page.evaluate(async (address) => {
          await window.tillpoints?.connection.check({ baseUrl: address, token: 'demo' })
          await window.tillpoints?.connection.save({ acceptUnencrypted: false })
        }, baseUrl)
      const id = (await stateOf(page)).business?.id
      await cashier.print(250)
      await expect.poll(async () => (await slipsOf(page))[0]?.state).toBe('printed')
      const again = page.getByRole('button', { name: '250 points', exact: true })
      await expect(again).toBeVisible()

      await connect(other.url)
      expect((await stateOf(page)).business?.id).toBe(id)
      await expect(again).toBeHidden()
      await cashier.goTo('Slips')
      await expect(shown(page, 'No slips yet.')).toBeVisible()
      expect(await slipsOf(page)).toEqual([])

      await connect(network.url)
      expect((await slipsOf(page)).map(({ points }) => points)).toEqual([250])
    } finally {
      await other.close()
    }
  })

  test('a late profile of the previous business does not replace the one of the new business', async ({
    openConnected,
    network,
    userData
  }) => {
    const other = await serve({ port: 0, tokens: ['new-shop'], file: join(userData, 'other.sqlite') })
    try {
      const { page } = await openConnected()
      network.fail({
        change: ({ body }) => ({ body: body.toString().replace(/"name":"[^"]*"/, '"name":"The old shop"') })
      })
      await page.evaluate(() => window.tillpoints?.connection.refresh())
      expect((await stateOf(page)).business?.name).toBe('The old shop')

      const late = createGate()
      network.fail(late.fault)
      // The details of rewards may be read at the same time.
      const profileRequests = () => network.seen.filter(({ path }) => path === '/account').length
      const requestsBefore = profileRequests()
      const refreshed = page.evaluate(() => window.tillpoints?.connection.refresh())
      await expect.poll(profileRequests).toBeGreaterThan(requestsBefore)
      await page.evaluate(async (baseUrl) => {
        await window.tillpoints?.connection.check({ baseUrl, token: 'new-shop' })
        await window.tillpoints?.connection.save({ acceptUnencrypted: false })
      }, other.url)
      const { business } = await stateOf(page)
      late.open()
      await refreshed
      expect((await stateOf(page)).business).toEqual(business)
      expect(business?.name).not.toBe('The old shop')
    } finally {
      await other.close()
    }
  })

  test('training mode that starts while a slip waits for the service gives the slip no training code', async ({
    openConnected,
    network
  }) => {
    const { app, page, cashier } = await openConnected()
    await cashier.choose(known.phone, known.name)
    await slipsOf(page)
    const waits = await holdTimers(app, MAX_PROBE_WAIT_MS)
    await network.unplug()
    await page.evaluate(() => window.tillpoints?.connection.refresh())
    expect((await stateOf(page)).offlineSince).not.toBeNull()
    const probe = createGate()
    network.fail(probe.fault, 'GET')
    await network.plugIn()
    const before = await waits.count()
    const issuing = page.evaluate(
      (intentId) => window.tillpoints?.slips.issue({ intentId, points: 70, customer: null }),
      randomUUID()
    )
    await expect.poll(async () => (await slipsOf(page))[0]?.state).toBe('requested')
    await expect.poll(waits.count).toBeGreaterThan(before)
    await page.evaluate(() => window.tillpoints?.till.startTraining())
    expect((await stateOf(page)).mode).toBe('training')
    probe.open()
    const issued = await issuing
    expect(issued).toMatchObject({ ok: true, value: { slip: { points: 70, training: false } } })
    expect(network.seen.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })

  test('training data that cannot be opened leaves the till as it is, and the log names the mode', async ({
    open,
    userData
  }) => {
    const training = join(userData, 'till', 'training.sqlite')
    await mkdir(join(userData, 'till'), { recursive: true })
    await mkdir(training)
    const { page, app, manager, cashier } = await open()
    await manager.startTraining()
    await expect(cashier.alert.first()).toBeVisible()
    expect((await stateOf(page)).mode).toBe('onboarding')
    await app.evaluate((_electron, folder) => {
      process.getBuiltinModule('node:fs').rmdirSync(folder)
    }, training)
    await manager.startTraining()
    await expect(cashier.search).toBeFocused()
    expect(await readFile(join(userData, 'till', 'logs', 'till.log'), 'utf8')).toContain('"mode":"training"')
  })
})
