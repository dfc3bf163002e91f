/** From the start of the process to a key in the search field, against an app with nothing but such a field. */
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { OpenOptions } from '../../e2e/support/till.ts'
import type { Bench } from '../bench.ts'
import { forgetFiles } from '../files.ts'
import { atMostTimes } from '../line.ts'
import { inTurn, sideBySide, type Take } from '../side-by-side.ts'
import { EMPTY_APP, startApp } from '../start/apps.ts'
import { setUpTill, withJournal } from '../start/profiles.ts'
import { withService } from '../window/open.ts'

const EXTENT = {
  smoke: { rows: 1_000, warm: { rounds: 1, warmUp: 0 }, cold: { rounds: 1, warmUp: 0 } },
  full: { rows: 1_000_000, warm: { rounds: 24, warmUp: 2 }, cold: { rounds: 5, warmUp: 0 } }
} as const

/** Milliseconds of one start; the app is closed behind it. */
const start = async (options: OpenOptions): Promise<number> => {
  const { app, took } = await startApp(options)
  await app.close()
  return took
}

/** The bench of the start. */
export const startBench: Bench = {
  name: 'start',
  description: 'process start to a key in the search field, against an app with one field',
  measure: ({ extent, folder, say }) =>
    withService(folder, 50, async (url) => {
      const sizes = EXTENT[extent]
      const [few, many, empty] = ['few', 'many', 'empty'].map((name) => join(folder, name))
      if (few === undefined || many === undefined || empty === undefined) throw new Error('No folders')
      const businessId = await setUpTill(few, url)
      const slips = `${sizes.rows.toLocaleString('en')} slips`
      say(`a journal of ${slips}`)
      await withJournal(few, many, businessId, sizes.rows)

      const till =
        (userData: string): Take =>
        () =>
          start({ userData })
      const emptyApp: Take = () => start({ userData: empty, appFolder: EMPTY_APP })
      say('warm starts')
      const warm = await inTurn(sizes.warm, { few: till(few), many: till(many), empty: emptyApp })

      say('cold starts')
      const forgets = extent === 'full' && forgetFiles()
      /** The first start of an installation: nothing of Chromium's in the folder, and of the files as little as can be. */
      const cold =
        (take: (folder: string) => Promise<number>, kept: string | null): Take =>
        async () => {
          const fresh = join(folder, 'fresh')
          await rm(fresh, { recursive: true, force: true })
          if (kept !== null) {
            for (const file of ['settings.json', 'journal.sqlite'])
              await cp(join(kept, file), join(fresh, file))
          }
          if (forgets) forgetFiles()
          return take(fresh)
        }
      const coldTill = (kept: string): Take => cold((userData) => start({ userData }), kept)
      const coldEmpty = cold((userData) => start({ userData, appFolder: EMPTY_APP }), null)
      const coldFew = await sideBySide(sizes.cold, coldTill(few), coldEmpty)

      // What the till adds is no longer than the start of Chromium and Electron, which nobody can shorten.
      const line = { unit: 'ms', against: 'empty app', target: atMostTimes(2) } as const
      const note = `cold: a fresh folder of Chromium’s data${forgets ? ', and files that the system has forgotten' : '; the system’s memory of files stays'}`
      return [
        { ...line, name: 'start: warm', samples: { ours: warm.few, baseline: warm.empty } },
        {
          ...{ ...line, name: `start: ${slips} or none`, samples: { ours: warm.many, baseline: warm.few } },
          ...{ against: 'the till without slips', target: atMostTimes(1.1) }
        },
        { ...line, name: 'start: cold', samples: coldFew, note }
      ]
    })
}
