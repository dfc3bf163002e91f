/** From the start of the process to a key in the search field, against an app with nothing but such a field. */
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { OpenOptions } from '../../e2e/support/till.ts'
import type { Bench, Extent } from '../bench.ts'
import { forgetFiles } from '../files.ts'
import type { Measured } from '../line.ts'
import { inTurn, sideBySide, type Rounds, type Take } from '../side-by-side.ts'
import { EMPTY_APP, startApp } from '../start/apps.ts'
import { setUpTill, withJournal } from '../start/profiles.ts'
import { withService } from '../window/service.ts'

const ROWS: Readonly<Record<Extent, number>> = { smoke: 1_000, full: 1_000_000 }
const WARM: Readonly<Record<Extent, Rounds>> = {
  smoke: { rounds: 1, warmUp: 0 },
  full: { rounds: 24, warmUp: 2 }
}
const COLD: Readonly<Record<Extent, Rounds>> = {
  smoke: { rounds: 1, warmUp: 0 },
  full: { rounds: 5, warmUp: 0 }
}

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
    withService({ customers: 50, file: join(folder, 'service.sqlite') }, async (url) => {
      const [few, many, empty] = ['few', 'many', 'empty'].map((name) => join(folder, name))
      if (few === undefined || many === undefined || empty === undefined) throw new Error('No folders')
      const businessId = await setUpTill(few, url)
      const slips = `${ROWS[extent].toLocaleString('en')} slips`
      say(`a journal of ${slips}`)
      await withJournal(few, many, businessId, ROWS[extent])

      const till =
        (userData: string): Take =>
        () =>
          start({ userData })
      const emptyApp: Take = () => start({ userData: empty, appFolder: EMPTY_APP })
      say('warm starts')
      const warm = await inTurn(WARM[extent], { few: till(few), many: till(many), empty: emptyApp })

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
      const coldFew = await sideBySide(COLD[extent], coldTill(few), coldEmpty)

      const against = 'empty app'
      // What the till adds is no longer than the start of Chromium and Electron, which nobody can shorten.
      const target = { kind: 'at most times', times: 2, rank: 'p50' } as const
      const lines: Measured[] = [
        {
          name: 'start: warm',
          unit: 'ms',
          samples: { ours: warm.few, baseline: warm.empty },
          against,
          target
        },
        {
          name: `start: warm, ${slips} in the journal`,
          unit: 'ms',
          samples: { ours: warm.many, baseline: warm.empty },
          against,
          target
        },
        {
          name: `start: ${slips} or none`,
          unit: 'ms',
          samples: { ours: warm.many, baseline: warm.few },
          against: 'the till without slips',
          target: { kind: 'at most times', times: 1.1, rank: 'p50' }
        },
        {
          name: 'start: cold',
          unit: 'ms',
          samples: coldFew,
          against,
          target,
          note: `cold: a fresh folder of Chromium’s data${forgets ? ', and files that the system has forgotten' : '; the system’s memory of files stays'}`
        }
      ]
      return lines
    })
}
