import { render, screen } from '@testing-library/svelte'
import type { Component } from 'svelte'
import { expect, test } from 'vitest'
import { ok } from '../../../../electron/contract/failure.ts'
import { DEFAULT_PRINTER_SETTINGS, type PrintDestination } from '../../../../electron/contract/printing.ts'
import type { Batch, Slip } from '../../../../electron/contract/slips.ts'
import HelpDialog from '../../../../renderer/src/screens/help/HelpDialog.svelte'
import SlipLines from '../../../../renderer/src/components/SlipLines.svelte'
import AttentionRow from '../../../../renderer/src/screens/slips/AttentionRow.svelte'
import BatchForm from '../../../../renderer/src/screens/slips/batch/BatchForm.svelte'
import BatchProgress from '../../../../renderer/src/screens/slips/batch/BatchProgress.svelte'
import ReportScreen from '../../../../renderer/src/screens/slips/report/ReportScreen.svelte'
import SlipDetails from '../../../../renderer/src/screens/slips/SlipDetails.svelte'
import PrintAction from '../../../../renderer/src/screens/till/PrintAction.svelte'
import UnprintedSlipAlert from '../../../../renderer/src/screens/till/UnprintedSlipAlert.svelte'
import { BusinessContext, createAppContext } from '../../../../renderer/src/state/app-context.svelte.ts'
import { BatchForm as BatchFormState } from '../../../../renderer/src/state/batches.svelte.ts'
import { fakeReport } from '../../../support/screenshots/fake-calls.ts'
import { tillState } from '../../../support/till-state.ts'
import { bridgeWith, flushPromises, slip } from '../support/bridge.ts'
import '../support/english.ts'
import WithAppContext from '../support/WithAppContext.svelte'

const FOLDER: PrintDestination = { kind: 'folder' }
const QUEUE: PrintDestination = { kind: 'queue', name: 'Counter' }

/** A slip that could not be written where the till puts its slips. */
const failed = (destination: PrintDestination): Slip =>
  slip('slip-1', {
    state: 'print-failed',
    destination,
    failure:
      destination.kind === 'folder'
        ? { kind: 'not-saved', what: 'slip' }
        : { kind: 'not-printed', fault: 'cover-open', mayStillPrint: false }
  })

const batch: Batch = {
  ...{ batchId: '00000000-0000-4000-9000-000000000001', points: 250, count: 12, oneJob: false },
  ...{ state: 'stopped', reason: null, issued: 6, printed: 0, saved: 0, handedOver: 0, sent: 0 },
  ...{ failed: 2, ended: 0, unknown: 1, waiting: 5, startedAt: '2026-11-21T12:00:00.000Z' },
  ...{ endedAt: null, training: false }
}

/** Renders a part of the page, of a till whose slips go to `destination`. Returns its text with the labels of its parts. */
async function textOf(
  component: Component<never>,
  destination: PrintDestination,
  props: Readonly<Record<string, unknown>> = {}
): Promise<string> {
  const report = fakeReport({ from: '2026-11-18', to: '2026-11-18' }, [failed(destination)])
  const bridge = bridgeWith({
    customers: { recent: () => Promise.resolve(ok([])) },
    slips: {
      issue: () => Promise.resolve(ok({ slip: failed(destination), affordable: null, qr: null })),
      report: () => Promise.resolve(ok(report))
    }
  })
  const app = createAppContext(bridge, window)
  const printer = { ...DEFAULT_PRINTER_SETTINGS, destination }
  app.till.accept(tillState({ settings: { ...tillState().settings, printer } }))
  const businessContext = new BusinessContext(app)
  businessContext.helpOpen = true
  businessContext.checkout.form.typePoints('250')
  await businessContext.checkout.form.print()
  const all = { state: app.till.state, ...props }
  render(WithAppContext, { props: { app, businessContext, component: component as never, props: all } })
  await flushPromises()
  return document.body.textContent.replaceAll(/\s+/gu, ' ')
}

const issued = slip('slip-2', { state: 'issued', destination: null })
const waiting = (one: Slip) => ({ waiting: { slip: one, action: 'print' }, ondiscard: () => undefined })

const PARTS: readonly (readonly [
  string,
  Component<never>,
  (to: PrintDestination) => Record<string, unknown>
])[] = [
  ['the alert of an unprinted slip', UnprintedSlipAlert, () => ({})],
  ['a slip that needs attention', AttentionRow, (to) => waiting(failed(to))],
  ['a slip that has a code and no attempt', AttentionRow, () => waiting(issued)],
  ['the details of a slip', SlipDetails, (to) => ({ slip: failed(to) })],
  ['the details of a slip without an attempt', SlipDetails, () => ({ slip: issued })],
  ['a line of a slip', SlipLines, (to) => ({ slips: [failed(to), issued], label: 'Slips' })],
  ['a batch', BatchProgress, () => ({ batch })],
  ['a new batch', BatchForm, () => ({ form: new BatchFormState(false) })],
  ['the report', ReportScreen, () => ({})],
  ['the help', HelpDialog, () => ({})],
  ['the print button', PrintAction, () => ({})]
]

test.each(PARTS)('%s says that slips are saved where they are saved', async (_part, component, propsOf) => {
  const text = await textOf(component, FOLDER, propsOf(FOLDER))
  expect(text).toMatch(/[Ss]av(?:e|ing)/u)
  expect(text.match(/.{0,30}\b(?:re)?print(?!er:).{0,20}/giu) ?? []).toEqual([])
})

test.each(PARTS)(
  '%s says that slips are printed where they are printed',
  async (_part, component, propsOf) => {
    const text = await textOf(component, QUEUE, propsOf(QUEUE))
    expect(text).toMatch(/print/iu)
  }
)

test('what the alert tells to press is its button', async () => {
  const text = await textOf(UnprintedSlipAlert, FOLDER)
  expect(text).toContain('press Save now when its folder is writable')
  expect(screen.getByRole('button', { name: 'Save now' })).toBeDefined()
})
