/** Runs a bench and compares its results with the targets. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bench, Extent, Fitted } from './bench.ts'
import { judge, type Line } from './line.ts'
import { growthOf } from './statistics.ts'

/** Results of benches. */
export interface Report {
  readonly lines: readonly Line[]
  readonly fitted: readonly Fitted[]
}

/** Measures with one bench, in a folder of its own that is removed afterwards. */
export async function measure(
  bench: Bench,
  extent: Extent,
  say: (message: string) => void = () => undefined
): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), `bench-${bench.name}-`))
  try {
    const { lines, growing = [] } = await bench.measure({ extent, folder, say })
    return {
      lines: lines.map(judge),
      fitted: growing.map((one) => ({ ...one, growth: growthOf(one.points) }))
    }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
