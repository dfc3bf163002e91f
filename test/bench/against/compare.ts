/**
 * The service on this tree and on a revision in turn: the processor time of each request, which a machine that does other things,
 * too, changes less than a rate, and the rates of collecting, redeeming and a customer's page.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LoadGenerator } from '../../support/service-load/load.ts'
import { sizeOf } from '../bench.ts'
import { judge, type Line } from '../line.ts'
import { storesHere, withPlaces, type Pair, type Store } from '../rows/service.ts'
import { round } from '../statistics.ts'
import { openShop, type Shop } from './shop.ts'
import { Tree } from './tree.ts'

/** Customers, seconds of a burst, and bursts: the environment variables BENCH_CUSTOMERS, BENCH_SECONDS and BENCH_ROUNDS. */
const EXTENT = {
  ...{ customers: sizeOf('CUSTOMERS', 10_000), seconds: sizeOf('SECONDS', 1) },
  rounds: sizeOf('ROUNDS', 7)
}
/** Connections; at the first number the processor time is taken, at the others only the rate. */
const CONNECTIONS = [16, 64] as const

/** Compares one store. Resolves with lines for each operation. */
async function compare(
  store: Store,
  shops: Pair<Shop>,
  revision: string,
  wanted: readonly string[]
): Promise<readonly Line[]> {
  const generator = new LoadGenerator()
  const found = new Map<string, Pair<number[]>>()
  const note = (name: string, side: 0 | 1, value: number): void => {
    const samples = found.get(name) ?? [[], []]
    found.set(name, samples)
    samples[side].push(value)
  }
  try {
    for (const side of [0, 1] as const) note('import of a customer, processor', side, shops[side].importMs)
    for (let turn = -1; turn < EXTENT.rounds; turn++) {
      for (const side of turn % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
        const { process, port, requests } = shops[side]
        for (const [kind, request] of Object.entries(requests)) {
          // Issuing makes the codes of the others.
          if (wanted.length > 0 && kind !== 'issue' && !wanted.some((each) => kind.startsWith(each))) continue
          for (const connections of CONNECTIONS) {
            const before = await process.processorMs()
            const load = { ...EXTENT, perSecond: null, port, connections, requests: [{ kind, request }] }
            const { ms, refused, seconds } = await generator.send(load)
            const count = ms[kind]?.length ?? 0
            if (count === 0 || refused > 0) {
              throw new Error(`${kind}: ${String(refused)} of ${String(count)} refused`)
            }
            const after = await process.processorMs()
            if (turn < 0) continue
            note(`${kind}, ${String(connections)} connections`, side, count / seconds)
            if (connections === CONNECTIONS[0]) note(`${kind}, processor`, side, (after - before) / count)
          }
        }
      }
    }
  } finally {
    generator.close()
  }
  return [...found].map(([name, [ours, baseline]]) => {
    const ratios = ours.map((each, index) => each / (baseline[index] ?? 0))
    const spread = [Math.min(...ratios), Math.max(...ratios)].map(round).join('–')
    const unit = name.endsWith('connections') ? 'requests/s' : 'ms'
    return judge({
      ...{ name: `${store}: ${name}`, unit, samples: { ours, baseline }, against: revision },
      ...{ target: null, note: `${spread}×` }
    })
  })
}

/** Compares with a revision. Resolves with lines for each operation that is wanted, all without one, on each store. */
export async function compareWith(revision: string, wanted: readonly string[]): Promise<readonly Line[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-against-'))
  try {
    const trees = [Tree.ofProject(), Tree.checkOut(revision, join(folder, 'tree'))] as const
    const lines: Line[] = []
    for (const store of storesHere()) {
      await withPlaces(store, join(folder, store), async (places) => {
        const open = (side: 0 | 1) => openShop(trees[side], places[side], folder, EXTENT.customers)
        const shops = [await open(0), await open(1)] as const
        try {
          lines.push(...(await compare(store, shops, revision, wanted)))
        } finally {
          for (const { process } of shops) await process.close()
        }
      })
    }
    return lines
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
