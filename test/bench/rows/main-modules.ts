/** What main loads before its window, against the main script of an app that only opens one. */
import { join } from 'node:path'
import type { Bench } from '../bench.ts'
import { modulesBeforeWindow, tooEarly } from '../modules-before-window.ts'
import { EMPTY_APP } from '../start/apps.ts'

/** The bench of main's first load. Counts are the same at each run, so one is enough. */
export const mainModules: Bench = {
  name: 'main-modules',
  what: 'modules that main loads before its window, and none of what is first used later',
  async measure({ folder }) {
    const ours = await modulesBeforeWindow(join(folder, 'till'))
    const empty = await modulesBeforeWindow(join(folder, 'empty'), EMPTY_APP)
    // A starter's main is as small as that of the empty app: electron, a path, a window.
    if (empty.scripts.length > 0) throw new Error('The empty app loaded the till')
    return {
      lines: [
        {
          name: 'main-modules: before the window',
          unit: 'modules',
          samples: { ours: [ours.modules.length], baseline: [1] },
          against: 'a main script that opens a window',
          target: { kind: 'none' },
          note: `${ours.kilobytes.toFixed(0)} kB in ${ours.scripts.length} scripts; a third of it is electron-store’s`
        },
        {
          name: 'main-modules: before the window, of what is first used later',
          unit: 'modules',
          samples: { ours: [tooEarly(ours).length], baseline: [] },
          target: { kind: 'at most', most: 0, rank: 'p50' },
          note:
            tooEarly(ours).join(', ') ||
            'no pdfkit, fontkit, HarfBuzz, PDFium, qrcode, SQLite, hono, printing, updater'
        }
      ]
    }
  }
}
