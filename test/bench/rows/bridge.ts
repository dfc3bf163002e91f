/**
 * One call of the bridge, page to main and back, against `ipcRenderer.invoke` with an empty handler: both in the same
 * page, through the same preload script.
 */
import { join } from 'node:path'
import type { ElectronApplication, Page } from '@playwright/test'
import { MAX_TYPED_LENGTH, type CheckoutDraft } from '../../../electron/contract/till.ts'
import type { Bench } from '../bench.ts'
import { BARE_CHANNEL, makeBareApp } from '../baseline/bare-bridge.ts'
import { sideBySide } from '../side-by-side.ts'
import { withTill } from '../window/open.ts'
import { withService } from '../window/service.ts'

declare global {
  interface Window {
    /** the barest way into main, beside the bridge */
    readonly bare?: { invoke(input?: unknown): Promise<unknown> }
  }
}

/** Calls of one sample, one after the other: the page's clock is coarse. */
const CALLS = { smoke: 5, full: 100 }
const ROUNDS = { smoke: { rounds: 3, warmUp: 1 }, full: { rounds: 60, warmUp: 10 } }

/** A checkout draft of one kilobyte as JSON. */
function draft(): CheckoutDraft {
  const made: CheckoutDraft = {
    intentId: '6f1c2a52-7c1e-4d1c-9a53-0f5b8f6f8f10',
    pressed: false,
    customer: {
      id: 'cus_0123456789abcdef',
      name: 'Maria Papadopoulou',
      email: 'maria.papadopoulou@example.com',
      phone: '+302101234567',
      avatar: '/images/avatars/cus_0123456789abcdef.png',
      balance: 1250,
      lifetimePoints: 4820
    },
    points: '250',
    bill: '',
    copies: null,
    linkedBill: null,
    search: 'x'.repeat(MAX_TYPED_LENGTH),
    registration: null
  }
  return { ...made, bill: '0'.repeat(1024 - JSON.stringify(made).length) }
}

/** Has main answer the baseline's calls: with nothing, or to a call without input with `kept`. */
const answerBare = (app: ElectronApplication, kept: CheckoutDraft): Promise<void> =>
  app.evaluate(
    ({ ipcMain }, { channel, answer }) =>
      ipcMain.handle(channel, (_event, input: unknown) => (input === undefined ? answer : undefined)),
    { channel: BARE_CHANNEL, answer: kept }
  )

/** Milliseconds that one call takes in a page, on average over some that follow each other. */
const inTill = (page: Page, input: CheckoutDraft | null, calls: number): Promise<number> =>
  page.evaluate(
    async ({ sent, times }) => {
      const till = window.tillpoints?.till
      if (!till) throw new Error('The page has no bridge')
      const begun = performance.now()
      for (let call = 0; call < times; call++) {
        const answer = sent === null ? await till.draft() : await till.saveDraft(sent)
        if (!answer.ok) throw new Error(`The till refused: ${answer.failure.kind}`)
      }
      return (performance.now() - begun) / times
    },
    { sent: input, times: calls }
  )

const inBare = (page: Page, input: CheckoutDraft | null, calls: number): Promise<number> =>
  page.evaluate(
    async ({ sent, times }) => {
      const { bare } = window
      if (!bare) throw new Error('The page has no bare bridge')
      const begun = performance.now()
      for (let call = 0; call < times; call++) await bare.invoke(sent ?? undefined)
      return (performance.now() - begun) / times
    },
    { sent: input, times: calls }
  )

/** The bench of the bridge. */
export const bridge: Bench = {
  name: 'bridge',
  description: 'one call of 1 kB, page to main and back, against an empty ipcMain handler',
  async measure({ extent, folder }) {
    const appFolder = join(folder, 'app')
    await makeBareApp(appFolder)
    return withService({ customers: 10, file: join(folder, 'service.sqlite') }, (url) =>
      withTill({ folder, url, appFolder }, async ({ app, page }) => {
        const kept = draft()
        await answerBare(app, kept)
        const calls = CALLS[extent]
        const measured = (input: CheckoutDraft | null) =>
          sideBySide(
            ROUNDS[extent],
            () => inTill(page, input, calls),
            () => inBare(page, input, calls)
          )
        const toMain = await measured(kept)
        const fromMain = await measured(null)
        const against = 'empty ipcMain handler'
        const target = { kind: 'at most times', times: 1.25, rank: 'p50' } as const
        const note = `each sample the mean of ${calls} calls in a row`
        return {
          lines: [
            { name: 'bridge: 1 kB to main', unit: 'ms', samples: toMain, against, target, note },
            { name: 'bridge: 1 kB from main', unit: 'ms', samples: fromMain, against, target, note }
          ]
        }
      })
    )
  }
}
