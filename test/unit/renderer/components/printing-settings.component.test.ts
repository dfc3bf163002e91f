import { render, screen } from '@testing-library/svelte'
import { expect, test } from 'vitest'
import type { Bridge } from '../../../../electron/contract/bridge.ts'
import { PAPER_SIZES } from '../../../../electron/contract/paper.ts'
import type { PrintDestination, Printer } from '../../../../electron/contract/printing.ts'
import { err, ok } from '../../../../electron/contract/failure.ts'
import DiagnosticsSettings from '../../../../renderer/src/screens/settings/DiagnosticsSettings.svelte'
import PrintingSettings from '../../../../renderer/src/screens/settings/PrintingSettings.svelte'
import { createAppContext } from '../../../../renderer/src/state/app-context.svelte.ts'
import { diagnostics } from '../../../support/screenshots/sample-data.ts'
import { tillState } from '../../../support/till-state.ts'
import { networkPrinter } from '../../../support/network-printer.ts'
import { bridgeWith, flushPromises } from '../support/bridge.ts'
import '../support/english.ts'
import WithAppContext from '../support/WithAppContext.svelte'

const queue = (name: string, reportsDeletedJobs: boolean): Printer => ({
  kind: 'queue',
  name,
  description: '',
  state: { kind: 'ready' },
  isDefault: false,
  isRaw: false,
  offered: { papers: PAPER_SIZES, sizes: [] },
  reportsDeletedJobs,
  deviceUri: ''
})

/** Renders the settings of a till that prints on `destination`. */
async function renderSettings(
  destination: PrintDestination,
  listed: Awaited<ReturnType<Bridge['printers']['list']>> = ok([queue('Windows', false), queue('CUPS', true)])
): Promise<void> {
  const settings = { ...tillState().settings, printer: { destination, paperSize: '80mm' as const } }
  const bridge = bridgeWith({
    printers: { list: () => Promise.resolve(listed) }
  })
  const app = createAppContext(bridge, window)
  app.till.accept(tillState({ settings }))
  render(WithAppContext, {
    props: { app, component: PrintingSettings, props: { state: app.till.state } }
  })
  await flushPromises()
}

test.each([
  ['Windows', 1],
  ['CUPS', 0]
])('the settings of a printer of %s say that deleted jobs are not reported: %i', async (name, sentences) => {
  await renderSettings({ kind: 'queue', name })
  expect(screen.getByRole('radio', { name: new RegExp(name) })).toHaveProperty('checked', true)
  expect(screen.queryAllByText(/Windows does not report deleted jobs/)).toHaveLength(sentences)
})

test.each([
  [{ papers: PAPER_SIZES, sizes: [] }, null],
  [
    { papers: ['58mm', 'A4'], sizes: ['A4'] },
    'The printer does not accept this paper size. It takes: 58 mm roll · A4 sheet.' +
      'Select the paper that is in the printer, then press Print test page.'
  ],
  [
    { papers: [], sizes: ['59 × 102 mm', '25 × 54 mm'] },
    'The printer does not accept this paper size. It only has these sizes: 59 × 102 mm · 25 × 54 mm.' +
      'Select another printer here, or set this one up with a driver that has the paper, then press Print test page.'
  ],
  [
    { papers: [], sizes: [] },
    'The printer does not accept this paper size. It does not say which sizes it has.' +
      'Select another printer here, or set this one up with a driver that has the paper, then press Print test page.'
  ]
] as const)(
  'the chosen printer takes %o, and the settings say so for a roll of 80 mm',
  async (offered, says) => {
    await renderSettings({ kind: 'queue', name: 'CUPS' }, ok([{ ...queue('CUPS', true), offered }]))
    const alert = screen.queryByRole('alert')?.parentElement?.textContent ?? null
    expect(
      alert
        ?.replaceAll(/[\u2068\u2069]/gu, '')
        .replaceAll(/\s+/gu, ' ')
        .replace('. Select', '.Select') ?? null
    ).toBe(says)
  }
)

const network = networkPrinter({ host: '10.0.0.5', port: 9100 })

test.each([true, false])('a receipt printer can be one that reports its state: %s', async (reportsState) => {
  await renderSettings({ ...network, reportsState })
  expect(screen.getByRole('checkbox', { name: 'The printer reports its state' })).toHaveProperty(
    'checked',
    reportsState
  )
})

test('a raw queue never reports its state', async () => {
  await renderSettings({ ...network, connection: { kind: 'raw-queue', name: 'CUPS' } })
  expect(screen.getByRole('combobox', { name: 'Printer language' })).toBeDefined()
  expect(screen.queryByRole('checkbox', { name: 'The printer reports its state' })).toBeNull()
})

test('without a print service the manager is told what to do, and the button that is there', async () => {
  await renderSettings(
    { kind: 'folder' },
    err({ kind: 'not-printed', fault: 'print-system-down', mayStillPrint: false })
  )
  const alert = screen.getByRole('alert').parentElement?.textContent
  expect(alert).toContain('The print service of this computer is not running')
  expect(alert).toContain('press Refresh')
  expect(alert).not.toMatch(/manager|Print now/)
  expect(screen.getByRole('button', { name: 'Refresh' })).toBeDefined()
})

test('the diagnostics list two alike errors of one millisecond', async () => {
  const loggedErrors = diagnostics.loggedErrors.slice(0, 1).flatMap((error) => [error, error])
  const bridge = bridgeWith({
    diagnostics: { read: () => Promise.resolve(ok({ ...diagnostics, loggedErrors })) }
  })
  const app = createAppContext(bridge, window)
  app.till.accept(tillState())
  render(WithAppContext, { props: { app, component: DiagnosticsSettings } })
  await flushPromises()
  expect(screen.getAllByText('slip-print-failed')).toHaveLength(2)
})
