/** The service of a large shop beside one of a thousandth of its size: what is asked of it, and its start. */
import { openPlace, type Place } from '../../../electron/service/cli/place.ts'
import { systemRandomBytes } from '../../../electron/service/domain/identifiers.ts'
import { StaffMemberStore } from '../../../electron/service/store/staff-members.ts'
import { createChain, phoneOf, startService, tillRequest } from '../../support/service-load/chain.ts'
import { httpRequest, type Load } from '../../support/service-load/load.ts'
import type { Server } from '../../support/service-load/server.ts'
import { sizeOf, type Bench, type Extent } from '../bench.ts'
import { forgetFiles } from '../files.ts'
import { atMostTimes, type Measured } from '../line.ts'
import { milliseconds, sideBySide } from '../side-by-side.ts'
import { collect, issue, storesHere, withPlaces, withServers } from './service.ts'

/** Customers of the two shops, each with ten codes; starts; turns, and their seconds for each shop. */
const EXTENT = {
  smoke: { many: 200, few: 20, starts: 1, turns: 1, seconds: 1 },
  full: { many: sizeOf('CUSTOMERS', 1_000_000), few: 1000, starts: 5, turns: 8, seconds: 10 }
} as const
const CODES = 10
const PAGE = 20

/** Adds an owner who is signed in, and returns the request of *Today*. */
async function todayOf(place: Place): Promise<string> {
  const database = await openPlace(place)
  const staff = new StaffMemberStore({ database, now: () => new Date(), random: systemRandomBytes })
  const cookie = await staff.beginSession(await staff.add(1, { name: 'Owner', role: 'owner' }))
  await database.close()
  return httpRequest('GET', '/manage/usr_1/today', [`Cookie: staff-usr_1=${String(cookie)}`])
}

/** What is asked of a shop, in turn. Searches are by a part of a name, by two letters and by a part of a phone. */
const asked = (customers: number, today: string): Load['requests'] => [
  issue,
  collect,
  { kind: 'look-up', request: tillRequest(1, 'GET', '/customers/%2B30690{customer}?type=phone') },
  ...['papado', 'an', '{customer}'].map((text) => ({
    kind: 'search',
    request: tillRequest(1, 'GET', `/customers/?name=${text}`)
  })),
  { kind: 'Today', request: today },
  {
    kind: 'last page of customers',
    request: tillRequest(
      1,
      'GET',
      `/customers?pageNumber=${String(Math.ceil(customers / PAGE))}&pageSize=${String(PAGE)}`
    )
  }
]

/** Milliseconds from the start of the process to the first customer, with nothing in the cache of files where that can be. */
async function start(place: Place, extent: Extent): Promise<number> {
  if (extent === 'full') forgetFiles()
  let server: Server | undefined
  const took = await milliseconds(async () => {
    server = await startService(place)
    const path = `/customers/${encodeURIComponent(phoneOf(0))}?type=phone`
    const { status } = await fetch(`${server.url.href}${path}`, {
      headers: { authorization: 'Bearer bench-1' }
    })
    if (status !== 200) throw new Error(`The service answered ${String(status)}`)
  })
  await server?.close()
  return took
}

/** The bench of the service's size. */
export const serviceSizeBench: Bench = {
  name: 'service-size',
  description:
    'a shop of 1,000,000 customers and 10,000,000 codes of two years, against one of 1,000 and 10,000',
  async measure({ extent, folder, say }) {
    const { many, few, starts, turns, seconds } = EXTENT[extent]
    const sizes = [many, few] as const
    const lines: Measured[] = []
    for (const store of storesHere()) {
      await withPlaces(store, folder, async (places) => {
        say(`${store}: filling`)
        for (const side of [0, 1] as const) {
          await createChain(places[side], { businesses: 1, customers: sizes[side], codes: CODES })
        }
        const requests = [
          asked(many, await todayOf(places[0])),
          asked(few, await todayOf(places[1]))
        ] as const
        say(`${store}: starts`)
        const started = await sideBySide(
          { rounds: starts, warmUp: 0 },
          () => start(places[0], extent),
          () => start(places[1], extent)
        )
        say(`${store}: requests`)
        const name = `service of ${many.toLocaleString('en')}, ${store}`
        const line = { unit: 'ms', against: few.toLocaleString('en') } as const
        const servers = [await startService(places[0]), await startService(places[1])] as const
        await withServers(servers, few, async (send) => {
          const found: Record<string, [ours: number[], baseline: number[]]> = {}
          for (let turn = -1; turn < turns; turn++) {
            for (const side of turn % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
              const load = { seconds, connections: 1, customers: sizes[side], requests: requests[side] }
              const { ms, refused } = await send(servers[side], load)
              if (refused > 0) throw new Error(`${String(refused)} requests were refused`)
              if (turn < 0) continue
              for (const [kind, took] of Object.entries(ms)) (found[kind] ??= [[], []])[side].push(...took)
            }
          }
          for (const [kind, [ours, baseline]] of Object.entries(found)) {
            const samples = { ours, baseline }
            lines.push({ ...line, name: `${name}: ${kind}`, samples, target: atMostTimes(2, 'p95') })
          }
        })
        const note = `${extent === 'full' && forgetFiles() ? 'nothing' : 'the files'} in the file cache`
        lines.push({ ...line, name: `${name}: start`, samples: started, target: atMostTimes(1.5), note })
      })
    }
    return lines
  }
}
