/** Codes made without a connection, at the service: what each costs beside an ordinary one, and a long report beside other requests. */
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createServiceApp, type ServiceApp } from '../../../electron/service/api/app.ts'
import { createDeviceExtension } from '../../../electron/service/api/device-extension.ts'
import { hashToken, systemRandomBytes } from '../../../electron/service/domain/identifiers.ts'
import { createPages } from '../../../electron/service/pages/index.ts'
import { openSqlite } from '../../../electron/service/store/sqlite.ts'
import { TillStore } from '../../../electron/service/store/tills.ts'
import { OfflineTill, setLimits } from '../../support/offline-till.ts'
import { Shop } from '../../support/service-shop.ts'
import type { Bench } from '../bench.ts'
import { atMost, atMostTimes, type Measured } from '../line.ts'
import { inTurn, milliseconds } from '../side-by-side.ts'

const EXTENT = {
  smoke: { rounds: 1, codes: 8, reported: 100 },
  full: { rounds: 15, codes: 200, reported: 10_000 }
} as const
/** Slips of a till's report. */
const PART = 100
const WARM_UP = 3
const ORIGIN = 'https://points.example.com'

/** A shop whose service runs here, and a till of it. */
const openShop = async (folder: string) => {
  const database = await openSqlite(join(folder, 'service.sqlite'))
  const shop = await Shop.addTo(database)
  await setLimits(shop, { pointsOfDay: 1_000_000_000 })
  const till = { id: 'till_1', business: shop.business, name: 'Till', createdAt: shop.now.toISOString() }
  await new TillStore(database).add(till, hashToken('till'))
  let asked = 0
  const shared = { database, publicUrl: ORIGIN, now: () => shop.now, random: systemRandomBytes }
  const pages = {
    ...shared,
    // No limit of attempts is reached.
    addressOf: () => String((asked += 1)),
    onCollected: () => undefined,
    onInternalError: (error: unknown) => {
      throw error
    }
  }
  const app = createServiceApp({
    ...pages,
    isSample: false,
    shopRoutes: createPages(pages),
    shopExtension: createDeviceExtension(shared),
    isExpired: () => false
  })
  const offline = new OfflineTill(shop, till.id)
  await offline.connect()
  return { shop, app, offline, close: () => database.close() }
}

/** Opens the page of each code and sends its form, all at once. Resolves with the processor time of one, in ms. */
const open = async (app: ServiceApp, codes: readonly string[]): Promise<number> => {
  const before = process.cpuUsage()
  await Promise.all(
    codes.map(async (code, index) => {
      const address = `${ORIGIN}/q/${code}`
      await (await app.request(address)).text()
      const headers = { 'sec-fetch-site': 'same-origin' }
      const body = new URLSearchParams({ phone: `+30690123${String(4000 + index)}`, name: 'Zoe' })
      await app.request(address, { method: 'POST', headers, body })
    })
  )
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / codes.length
}

/** The bench of codes made without a connection. */
export const offlineCodesBench: Bench = {
  name: 'offline-codes',
  description:
    'codes made without a connection, collected and refused beside ordinary ones, and a report of 10,000',
  async measure({ extent, folder }) {
    const { rounds, codes, reported } = EXTENT[extent]
    const { shop, app, offline, close } = await openShop(folder)
    const make = (points: number): string => offline.make(points)
    const forge = (): string => make(5).replace(/.$/, (last) => (last === '0' ? '1' : '0'))
    const of = (one: () => string): readonly string[] => Array.from({ length: codes }, one)
    const samples = await inTurn(
      { rounds, warmUp: WARM_UP },
      {
        baseline: async () =>
          open(app, await Promise.all(Array.from({ length: codes }, () => shop.issue(5)))),
        'one made offline': async () =>
          open(
            app,
            of(() => make(5))
          ),
        'a forged one': async () => open(app, of(forge)),
        'one that is not taken': async () => {
          // The list of a till that has many such is long.
          const till = await OfflineTill.addTo(shop)
          await till.connect()
          return open(
            app,
            of(() => till.make(5001))
          )
        }
      }
    )
    const collected = await shop.database.read("SELECT id FROM entries WHERE kind = 'collected'")
    if (collected.length !== 2 * (rounds + WARM_UP) * codes) throw new Error('Not all codes were collected')
    const { baseline, ...others } = samples
    const lines = Object.entries(others).map(([name, ours]): Measured => {
      const target = atMostTimes(name === 'one made offline' ? 1.3 : 1)
      const line = {
        name: `offline-codes: processor time of ${name}`,
        unit: 'ms',
        against: 'an ordinary one'
      } as const
      return { ...line, samples: { ours, baseline }, target }
    })
    const issuedAt = shop.now.toISOString()
    const said = Array.from({ length: reported }, () => ({ code: make(5), issuedAt }))
    const headers = { authorization: 'Bearer till', 'content-type': 'application/json' }
    const ms: number[] = []
    let isReporting = true
    const ask = async (): Promise<void> => {
      while (isReporting) {
        ms.push(await milliseconds(() => app.request(`${ORIGIN}/api/account`, { headers })))
        await wait(5)
      }
    }
    const asking = ask()
    const took = await milliseconds(async () => {
      for (let start = 0; start < said.length; start += PART) {
        const body = JSON.stringify({ codes: said.slice(start, start + PART) })
        const { status } = await app.request(`${ORIGIN}/ext/offline-codes`, { method: 'POST', headers, body })
        if (status !== 200) throw new Error(`The report was answered with ${String(status)}`)
      }
    })
    isReporting = false
    await asking
    await close()
    return [
      ...lines,
      {
        name: 'offline-codes: a report of 10,000',
        unit: 'ms',
        samples: { ours: [took] },
        target: atMost(10_000)
      },
      {
        ...{ name: 'offline-codes: another request meanwhile', unit: 'ms' },
        ...{ samples: { ours: [Math.max(...ms)] }, target: atMost(50) }
      }
    ]
  }
}
