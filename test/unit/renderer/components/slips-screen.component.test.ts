import { render, screen, within } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { expect, onTestFinished, test, vi } from 'vitest'
import { err, ok } from '../../../../electron/contract/failure.ts'
import type { Customer } from '../../../../electron/contract/loyalty.ts'
import type { AttentionSlip, Batch } from '../../../../electron/contract/slips.ts'
import { BusinessContext, createAppContext } from '../../../../renderer/src/state/app-context.svelte.ts'
import AttentionList from '../../../../renderer/src/screens/slips/AttentionList.svelte'
import SlipHistory from '../../../../renderer/src/screens/slips/SlipHistory.svelte'
import BatchProgress from '../../../../renderer/src/screens/slips/batch/BatchProgress.svelte'
import ReportScreen from '../../../../renderer/src/screens/slips/report/ReportScreen.svelte'
import { fakeReport } from '../../../support/screenshots/fake-calls.ts'
import { tillState } from '../../../support/till-state.ts'
import { bridgeWith, customer, deferredCalls, flushPromises, slip } from '../support/bridge.ts'
import '../support/english.ts'
import WithAppContext from '../support/WithAppContext.svelte'

const PRINTER = { destination: { kind: 'queue', name: 'Counter' }, paperSize: '80mm' } as const

type Calls = Parameters<typeof bridgeWith>[0]

const contextOf = (calls: Calls) => {
  const app = createAppContext(bridgeWith(calls), window)
  app.till.accept(tillState({ settings: { ...tillState().settings, printer: PRINTER } }))
  return { app, businessContext: new BusinessContext(app) }
}

test('a slip is discarded with one of three reasons that are pressed, or with one that is typed', async () => {
  const reasons: string[] = []
  const waiting: AttentionSlip = { slip: slip('a', { state: 'unknown', code: null }), action: 'discard' }
  const context = contextOf({
    slips: {
      attentionList: () => Promise.resolve(ok({ slips: [waiting], hasMore: false })),
      attention: () => Promise.resolve(ok(1)),
      discard: ({ reason }) => {
        reasons.push(reason)
        return Promise.resolve(ok(waiting.slip))
      }
    },
    operations: {
      attentionList: () => Promise.resolve(ok([])),
      attention: () => Promise.resolve(ok(0))
    }
  })
  render(WithAppContext, { props: { ...context, component: AttentionList } })
  await flushPromises()
  const dialog = () => within(screen.getByRole('alertdialog'))
  const discard = () => userEvent.click(dialog().getByRole('button', { name: 'Discard' }))
  const field = () => dialog().getByRole<HTMLInputElement>('textbox', { name: 'Reason' })
  const open = async (): Promise<void> => {
    await userEvent.click(screen.getByRole('button', { name: 'Discard' }))
    await flushPromises()
  }
  await open()
  await discard()
  expect(dialog().getByRole('alert').textContent.trim()).toBe('Enter a reason.')
  for (const reason of ['Typed twice', 'Wrong points', 'Customer has left']) {
    await userEvent.click(dialog().getByRole('button', { name: reason }))
    expect(field().value).toBe(reason)
    expect(dialog().queryByRole('alert')).toBeNull()
    expect(dialog().getByRole('button', { name: reason }).getAttribute('aria-pressed')).toBe('true')
  }
  await discard()
  await vi.waitFor(() => {
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })
  await open()
  expect(field().value).toBe('')
  await userEvent.type(field(), 'Test{Enter}')
  expect(reasons).toEqual(['Customer has left', 'Test'])
})

