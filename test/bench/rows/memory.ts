/** Memory of all processes of the till, open on the counter and after a day's slips, against an app with one field. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { KNOWN_CUSTOMERS } from '../../../electron/service/index.ts'
import { createPageActions } from '../../soak/month/page-actions.ts'
import { MALLOC_ENVIRONMENT, type WholeMemory } from '../../support/undriven-app/processes.ts'
import { openUndriven, type UndrivenApp } from '../../support/undriven-app/undriven.ts'
import type { Bench, Extent } from '../bench.ts'
import type { Measured, Target } from '../line.ts'
import { EMPTY_APP } from '../start/apps.ts'
import { TOKEN } from '../window/open.ts'
import { withService } from '../window/service.ts'

/** `settle`: seconds until an app that was opened has done what it defers; `quiet`: seconds without work at the end */
const SIZES: Readonly<
  Record<
    Extent,
    { readonly rounds: number; readonly slips: number; readonly settle: number; readonly quiet: number }
  >
> = {
  smoke: { rounds: 1, slips: 2, settle: 1, quiet: 0 },
  full: { rounds: 3, slips: 500, settle: 15, quiet: 60 }
}

/** Of so many slips one is typed by a cashier for a customer, the others come through the bridge. */
const TYPED_EACH = 10

/** What an app has at the two moments. */
interface Taken {
  readonly opened: WholeMemory
  readonly after: WholeMemory
}

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
  description: 'all processes, open and after 500 slips, against an app with one field',
  measure: ({ extent, folder, say }) =>
    withService({ customers: 500, file: join(folder, 'service.sqlite') }, async (url) => {
      const { rounds, slips, settle, quiet } = SIZES[extent]
      const settings = { userData: join(folder, 'till'), empty: join(folder, 'empty') }
      mkdirSync(settings.userData)
      writeFileSync(join(settings.userData, 'settings.json'), JSON.stringify({ tourSeen: true }))

      /** One app at a time: what two of them shared would count for each in part. */
      const take = async (app: UndrivenApp, work: () => Promise<void>): Promise<Taken> => {
        try {
          await wait(settle * 1000)
          const opened = app.wholeMemory()
          await work()
          await wait(quiet * 1000)
          return { opened, after: app.wholeMemory() }
        } finally {
          await app.close()
        }
      }
      const found: { readonly till: Taken[]; readonly empty: Taken[] } = { till: [], empty: [] }
      for (let round = 1; round <= rounds; round++) {
        say(`${slips} slips and ${quiet} quiet seconds, ${round} of ${rounds}`)
        const env = { ...MALLOC_ENVIRONMENT, TILLPOINTS_BASE_URL: url, TILLPOINTS_TOKEN: TOKEN }
        const till = await openUndriven({ userData: settings.userData, env })
        found.till.push(await take(till, () => serve(till, slips)))
        const empty = await openUndriven({
          userData: settings.empty,
          appFolder: EMPTY_APP,
          env: MALLOC_ENVIRONMENT
        })
        found.empty.push(await take(empty, () => Promise.resolve()))
      }

      const line = (
        name: string,
        moment: keyof Taken,
        kind: keyof WholeMemory,
        target: Target = { kind: 'none' }
      ): Measured => ({
        name: `memory: ${name}`,
        unit: 'MB',
        samples: {
          ours: found.till.map((taken) => taken[moment][kind]),
          baseline: found.empty.map((taken) => taken[moment][kind])
        },
        against: 'empty app',
        target
      })
      return [
        line('on the counter', 'opened', 'proportional'),
        line('on the counter, private', 'opened', 'private'),
        line(`after ${slips} slips`, 'after', 'proportional', {
          kind: 'at most times',
          times: 1.35,
          rank: 'p50'
        }),
        line(`after ${slips} slips, private`, 'after', 'private')
      ]
    })
}
