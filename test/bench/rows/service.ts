/** The service as a shop runs it: its rates beside the least that does the same, its size, and a chain at its peak. */
import { join } from 'node:path'
import type { Place } from '../../../electron/service/cli/place.ts'
import { PostgresServer } from '../../support/postgres/cluster.ts'
import { postgresSkipReason } from '../../support/postgres/programs.ts'
import type { Bench, Extent } from '../bench.ts'
import type { Measured, Samples } from '../line.ts'
import {
  COLLECT,
  createChain,
  phoneOf,
  startBare,
  startService,
  tillRequest,
  type ChainSize
} from '../../support/service-load/chain.ts'
import { LoadGenerator, type Answered, type Load } from '../../support/service-load/load.ts'
import type { Server } from '../../support/service-load/server.ts'
import { milliseconds, sideBySide } from '../side-by-side.ts'
import { atRank, round } from '../statistics.ts'

const STORES = ['SQLite', 'PostgreSQL'] as const
type Store = (typeof STORES)[number]

/** One business, and what is asked of it. */
const SHOP: Readonly<Record<Extent, ChainSize>> = {
  smoke: { businesses: 1, customers: 500 },
  full: { businesses: 1, customers: 50_000 }
}
const issue = { kind: 'POST /qr', request: tillRequest(1, 'POST', '/qr', '{"points":120}') }
const collect = { kind: 'collecting', request: COLLECT }
const BY_PHONE = 'customer by phone'
const byPhone = (customer: number, { customers }: ChainSize) => ({
  kind: BY_PHONE,
  request: tillRequest(
    Math.floor(customer / customers) + 1,
    ...(['GET', `/customers/${encodeURIComponent(phoneOf(customer))}?type=phone`] as const)
  )
})

/** Two places or two servers: the measured one and the baseline's. */
type Pair<Each> = readonly [ours: Each, baseline: Each]

/** Lets `use` work with new places: folders, or PostgreSQL servers of their own that wait for the disk. */
async function withPlaces<Result>(
  store: Store,
  folder: string,
  use: (places: Pair<Place>) => Promise<Result>
): Promise<Result> {
  if (store === 'SQLite') return use([{ folder: join(folder, 'ours') }, { folder: join(folder, 'baseline') }])
  const servers = [await PostgresServer.start(true), await PostgresServer.start(true)] as const
  try {
    return await use([{ url: servers[0].url() }, { url: servers[1].url() }])
  } finally {
    for (const server of servers) await server.remove()
  }
}

/** Sends a load to a server. */
type Send = (server: Server, load: Partial<Load> & Pick<Load, 'requests' | 'seconds'>) => Promise<Answered>

/** Lets `use` send loads with a process that is ended behind it, as are the servers. */
async function withServers<Result>(
  extent: Extent,
  servers: Pair<Server>,
  use: (send: Send, servers: Pair<Server>) => Promise<Result>
): Promise<Result> {
  const generator = new LoadGenerator()
  const usual = { connections: 128, perSecond: null, customers: SHOP[extent].customers }
  try {
    return await use(
      (server, load) => generator.send({ ...usual, port: Number(server.url.port), ...load }),
      servers
    )
  } finally {
    generator.close()
    for (const server of servers) await server.close()
  }
}

/** Bursts and their seconds, starts, seconds of looking up, and those of a chain's peak with its requests a second. */
const EXTENT = {
  smoke: { bursts: 1, seconds: 0.3, starts: 1, looks: 1, peak: { seconds: 1, perSecond: 30 } },
  full: { bursts: 7, seconds: 3, starts: 5, looks: 20, peak: { seconds: 60, perSecond: 900 } }
} as const
const SIZES: Readonly<Record<Extent, Pair<ChainSize>>> = {
  smoke: [
    { businesses: 4, customers: 20 },
    { businesses: 2, customers: 20 }
  ],
  full: [
    { businesses: 1000, customers: 1000 },
    { businesses: 10, customers: 1000 }
  ]
}

/** Rates of bursts in turn, and in each the slowest answer but one in a hundred. The first burst warms up. */
async function bursts(
  send: Send,
  servers: Pair<Server>,
  request: Load['requests'][number],
  { bursts: count, seconds }: (typeof EXTENT)[Extent]
): Promise<{ readonly rates: Samples; readonly slow: Samples }> {
  const [rates, slow] = [
    [[], []],
    [[], []]
  ] as [number[][], number[][]]
  for (let burst = -1; burst < count; burst++) {
    for (const side of burst % 2 === 0 ? [0, 1] : [1, 0]) {
      const server = servers[side === 0 ? 0 : 1]
      const answered = await send(server, { seconds, requests: [request] })
      if (answered.refused > 0) throw new Error(`${String(answered.refused)} requests were refused`)
      const ms = answered.ms[request.kind] ?? []
      if (burst < 0) continue
      rates[side]?.push(ms.length / answered.seconds)
      slow[side]?.push(atRank(ms, 'p99'))
    }
  }
  const samples = ([ours = [], baseline = []]: number[][]): Samples => ({ ours, baseline })
  return { rates: samples(rates), slow: samples(slow) }
}