test('Issue again says that it waits for the customer, and waits once', async () => {
  const waiting: AttentionSlip = {
    slip: slip('a', { state: 'unknown', code: null, customer: { id: 'maria', name: 'Maria' } }),
    action: 'discard'
  }
  const { requests, call } = deferredCalls<{ id: string }, Customer>()
  const context = contextOf({
    customers: { read: call },
    slips: {
      attentionList: () => Promise.resolve(ok({ slips: [waiting], hasMore: false })),
      attention: () => Promise.resolve(ok(1))
    },
    operations: {
      attentionList: () => Promise.resolve(ok([])),
      attention: () => Promise.resolve(ok(0))
    }
  })
  render(WithAppContext, { props: { ...context, component: AttentionList } })
  await flushPromises()
  await userEvent.click(screen.getByRole('button', { name: 'Issue again' }))
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Loading' }).disabled).toBe(true)
  requests[0]?.resolve(err({ kind: 'offline' }))
  await flushPromises()
  await userEvent.click(screen.getByRole('button', { name: 'Issue again' }))
  requests[1]?.resolve(ok(customer('maria')))
  await flushPromises()
  expect(context.businessContext.checkout.customer?.id).toBe('maria')
})

const batch: Batch = {
  batchId: '00000000-0000-4000-9000-000000000001',
  points: 250,
  count: 12,
  oneJob: false,
  state: 'running',
  reason: null,
  issued: 6,
  printed: 6,
  saved: 0,
  handedOver: 0,
  sent: 0,
  failed: 0,
  ended: 0,
  unknown: 0,
  waiting: 6,
  startedAt: '2026-11-21T12:00:00.000Z',
  endedAt: null,
  training: false
}

test.each<[Batch['state'], Partial<Batch>]>([
  ['running', { issued: 24, printed: 5, failed: 1, waiting: 6 }],
  ['running', { issued: 24, printed: 20, saved: 4, handedOver: 6, sent: 5, waiting: 6 }],
  ['paused', { issued: 10, printed: 8, failed: 0, waiting: 20 }],
  ['stopped', { issued: 10, printed: 4, failed: 2, ended: 1, unknown: 3, waiting: 17 }],
  ['cancelled', { issued: 24, printed: 5, ended: 19, waiting: 6 }],
  ['finished', { issued: 30, printed: 27, failed: 2, ended: 1, waiting: 0 }]
])('the counts of a batch that is %s add up to its size: %j', (state, change) => {
  const shown = { ...batch, count: 30, state, ...change }
  const { container } = render(WithAppContext, {
    props: { ...contextOf({}), component: BatchProgress as never, props: { batch: shown } }
  })
  const counts = [...container.querySelectorAll('dd')].map(({ textContent }) => Number(textContent))
  expect(counts.reduce((sum, count) => sum + count)).toBe(30)
})

test('what a batch has issued and not sent to the printer waits for it', () => {
  const running = { ...batch, count: 30, issued: 24, printed: 5, failed: 1, waiting: 6 }
  render(WithAppContext, {
    props: { ...contextOf({}), component: BatchProgress as never, props: { batch: running } }
  })
  expect(screen.getByText('Waiting for the printer').nextElementSibling?.textContent).toBe('18')
})

test.each([
  ['running', false],
  ['paused', false],
  ['stopped', false],
  ['finished', true],
  ['cancelled', true]
] as const)('a batch that is %s is left with Done: %s', async (state, isDone) => {
  const context = contextOf({})
  const { batches } = context.businessContext
  batches.show({ ...batch, state })
  render(WithAppContext, { props: { ...context, component: BatchProgress, props: { batch: batches.open } } })
  const done = screen.queryByRole('button', { name: 'Done' })
  expect(done !== null).toBe(isDone)
  if (done) await userEvent.click(done)
  expect(batches.open === null).toBe(isDone)
})

