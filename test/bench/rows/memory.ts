/** Memory of main and page after the start and after 2,000 slips, compared with an app with one static page. */
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import * as v from 'valibot'
import type { Bench, Extent } from '../bench.ts'
import type { Measured } from '../line.ts'
import type { DevTools } from '../memory/devtools.ts'
import { COUNTED, GIVES_BACK, type Held } from '../memory/processes.ts'
import { openUndriven } from '../memory/undriven.ts'
import { EMPTY_APP } from '../start/apps.ts'
import { setUpTill } from '../start/profiles.ts'
import { withService } from '../window/service.ts'

/** Slips between two readings, and readings. */
const SLIPS: Readonly<Record<Extent, { readonly each: number; readonly readings: number }>> = {
  smoke: { each: 5, readings: 2 },
  full: { each: 1_000, readings: 2 }
}
const STARTS: Readonly<Record<Extent, number>> = { smoke: 1, full: 5 }

/** Milliseconds after a start until its deferred work is done. */
const CALM: Readonly<Record<Extent, number>> = { smoke: 500, full: 8_000 }
/** Milliseconds between the last slip and the reading. */
const REST: Readonly<Record<Extent, number>> = { smoke: 0, full: 30_000 }

/** Runs in the page: issues slips, one after the other, and waits for the paper of each. Throws when one fails. */
async function issue(slips: number): Promise<void> {
  const till = window.tillpoints?.slips
  if (!till) throw new Error('The page has no bridge')
  for (let slip = 0; slip < slips; slip++) {
    const intentId = crypto.randomUUID()
    const issued = await till.issue({ intentId, points: 1 + (slip % 500), customer: null })
    if (!issued.ok) throw new Error(`Nothing was issued: ${issued.failure.kind}`)
    const printed = await till.print({ intentId })
    if (!printed.ok) throw new Error(`Nothing was printed: ${printed.failure.kind}`)
  }
}

/** Megabytes of a V8 heap that are in use by what lives: what is left after a collection. */
async function living(inIt: DevTools): Promise<number> {
  await inIt.ask('HeapProfiler.collectGarbage')
  const { usedSize } = v.parse(v.object({ usedSize: v.number() }), await inIt.ask('Runtime.getHeapUsage'))
  return usedSize / 2 ** 20
}

interface Readings {
  readonly main: number[]
  readonly page: number[]
  readonly papers: number[]
}

const noted = (readings: Readings, { main, page, papers }: Held): void => {
  readings.main.push(main)
  readings.papers.push(papers)
  if (page !== null) readings.page.push(page)
}

const none = (): Readings => ({ main: [], page: [], papers: [] })

/** The bench of memory. */
export const memory: Bench = {
  name: 'memory',
  what: 'main and page after the start and after 2,000 slips, against an app with one static page',
  measure: ({ extent, folder, say }) =>
    withService({ customers: 50, file: join(folder, 'service.sqlite') }, async (url) => {
      const userData = join(folder, 'till')
      await setUpTill(userData, url)
      const [empty, started, working, worked] = [none(), none(), none(), none()]
      const lived = none()

      const { each, readings } = SLIPS[extent]
      for (let count = 1; count <= STARTS[extent]; count++) {
        const bare = await openUndriven({
          userData: join(folder, 'empty'),
          appFolder: EMPTY_APP,
          env: GIVES_BACK
        })
        await wait(CALM[extent])
        noted(empty, await bare.held())
        await bare.close()

        const app = await openUndriven({ userData, env: GIVES_BACK })
        await wait(CALM[extent])
        noted(started, await app.held())
        if (count === STARTS[extent]) {
          for (let reading = 1; reading <= readings; reading++) {
            await app.inPage((page) => page.evaluate(`(${issue.toString()})(${each})`))
            noted(working, await app.held())
            await wait(REST[extent])
            const held = await app.held()
            noted(worked, held)
            // After the reading: a collection gives back what the readings are to show.
            lived.main.push(await app.inMain(living))
            lived.page.push(await app.inPage(living))
            say(
              `after ${reading * each} slips: main ${held.main.toFixed(0)} MB, page ${held.page?.toFixed(0) ?? '?'} MB`
            )
          }
        }
        await app.close()
      }

      const after = `${(each * readings).toLocaleString('en')} slips`
      const linesOf = (which: 'main' | 'page'): Measured[] => {
        const [[halfWay, last], [livedHalfWay, livedLast]] = [worked[which], lived[which]]
        if (halfWay === undefined || last === undefined) return []
        if (livedHalfWay === undefined || livedLast === undefined) return []
        const against = 'empty app'
        const target = { kind: 'none' } as const
        return [
          {
            name: `memory: ${which} after the start`,
            unit: 'MB',
            samples: { ours: started[which], baseline: empty[which] },
            against,
            target,
            note: COUNTED
          },
          {
            name: `memory: ${which} at the last of ${after}`,
            unit: 'MB',
            samples: { ours: working[which].slice(-1), baseline: empty[which] },
            against,
            target,
            note: 'without the PDF process'
          },
          {
            name: `memory: ${which} after ${after}`,
            unit: 'MB',
            samples: { ours: [last], baseline: empty[which] },
            against,
            target
          },
          {
            name: `memory: ${which}, growth over the second half of the slips`,
            unit: 'MB',
            samples: { ours: [Math.max(0, last - halfWay)], baseline: [] },
            target: { kind: 'at most', most: 8, rank: 'p50' }
          },
          {
            name: `memory: ${which}, live heap added by the second half of the slips`,
            unit: 'MB',
            samples: { ours: [Math.max(0, livedLast - livedHalfWay)], baseline: [] },
            target: { kind: 'at most', most: 1, rank: 'p50' },
            note: `the live heap was ${livedLast.toFixed(1)} MB`
          }
        ]
      }
      const papers = (when: string, held: readonly number[]): Measured => ({
        name: `memory: the PDF process ${when} ${after}`,
        unit: 'MB',
        samples: { ours: held.slice(-1), baseline: [] },
        target: { kind: 'none' }
      })
      return {
        lines: [
          ...linesOf('main'),
          ...linesOf('page'),
          papers('at the last of', working.papers),
          papers('after', worked.papers)
        ]
      }
    })
}
