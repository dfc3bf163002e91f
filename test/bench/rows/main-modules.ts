/** Compares the modules that main loads before its window with an app that only opens one. */
import { join } from 'node:path'
import type { Bench } from '../bench.ts'
import { loadedTooEarly, modulesBeforeWindow } from '../modules-before-window.ts'
import { EMPTY_APP } from '../start/apps.ts'

/** Main's first load. The counts are the same in every run. */
export const mainModules: Bench = {
  name: 'main-modules',
  description: 'modules that main loads before its window',
  async measure({ folder }) {
    const ours = await modulesBeforeWindow(join(folder, 'till'))
    const empty = await modulesBeforeWindow(join(folder, 'empty'), EMPTY_APP)
    if (empty.scripts.length > 0) throw new Error('The empty app loaded the till')
    return {
      lines: [
        {
          name: 'main-modules: before the window',
          unit: 'modules',
          samples: { ours: [ours.modules.length], baseline: [1] },
          against: 'a main script that opens a window',
          target: { kind: 'none' },
          note: `${ours.kilobytes.toFixed(0)} kB in ${ours.scripts.length} scripts`
        },
        {
          name: 'main-modules: of services opened on first use',
          unit: 'modules',
          samples: { ours: [loadedTooEarly(ours).length], baseline: [] },
          target: { kind: 'at most', most: 0, rank: 'p50' },
          note:
            loadedTooEarly(ours).join(', ') || 'no pdfkit, fontkit, HarfBuzz, PDFium, SQLite, hono, updater'
        }
      ]
    }
  }
}