test('no button of the question moves while the last slips are printed', async () => {
  const cancelled: unknown[] = []
  const context = contextOf({
    batches: {
      cancel: (request) => {
        cancelled.push(request.unprinted)
        return Promise.resolve(ok({ ...batch, state: 'cancelled' }))
      }
    }
  })
  const { batches } = context.businessContext
  batches.show({ ...batch, state: 'paused', printed: 4 })
  const props = {
    get batch() {
      return batches.open
    }
  }
  render(WithAppContext, { props: { ...context, component: BatchProgress, props } })
  await userEvent.click(screen.getByRole('button', { name: 'End batch' }))
  await flushPromises()
  const dialog = within(screen.getByRole('alertdialog'))
  const buttons = () => dialog.getAllByRole('button').map(({ textContent }) => textContent.trim())
  const asked = buttons()
  expect(asked).toEqual(['Keep batch', 'End and discard', 'End and print'])
  batches.show({ ...batch, state: 'paused', printed: 6 })
  await flushPromises()
  expect(screen.getByText('Printed').nextElementSibling?.textContent).toBe('6')
  expect(buttons()).toEqual(asked)
  await userEvent.click(dialog.getByRole('button', { name: 'End and print' }))
  expect(cancelled).toEqual(['print'])
})

test('the history is searched for no longer text than the till accepts', async () => {
  const context = contextOf({ slips: { list: () => Promise.resolve(ok({ slips: [], hasMore: false })) } })
  render(WithAppContext, { props: { ...context, component: SlipHistory } })
  await flushPromises()
  const field = screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search slips' })
  await userEvent.click(field)
  await userEvent.paste('x'.repeat(600))
  expect(field.value).toHaveLength(500)
})

test('a report that was left open is of today when it is shown on the next day', async () => {
  vi.useFakeTimers({ now: new Date('2026-11-18T12:00:00Z'), toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const context = contextOf({ slips: { report: (range) => Promise.resolve(ok(fakeReport(range, []))) } })
  const { report } = context.businessContext
  const props = { ...context, component: ReportScreen }
  const { unmount } = render(WithAppContext, { props })
  await flushPromises()
  expect(report.report?.range.to).toBe('2026-11-18')
  unmount()
  vi.setSystemTime('2026-11-19T12:00:00Z')
  render(WithAppContext, { props })
  await flushPromises()
  expect(report.report?.range).toEqual({ from: '2026-11-19', to: '2026-11-19' })
})

test('on another day the report is of the same quick range, and of today instead of other days', async () => {
  vi.useFakeTimers({ now: new Date('2026-11-18T12:00:00Z'), toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const { report } = contextOf({
    slips: { report: (range) => Promise.resolve(ok(fakeReport(range, []))) }
  }).businessContext
  const nextDay = (): void => {
    vi.setSystemTime(Date.now() + 24 * 60 * 60 * 1000)
    report.refresh()
  }
  report.refresh()
  expect(report.range).toEqual({ from: '2026-11-18', to: '2026-11-18' })
  nextDay()
  expect(report.range).toEqual({ from: '2026-11-19', to: '2026-11-19' })
  report.showQuickRange('week')
  nextDay()
  expect(report.range).toEqual({ from: '2026-11-14', to: '2026-11-20' })
  await flushPromises()
  expect(report.report?.range).toEqual(report.range)
  report.setFirstDay('2026-11-02')
  report.refresh()
  expect(report.range).toEqual({ from: '2026-11-02', to: '2026-11-20' })
  nextDay()
  expect(report.range).toEqual({ from: '2026-11-21', to: '2026-11-21' })
})

test('a report that was not printed names the button that prints it again', async () => {
  const context = contextOf({
    slips: {
      report: (range) => Promise.resolve(ok(fakeReport(range, []))),
      printReport: () =>
        Promise.resolve(err({ kind: 'not-printed', fault: 'out-of-paper', mayStillPrint: true }))
    }
  })
  render(WithAppContext, { props: { ...context, component: ReportScreen } })
  await flushPromises()
  await userEvent.click(screen.getByRole('button', { name: 'Print report' }))
  await flushPromises()
  const alert = screen.getByRole('alert').parentElement?.textContent
  expect(alert).toContain('Press Print report')
  expect(alert).not.toMatch(/slip/i)
})
