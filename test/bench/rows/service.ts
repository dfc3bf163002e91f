/** The service as a shop runs it: its rates beside the least that does the same, and a chain at its peak. */
import { join } from 'node:path'
import type { Place } from '../../../electron/service/cli/place.ts'
import { PostgresServer } from '../../support/postgres/cluster.ts'
import { postgresSkipReason } from '../../support/postgres/programs.ts'
import type { Bench } from '../bench.ts'
import { atLeastTimes, atMost, atMostTimes, type Measured, type Samples } from '../line.ts'
import {
  COLLECT,
  createChain,
  startBare,
  startService,
  tillRequest
} from '../../support/service-load/chain.ts'
import { LoadGenerator, type Answered, type Load } from '../../support/service-load/load.ts'
import type { Server } from '../../support/service-load/server.ts'
import { sideBySide } from '../side-by-side.ts'
import { atRank, round } from '../statistics.ts'

export type Store = 'SQLite' | 'PostgreSQL'
/** The stores that this machine has. */
export const storesHere = (): readonly Store[] =>
  postgresSkipReason() === null ? ['SQLite', 'PostgreSQL'] : ['SQLite']

/** Two places or two servers: the measured one and the baseline's. */
export type Pair<Each> = readonly [ours: Each, baseline: Each]

/** Lets `use` work with new places: folders, or PostgreSQL servers of their own that wait for the disk. */
export async function withPlaces<Result>(
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

/** One business; bursts and their seconds; and a chain's peak with its requests a second. */
const EXTENT = {
  smoke: {
    ...{ shop: { businesses: 1, customers: 500 }, bursts: 1, seconds: 0.3 },
    peak: { seconds: 1, perSecond: 30 }
  },
  full: {
    ...{ shop: { businesses: 1, customers: 50_000 }, bursts: 7, seconds: 3 },
    peak: { seconds: 60, perSecond: 900 }
  }
} as const
export const issue = { kind: 'POST /qr', request: tillRequest(1, 'POST', '/qr', '{"points":120}') }
export const collect = { kind: 'collecting', request: COLLECT }

/** Sends a load to a server, over 128 connections unless given. */
type Send = (server: Server, load: Partial<Load> & Pick<Load, 'requests' | 'seconds'>) => Promise<Answered>

/** Lets `use` send loads with a process that is ended behind it, as are the servers. */
export async function withServers<Result>(
  servers: readonly Server[],
  customers: number,
  use: (send: Send) => Promise<Result>
): Promise<Result> {
  const generator = new LoadGenerator()
  const usual = { connections: 128, perSecond: null, customers }
  try {
    return await use((server, load) => generator.send({ ...usual, port: Number(server.url.port), ...load }))
  } finally {
    generator.close()
    for (const server of servers) await server.close()
  }
}

/** Returns how many requests of a kind were answered in a second. Throws when one was refused. */
export function rateOf({ ms, refused, seconds }: Answered, { kind }: { readonly kind: string }): number {
  if (refused > 0) throw new Error(`${String(refused)} requests were refused`)
  return (ms[kind] ?? []).length / seconds
}

/** Lets `use` ask the service and the least that does the same, each in a shop of its own. */
const besideBare = <Result>(
  store: Store,
  { extent, folder }: Parameters<Bench['measure']>[0],
  use: (send: Send, servers: Pair<Server>) => Promise<Result>
): Promise<Result> =>
  withPlaces(store, folder, async (places) => {
    for (const place of places) await createChain(place, EXTENT[extent].shop)
    const servers = [await startService(places[0]), await startBare(places[1])] as const
    return withServers(servers, EXTENT[extent].shop.customers, (send) => use(send, servers))
  })

/** The bench of the service's rates. */
export const serviceBench: Bench = {
  name: 'service',
  skipReason: postgresSkipReason,
  description: 'issuing and collecting over 128 connections, against the least that does the same',
  async measure(conditions) {
    const { bursts, seconds } = EXTENT[conditions.extent]
    const lines: Measured[] = []
    for (const store of storesHere()) {
      conditions.say(store)
      await besideBare(store, conditions, async (send, servers) => {
        for (const request of [issue, collect]) {
          const slow: Record<keyof Samples, number[]> = { ours: [], baseline: [] }
          const burst = async (side: keyof Samples): Promise<number> => {
            const server = servers[side === 'ours' ? 0 : 1]
            const answered = await send(server, { seconds, requests: [request] })
            slow[side].push(atRank(answered.ms[request.kind] ?? [], 'p99'))
            return rateOf(answered, request)
          }
          const rounds = { rounds: bursts, warmUp: 1 }
          const samples = await sideBySide(
            rounds,
            () => burst('ours'),
            () => burst('baseline')
          )
          const line = { name: `service, ${store}: ${request.kind}`, against: 'bare' } as const
          lines.push({ ...line, unit: 'requests/s', samples, target: atLeastTimes(0.6) })
          if (store === 'PostgreSQL') continue
          lines.push({
            ...{ ...line, name: `${line.name}, p99`, unit: 'ms', samples: slow, target: atMostTimes(2) }
          })
        }
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
  measure: (conditions) =>
    besideBare('PostgreSQL', conditions, async (send, [service, bare]) => {
      const { seconds, perSecond: usual } = EXTENT[conditions.extent].peak
      const mix = { connections: 64, requests: [issue, issue, collect] }
      // Codes to collect, and warm services.
      for (const server of [bare, service]) await send(server, { seconds: 1, requests: [issue] })
      const { ms, seconds: took } = await send(bare, { ...mix, seconds: seconds / 10 })
      const most = Object.values(ms).reduce((sum, { length }) => sum + length, 0) / took
      // At a rate that the machine is too slow for, a row would tell of the machine. The service has to do 0.6 of what the
      // least does (the bench above), so a third is about half of what it can do.
      const load = { ...mix, perSecond: Math.min(usual, Math.round(most / 3)) }
      const peak = async (server: Server): Promise<Answered> => {
        await send(server, { ...load, seconds: seconds / 20 })
        return send(server, { ...load, seconds })
      }
      conditions.say(`${String(load.perSecond)} requests a second`)
      const [least, answered] = [await peak(bare), await peak(service)]
      const lines = [issue, collect].map(({ kind }): Measured => {
        const samples = { ours: answered.ms[kind] ?? [], baseline: least.ms[kind] ?? [] }
        const [ours, baseline] = [samples.ours, samples.baseline].map((each) => round(atRank(each, 'p99')))
        return {
          ...{ name: `service, a chain: ${kind}`, unit: 'ms', samples, against: 'bare' },
          target: atMost(50, 'p99'),
          note: `${String(load.perSecond)} requests/s, p99 ${String(ours)} ms, bare ${String(baseline)} ms`
        }
      })
      const refused = { name: 'service, a chain: refused', unit: 'requests' } as const
      return [...lines, { ...refused, samples: { ours: [answered.refused] }, target: atMost(0, 'p50') }]
    })
}
