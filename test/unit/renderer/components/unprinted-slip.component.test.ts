import { render, screen } from '@testing-library/svelte'
import { expect, test } from 'vitest'
import type { PrintDestination } from '../../../../electron/contract/printing.ts'
import { ok } from '../../../../electron/contract/failure.ts'
import AttentionRow from '../../../../renderer/src/screens/slips/AttentionRow.svelte'
import UnprintedSlipAlert from '../../../../renderer/src/screens/till/UnprintedSlipAlert.svelte'
import { BusinessContext, createAppContext } from '../../../../renderer/src/state/app-context.svelte.ts'
import { tillState } from '../../../support/till-state.ts'
import { networkPrinter } from '../../../support/network-printer.ts'
import { bridgeWith, flushPromises, slip } from '../support/bridge.ts'
import '../support/english.ts'
import WithAppContext from '../support/WithAppContext.svelte'

const counter = { kind: 'queue', name: 'Counter' } as const
const failed = slip('slip-1', {
  state: 'print-failed',
  destination: counter,
  failure: { kind: 'not-printed', fault: 'cover-open', mayStillPrint: true }
})

/** Renders the alert of the till and the row of the attention list, of a till that prints at `selected`. */
async function renderBoth(selected: PrintDestination, issued = failed): Promise<void> {
  const settings = { ...tillState().settings, printer: { destination: selected, paperSize: '80mm' as const } }
  const bridge = bridgeWith({
    customers: { recent: () => Promise.resolve(ok([])) },
    slips: { issue: () => Promise.resolve(ok({ slip: issued, affordable: null, qr: null })) }
  })
  const app = createAppContext(bridge, window)
  app.till.accept(tillState({ settings }))
  const businessContext = new BusinessContext(app)
  businessContext.checkout.form.typePoints('250')
  await businessContext.checkout.form.print()
  const contexts = { app, businessContext }
  render(WithAppContext, {
    props: { ...contexts, component: UnprintedSlipAlert as never, props: { state: app.till.state } }
  })
  const waiting = { slip: issued, action: 'mark-given' }
  render(WithAppContext, {
    props: { ...contexts, component: AttentionRow as never, props: { waiting, ondiscard: () => undefined } }
  })
  await flushPromises()
}

test('what hinders the selected printer is said', async () => {
  await renderBoth(counter)
  expect(screen.getAllByText(/The printer’s cover is open/)).toHaveLength(2)
})

test.each<PrintDestination>([
  { kind: 'folder' },
  { kind: 'queue', name: 'Office' },
  networkPrinter({ host: '10.0.0.5', port: 9100 })
])(
  'what hinders a printer that is no longer selected is not said, but that the slip may print: $kind',
  async (selected) => {
    await renderBoth(selected)
    expect(screen.queryByText(/cover/)).toBeNull()
    expect(screen.getByText(/The slip was not printed\. This slip may still print\./)).toBeDefined()
    expect(screen.getByText(/It may have been printed/)).toBeDefined()
  }
)

test('a copy that was not saved does not deny its slip', async () => {
  const destination = { kind: 'folder' } as const
  const failure = { kind: 'not-saved', what: 'slip' } as const
  const lastCopy = { number: 1, state: 'print-failed', startedAt: '2026-11-21T12:10:00.000Z' } as const
  const saved = slip('slip-1', {
    state: 'printed',
    destination,
    lastCopy: { ...lastCopy, destination, failure }
  })
  await renderBoth(destination, saved)
  expect(screen.getByText(/One copy was not saved\./)).toBeDefined()
  expect(screen.queryByText(/could not be saved/)).toBeNull()
})
