/** The service's rates beside what its disk and its database can do with the same writes. */
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { PostgresServer } from '../../support/postgres/cluster.ts'
import { postgresSkipReason } from '../../support/postgres/programs.ts'
import { createChain, startService } from '../../support/service-load/chain.ts'
import { pgbench, recordScripts } from '../baseline/pgbench.ts'
import type { Bench } from '../bench.ts'
import { atLeastTimes, type Measured } from '../line.ts'
import { sideBySide } from '../side-by-side.ts'
import { collect, issue, rateOf, withServers } from './service.ts'

/** One business, bursts and their seconds. */
const EXTENT = {
  smoke: { shop: { businesses: 1, customers: 500 }, bursts: 1, seconds: 1 },
  full: { shop: { businesses: 1, customers: 50_000 }, bursts: 7, seconds: 5 }
} as const
const connections = 64

/** Writes one page after the other to the disk, each over the last. Returns how many in a second. */
function syncsPerSecond(folder: string, seconds: number): number {
  const file = openSync(join(folder, 'page'), 'w')
  const page = Buffer.alloc(4096)
  const begun = performance.now()
  let count = 0
  for (; performance.now() < begun + seconds * 1000; count++) {
    writeSync(file, page, 0, page.length, 0)
    fdatasyncSync(file)
  }
  closeSync(file)
  return count / seconds
}

/** The bench of the service's writes. */
export const serviceDiskBench: Bench = {
  name: 'service-disk',
  skipReason: postgresSkipReason,
  description:
    'writes over 64 connections: on SQLite against fdatasync alone, on PostgreSQL against pgbench with the same statements',
  async measure({ extent, folder, say }) {
    const { shop, bursts, seconds } = EXTENT[extent]
    const rounds = { rounds: bursts, warmUp: 1 }
    const unit = 'requests/s'
    const lines: Measured[] = []
    say('SQLite')
    const data = { folder: join(folder, 'data') }
    await createChain(data, shop)
    const onSqlite = await startService(data)
    await withServers([onSqlite], shop.customers, async (send) => {
      const samples = await sideBySide(
        rounds,
        async () => rateOf(await send(onSqlite, { seconds, connections, requests: [issue] }), issue),
        () => syncsPerSecond(folder, seconds)
      )
      const line = { name: `service, SQLite, 64 connections: ${issue.kind}`, against: 'fdatasync' }
      lines.push({ ...line, unit, samples, target: atLeastTimes(3) })
    })
    say('PostgreSQL')
    const postgres = await PostgresServer.start(true)
    try {
      await createChain({ url: postgres.url() }, shop)
      await recordScripts(postgres, shop.customers, folder)
      const server = await startService({ url: postgres.url() })
      await withServers([server], shop.customers, async (send) => {
        for (const [script, kind, requests] of [
          ['issue', issue, [issue]],
          ['collect', collect, [issue, collect]]
        ] as const) {
          const samples = await sideBySide(
            rounds,
            async () => rateOf(await send(server, { seconds, connections, requests }), kind),
            () => pgbench(postgres, join(folder, `${script}.sql`), { connections, seconds })
          )
          const name = `service, PostgreSQL, 64 connections: ${requests.map((each) => each.kind).join(' and ')}`
          lines.push({ name, unit, samples, against: 'pgbench', target: atLeastTimes(0.7) })
        }
      })
    } finally {
      await postgres.remove()
    }
    return lines
  }
}