/** The bench of the service's rates. */
export const serviceBench: Bench = {
  name: 'service',
  skipReason: postgresSkipReason,
  description: 'issuing and collecting over 128 connections, against the least that does the same',
  async measure({ extent, folder, say }) {
    const lines: Measured[] = []
    for (const store of STORES) {
      say(store)
      await withPlaces(store, folder, async (places) => {
        for (const place of places) await createChain(place, SHOP[extent])
        const started = [await startService(places[0]), await startBare(places[1])] as const
        await withServers(extent, started, async (send, servers) => {
          for (const request of [issue, collect]) {
            const { rates, slow } = await bursts(send, servers, request, EXTENT[extent])
            const line = { name: `service, ${store}: ${request.kind}`, against: 'bare' } as const
            const rate = { kind: 'at least times', times: 0.6, rank: 'p50' } as const
            lines.push({ ...line, unit: 'requests/s', samples: rates, target: rate })
            if (store === 'PostgreSQL') continue
            const target = { kind: 'at most times', times: 2, rank: 'p50' } as const
            lines.push({ ...line, name: `${line.name}, p99`, unit: 'ms', samples: slow, target })
          }
        })
      })
    }
    return lines
  }
}

/** Look-ups and searches of all businesses, by a part of a name, by two letters and by the end of a phone. */
const lookAround = (size: ChainSize): Load['requests'] =>
  Array.from({ length: 1000 }, (_, index) => {
    const customer = Math.floor(Math.random() * size.businesses * size.customers)
    const business = Math.floor(customer / size.customers) + 1
    const text = ['papado', 'an', phoneOf(customer).slice(-4)][index % 6]
    return text === undefined
      ? byPhone(customer, size)
      : { kind: 'search', request: tillRequest(business, 'GET', `/customers/?name=${text}`) }
  })

/** Milliseconds from the start of the process to the first customer. */
async function start(place: Place): Promise<number> {
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
  description: 'search, look-up and start with 1,000,000 customers in 1,000 businesses, against 10,000 in 10',
  async measure({ extent, folder, say }) {
    const { looks: seconds, starts } = EXTENT[extent]
    const sizes = SIZES[extent]
    const looks = [lookAround(sizes[0]), lookAround(sizes[1])] as const
    const lines: Measured[] = []
    for (const store of STORES) {
      await withPlaces(store, folder, async (places) => {
        const [many, few] = places
        say(`${store}: filling`)
        await createChain(many, sizes[0])
        await createChain(few, sizes[1])
        say(`${store}: starts`)
        const started = await sideBySide(
          { rounds: starts, warmUp: 0 },
          () => start(many),
          () => start(few)
        )
        say(`${store}: search and look-up`)
        const kinds = [BY_PHONE, 'search'].map((kind) => ({
          kind,
          ours: [] as number[],
          baseline: [] as number[]
        }))
        await withServers(
          extent,
          [await startService(many), await startService(few)],
          async (send, servers) => {
            for (let turn = -1; turn < 4; turn++) {
              for (const side of [0, 1] as const) {
                const load = { seconds: seconds / 4, connections: 1, requests: looks[side] }
                const { ms } = await send(servers[side], load)
                if (turn < 0) continue
                for (const { kind, ours, baseline } of kinds)
                  for (const each of ms[kind] ?? []) (side === 0 ? ours : baseline).push(each)
              }
            }
          }
        )
        const against = '10,000 customers'
        for (const { kind, ...samples } of kinds) {
          lines.push({
            name: `service of 1,000,000, ${store}: ${kind}`,
            unit: 'ms',
            samples,
            against,
            target: { kind: 'at most', most: 20, rank: 'p95' }
          })
        }
        const target = { kind: 'at most', most: 1000, rank: 'p50' } as const
        lines.push({
          name: `service of 1,000,000, ${store}: start`,
          unit: 'ms',
          samples: started,
          against,
          target
        })
      })
    }
    return lines
  }
}

/** The bench of a chain at its peak. */
export const serviceChainBench: Bench = {
  name: 'service-chain',
  skipReason: postgresSkipReason,
  description:
    'on PostgreSQL for a minute 600 slips and 300 collects a second, or a third of what the least can do on this machine',
  measure: ({ extent, folder, say }) =>
    withPlaces('PostgreSQL', folder, async (places) => {
      for (const place of places) await createChain(place, SHOP[extent])
      const started = [await startService(places[0]), await startBare(places[1])] as const
      return withServers(extent, started, async (send, [service, bare]) => {
        const { seconds, perSecond: usual } = EXTENT[extent].peak
        const mix = { connections: 64, requests: [issue, issue, collect] }
        // Codes to collect, and warm services.
        for (const server of [bare, service]) await send(server, { seconds: 1, requests: [issue] })
        say('what the least can do')
        const { ms, seconds: took } = await send(bare, { ...mix, seconds: seconds / 10 })
        const most = Object.values(ms).reduce((sum, { length }) => sum + length, 0) / took
        // At a rate that the machine is too slow for, a row would tell of the machine. The service has to do 0.6 of what the
        // least does (the bench above), so a third is about half of what it can do.
        const load = { ...mix, perSecond: Math.min(usual, Math.round(most / 3)) }
        const peak = async (server: Server): Promise<Answered> => {
          await send(server, { ...load, seconds: seconds / 20 })
          return send(server, { ...load, seconds })
        }
        say('bare')
        const least = await peak(bare)
        say('the service')
        const answered = await peak(service)
        const lines = [issue, collect].map(({ kind }): Measured => {
          const samples = { ours: answered.ms[kind] ?? [], baseline: least.ms[kind] ?? [] }
          const [ours, baseline] = [samples.ours, samples.baseline].map((ms) => round(atRank(ms, 'p99')))
          return {
            ...{ name: `service, a chain: ${kind}`, unit: 'ms', samples, against: 'bare' },
            target: { kind: 'at most', most: 50, rank: 'p99' },
            note: `${String(load.perSecond)} requests/s, p99 ${String(ours)} ms, bare ${String(baseline)} ms`
          }
        })
        const refused = { ours: [answered.refused], baseline: [] }
        const target = { kind: 'at most', most: 0, rank: 'p50' } as const
        return [...lines, { name: 'service, a chain: refused', unit: 'requests', samples: refused, target }]
      })
    })
}
