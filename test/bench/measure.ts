/** Runs a bench and compares its results with the targets. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bench, Extent } from './bench.ts'
import { judge, type Line } from './line.ts'

/** Measures with one bench, in a folder of its own that is removed afterwards. */
export async function measure(
  bench: Bench,
  extent: Extent,
  say: (message: string) => void = () => undefined
): Promise<readonly Line[]> {
  const folder = await mkdtemp(join(tmpdir(), `bench-${bench.name}-`))
  try {
    return (await bench.measure({ extent, folder, say })).map(judge)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
