/** Memory of all processes of the till after a day's slips, against an app with one field. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { KNOWN_CUSTOMERS } from '../../../electron/service/index.ts'
import { createPageActions } from '../../soak/month/page-actions.ts'
import { MALLOC_ENVIRONMENT } from '../../support/undriven-app/processes.ts'
import { openUndriven, type UndrivenApp } from '../../support/undriven-app/undriven.ts'
import type { Bench } from '../bench.ts'
import { atMostTimes, type Samples } from '../line.ts'
import { EMPTY_APP } from '../start/apps.ts'
import { environmentOf, withService } from '../window/open.ts'

/** `settle`: seconds until an app that was opened has done what it defers; `quiet`: seconds without work at the end */
const EXTENT = {
  smoke: { rounds: 1, slips: 2, settle: 1, quiet: 0 },
  full: { rounds: 3, slips: 500, settle: 15, quiet: 60 }
} as const

/** Of so many slips one is typed by a cashier for a customer, the others come through the bridge. */
const TYPED_EACH = 10

/** Serves customers in the page of a till. Resolves when the last slip is printed. */
async function serve(till: UndrivenApp, slips: number): Promise<void> {
  const page = await till.connectPage('//till')
  await page.evaluate(`globalThis.actions = (${createPageActions.toString()})(), null`)
  const [{ phone }] = KNOWN_CUSTOMERS
  for (let points = 1; points <= slips; points++) {
    const call = points % TYPED_EACH === 1 ? `serve('${phone}', ${points})` : `issue(${points})`
    await page.evaluate(`actions.${call}`)
  }
  page.close()
}

/** The bench of memory. */
export const memoryBench: Bench = {
  name: 'memory',
  description: 'all processes after 500 slips, against an app with one field',
  measure: ({ extent, folder, say }) =>
    withService(folder, 500, async (url) => {
      const { rounds, slips, settle, quiet } = EXTENT[extent]
      const [userData, empty] = [join(folder, 'till'), join(folder, 'empty')]
      mkdirSync(userData)
      writeFileSync(join(userData, 'settings.json'), JSON.stringify({ tourSeen: true }))

      const samples: Record<keyof Samples, number[]> = { ours: [], baseline: [] }
      /** One app at a time: what two of them shared would count for each in part. */
      const take = async (
        app: UndrivenApp,
        side: keyof Samples,
        work: () => Promise<void>
      ): Promise<void> => {
        try {
          await wait(settle * 1000)
          await work()
          await wait(quiet * 1000)
          samples[side].push(app.wholeMemory().proportional)
        } finally {
          await app.close()
        }
      }
      for (let round = 1; round <= rounds; round++) {
        say(`${slips} slips and ${quiet} quiet seconds, ${round} of ${rounds}`)
        const env = { ...MALLOC_ENVIRONMENT, ...environmentOf(url) }
        const till = await openUndriven({ userData, env })
        await take(till, 'ours', () => serve(till, slips))
        const bare = { userData: empty, appFolder: EMPTY_APP, env: MALLOC_ENVIRONMENT }
        await take(await openUndriven(bare), 'baseline', () => Promise.resolve())
      }
      const line = { unit: 'MB', against: 'empty app', target: atMostTimes(1.35) } as const
      return [{ ...line, name: `memory: after ${slips} slips`, samples }]
    })
}
