/**
 * The processor time of the service for each request, on this tree and on a revision in turn. A machine that does other things,
 * too, changes it less than a rate.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Place } from '../../../electron/service/cli/place.ts'
import { PostgresServer } from '../../support/postgres/cluster.ts'
import { postgresSkipReason } from '../../support/postgres/programs.ts'
import { LoadGenerator } from '../../support/service-load/load.ts'
import { judge, type Line } from '../line.ts'
import { round } from '../statistics.ts'
import { Shop } from './shop.ts'
import { Tree } from './tree.ts'

const CUSTOMERS = 10_000
const SECONDS = 1
const ROUNDS = 7

/** A place of each side. */
type Places = readonly [ours: Place, theirs: Place]

/** Compares one store. Resolves with a line for each operation. */
async function compare(
  store: string,
  trees: readonly [Tree, Tree],
  places: Places,
  folder: string,
  { revision, wanted }: { readonly revision: string; readonly wanted: readonly string[] }
): Promise<readonly Line[]> {
  const opened = [
    await Shop.open(trees[0], places[0], folder, CUSTOMERS),
    await Shop.open(trees[1], places[1], folder, CUSTOMERS)
  ] as const
  const generator = new LoadGenerator()
  const samples = new Map<string, [number[], number[]]>()
  samples.set('import', [[opened[0].importMs], [opened[1].importMs]])
  try {
    for (let turn = -1; turn < ROUNDS; turn++) {
      for (const side of turn % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
        const { shop } = opened[side]
        for (const [kind, request] of Object.entries(shop.requests)) {
          // Issuing makes the codes of the others.
          if (wanted.length > 0 && kind !== 'issue' && !wanted.some((each) => kind.startsWith(each))) continue
          const before = await shop.process.processorMs()
          const load = { connections: 16, seconds: SECONDS, perSecond: null, customers: CUSTOMERS }
          const { ms, refused } = await generator.send({
            ...{ ...load, port: shop.port, requests: [{ kind, request }] }
          })
          const count = ms[kind]?.length ?? 0
          if (count === 0 || refused > 0)
            throw new Error(`${kind}: ${String(refused)} of ${String(count)} refused`)
          const after = await shop.process.processorMs()
          const each = samples.get(kind) ?? [[], []]
          samples.set(kind, each)
          if (turn >= 0) each[side].push((after - before) / count)
        }
      }
    }
  } finally {
    generator.close()
    for (const each of opened) await each.shop.process.close()
  }
  return [...samples].map(([kind, [ours, baseline]]) => {
    const ratios = ours.map((each, index) => each / (baseline[index] ?? 0))
    const spread = [Math.min(...ratios), Math.max(...ratios)].map(round).join('–')
    return judge({
      ...{ name: `${store}: ${kind}`, unit: 'ms', samples: { ours, baseline }, against: revision },
      ...{ target: { kind: 'none' }, note: `${spread}×` }
    })
  })
}

/** Compares with a revision. Resolves with a line for each operation on each store. */
export async function compareWith(revision: string, wanted: readonly string[]): Promise<readonly Line[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-against-'))
  try {
    const trees = [Tree.ofProject(), Tree.checkOut(revision, join(folder, 'tree'))] as const
    const options = { revision, wanted }
    const files = [{ folder: join(folder, 'ours') }, { folder: join(folder, 'theirs') }] as const
    const lines = [...(await compare('SQLite', trees, files, folder, options))]
    if (postgresSkipReason() !== null) return lines
    const servers = [await PostgresServer.start(true), await PostgresServer.start(true)] as const
    try {
      const urls = [{ url: servers[0].url() }, { url: servers[1].url() }] as const
      return [...lines, ...(await compare('PostgreSQL', trees, urls, folder, options))]
    } finally {
      for (const server of servers) await server.remove()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
