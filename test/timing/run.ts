/**
 * `npm run test:timing`: whether a customer who sends a form learns by the time of its answer that the shop knows a phone. Sends
 * pairs of a known phone and one that joins, in random order, to a service on SQLite and on PostgreSQL, and ends with 1 when the
 * times can be told apart at p = 0.01. `-- PAIRS` sends another number of pairs than 10,000.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Place } from '../../electron/service/cli/place.ts'
import { openShop } from '../bench/against/shop.ts'
import { Tree } from '../bench/against/tree.ts'
import { PostgresServer } from '../support/postgres/cluster.ts'
import { postgresSkipReason } from '../support/postgres/programs.ts'
import { kolmogorovSmirnov, mannWhitney } from '../support/service-load/distributions.ts'
import { LoadGenerator } from '../support/service-load/load.ts'

const PAIRS = Number(process.argv[2] ?? 10_000)
const SIGNIFICANCE = 0.01
/** The order of so many pairs is repeated. */
const ORDERED_PAIRS = 500
/** Longer than it takes: the codes end it. */
const SECONDS = 3600

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

const isKnownFirst = (): boolean => Math.random() < 0.5

/** Resolves with whether the times tell nothing. */
async function isSilent(store: string, place: Place, folder: string): Promise<boolean> {
  const shop = await openShop(Tree.ofProject(), place, folder, PAIRS)
  const generator = new LoadGenerator()
  try {
    const { issue = '', 'collect, known': known = '', 'collect, joins': joins = '' } = shop.requests
    const load = { port: shop.port, connections: 1, perSecond: null, customers: PAIRS }
    for (let codes = 0; codes < 2 * PAIRS;) {
      const requests = [{ kind: 'issue', request: issue }]
      codes +=
        (await generator.send({ ...load, connections: 16, seconds: 1, requests })).ms['issue']?.length ?? 0
    }
    const pair = [
      { kind: 'known', request: known },
      { kind: 'joins', request: joins }
    ]
    const requests = Array.from({ length: Math.min(PAIRS, ORDERED_PAIRS) }, () =>
      isKnownFirst() ? pair : pair.toReversed()
    ).flat()
    const { ms, refused } = await generator.send({ ...load, seconds: SECONDS, requests })
    const [first, second] = [ms['known'] ?? [], ms['joins'] ?? []]
    const [byRank, byShare] = [mannWhitney(first, second), kolmogorovSmirnov(first, second)]
    const medians = [median(first), median(second)].map((each) => each.toFixed(3)).join(' and ')
    console.log(
      `${store}: ${String(first.length)} known and ${String(second.length)} that join, ${String(refused)} refused; ` +
        `medians ${medians} ms; Mann-Whitney p = ${byRank.toFixed(4)}, Kolmogorov-Smirnov p = ${byShare.toFixed(4)}`
    )
    return refused === 0 && Math.min(byRank, byShare) >= SIGNIFICANCE
  } finally {
    generator.close()
    await shop.process.close()
  }
}

const folder = mkdtempSync(join(tmpdir(), 'timing-'))
try {
  const outcomes = [await isSilent('SQLite', { folder: join(folder, 'data') }, folder)]
  if (postgresSkipReason() === null) {
    const server = await PostgresServer.start(true)
    try {
      outcomes.push(await isSilent('PostgreSQL', { url: server.url() }, folder))
    } finally {
      await server.remove()
    }
  }
  process.exitCode = outcomes.includes(false) ? 1 : 0
} finally {
  rmSync(folder, { recursive: true, force: true })
}
