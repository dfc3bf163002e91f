/**
 * Memory of main, page and PDF worker after the start and after 2,000 slips, compared with an app with one static page.
 */
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import * as v from 'valibot'
import type { Bench, Extent } from '../bench.ts'
import type { Measured, Target } from '../line.ts'
import type { DevTools } from '../memory/devtools.ts'
import { MALLOC_ENVIRONMENT, MEMORY_MEASURE, type AppMemory } from '../memory/processes.ts'
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
const STARTED_MS: Readonly<Record<Extent, number>> = { smoke: 500, full: 8_000 }
/** Milliseconds without activity between the last slip and the reading. */
const IDLE_MS: Readonly<Record<Extent, number>> = { smoke: 0, full: 30_000 }

/** Runs in the page: issues slips one after the other, each after the print job of the one before. Throws on a failure. */
async function issue(slips: number): Promise<void> {
  const bridge = window.tillpoints?.slips
  if (!bridge) throw new Error('The page has no bridge')
  for (let slip = 0; slip < slips; slip++) {
    const intentId = crypto.randomUUID()
    const issued = await bridge.issue({ intentId, points: 1 + (slip % 500), customer: null })
    if (!issued.ok) throw new Error(`Not issued: ${issued.failure.kind}`)
    const printed = await bridge.print({ intentId })
    if (!printed.ok) throw new Error(`Not printed: ${printed.failure.kind}`)
  }
}

/** Collects garbage in a V8 heap and resolves with the size of what is left, in MB. */
async function collectGarbage(devTools: DevTools): Promise<number> {
  await devTools.send('HeapProfiler.collectGarbage')
  const { usedSize } = v.parse(
    v.object({ usedSize: v.number() }),
    await devTools.send('Runtime.getHeapUsage')
  )
  return usedSize / 2 ** 20
}

interface Readings {
  readonly main: number[]
  readonly page: number[]
  readonly pdfWorker: number[]
}

const noReadings = (): Readings => ({ main: [], page: [], pdfWorker: [] })

const record = (readings: Readings, { main, page, pdfWorker }: AppMemory): void => {
  readings.main.push(main)
  if (page !== null) readings.page.push(page)
  if (pdfWorker !== null) readings.pdfWorker.push(pdfWorker)
}

/** The bench of memory. */
export const memory: Bench = {
  name: 'memory',
  description:
    'main, page and PDF worker after the start and after 2,000 slips, against an app with one static page',
  measure: ({ extent, folder, say }) =>
    withService({ customers: 50, file: join(folder, 'service.sqlite') }, async (url) => {
      const userData = join(folder, 'till')
      await setUpTill(userData, url)
      const [empty, started, busy, idle] = [noReadings(), noReadings(), noReadings(), noReadings()]
      const [collected, liveHeap] = [noReadings(), noReadings()]

      const { each, readings } = SLIPS[extent]
      for (let count = 1; count <= STARTS[extent]; count++) {
        const emptyApp = await openUndriven({
          userData: join(folder, 'empty'),
          appFolder: EMPTY_APP,
          env: MALLOC_ENVIRONMENT
        })
        await wait(STARTED_MS[extent])
        record(empty, await emptyApp.memory())
        await emptyApp.close()

        const app = await openUndriven({ userData, env: MALLOC_ENVIRONMENT })
        await wait(STARTED_MS[extent])
        record(started, await app.memory())
        if (count === STARTS[extent]) {
          for (let reading = 1; reading <= readings; reading++) {
            await app.inPage((page) => page.evaluate(`(${issue.toString()})(${each})`))
            record(busy, await app.memory())
            await wait(IDLE_MS[extent])
            record(idle, await app.memory())
            // When V8 collects garbage by itself is chance, so growth is measured after a collection.
            liveHeap.main.push(await app.inMain(collectGarbage))
            liveHeap.page.push(await app.inPage(collectGarbage))
            await wait(STARTED_MS[extent])
            const after = await app.memory()
            record(collected, after)
            say(
              `after ${reading * each} slips: main ${after.main.toFixed(0)} MB, page ${after.page?.toFixed(0) ?? '?'} MB`
            )
          }
        }
        await app.close()
      }

      const slips = `${(each * readings).toLocaleString('en')} slips`
      const against = 'empty app'
      const report = (name: string, ours: readonly number[], baseline: readonly number[]): Measured => ({
        name: `memory: ${name}`,
        unit: 'MB',
        samples: { ours, baseline },
        ...(baseline.length > 0 && { against }),
        target: { kind: 'none' },
        note: MEMORY_MEASURE
      })
      const growth = (name: string, samples: readonly number[], target: Target): Measured => ({
        name: `memory: ${name} of the second half of the slips`,
        unit: 'MB',
        samples: {
          ours: samples.slice(1).map((last, index) => Math.max(0, last - (samples[index] ?? last))),
          baseline: []
        },
        target
      })
      const atMost = (most: number): Target => ({ kind: 'at most', most, rank: 'p50' })
      const linesOf = (which: 'main' | 'page'): Measured[] => [
        report(`${which} after the start`, started[which], empty[which]),
        report(`${which} at the last of ${slips}`, busy[which].slice(-1), empty[which]),
        report(`${which} after ${slips}`, idle[which].slice(-1), empty[which]),
        growth(`${which}, growth`, collected[which], atMost(8)),
        growth(`${which}, growth of the live heap`, liveHeap[which], atMost(1))
      ]
      return {
        lines: [
          ...linesOf('main'),
          ...linesOf('page'),
          report(`PDF worker after ${slips}`, idle.pdfWorker.slice(-1), []),
          // Nothing can make the worker collect its garbage, so the soak of a month judges its growth.
          growth('PDF worker, growth', collected.pdfWorker, { kind: 'none' })
        ]
      }
    })
}
