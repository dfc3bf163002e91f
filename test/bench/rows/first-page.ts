/** Compares what the cashier's page loads before its first paint with a starter's page. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { build } from '../../../resources/scripts/build.ts'
import { PROJECT } from '../../../resources/scripts/tools.ts'
import { buildStarter } from '../baseline/build-starter.ts'
import type { Bench } from '../bench.ts'
import { filesBeforeFirstPaint, type PageFile } from '../first-paint-files.ts'

const PAGE = join(PROJECT, 'out/renderer')

const kilobytes = (files: readonly PageFile[]): number =>
  files.reduce((sum, { gzipped }) => sum + gzipped, 0) / 1000

/** The first load of the page. Its byte counts are the same in every run. */
export const firstPageBench: Bench = {
  name: 'first-page',
  description: 'scripts and styles before the till’s first paint, gzipped, against a starter’s page',
  async measure({ folder }) {
    // `npm run bench` builds first; the smoke test may run without a build.
    if (!existsSync(PAGE)) await build()
    const ours = await filesBeforeFirstPaint(PAGE, 'index.html', ['en-'])
    await buildStarter(folder)
    const starter = await filesBeforeFirstPaint(join(folder, 'out/renderer'), 'index.html')
    return {
      lines: [
        {
          name: 'first load: scripts and styles of the page, gzipped',
          unit: 'kB',
          samples: { ours: [kilobytes(ours)], baseline: [kilobytes(starter)] },
          against: 'a starter’s page with a counter',
          target: { kind: 'at most', most: 160, rank: 'p50' },
          note: ours
            .slice(0, 4)
            .map(({ path, gzipped }) => `${path} ${(gzipped / 1000).toFixed(1)} kB`)
            .join(', ')
        }
      ]
    }
  }
}
