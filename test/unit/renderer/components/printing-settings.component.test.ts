import { render, screen } from '@testing-library/svelte'
import { expect, test } from 'vitest'
import type { Printer } from '../../../../electron/contract/printing.ts'
import { ok } from '../../../../electron/contract/failure.ts'
import PrintingSettings from '../../../../renderer/src/screens/settings/PrintingSettings.svelte'
import { createAppContext } from '../../../../renderer/src/state/app-context.svelte.ts'
import { tillState } from '../../../support/till-state.ts'
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
  reportsDeletedJobs,
  deviceUri: ''
})

test.each([
  ['Windows', 1],
  ['CUPS', 0]
])('the settings of a printer of %s say that deleted jobs are not reported: %i', async (name, sentences) => {
  const settings = {
    ...tillState().settings,
    printer: { destination: { kind: 'queue', name } as const, paperSize: '80mm' as const }
  }
  const bridge = bridgeWith({
    printers: { list: () => Promise.resolve(ok([queue('Windows', false), queue('CUPS', true)])) }
  })
  const app = createAppContext(bridge, window)
  app.till.accept(tillState({ settings }))
  render(WithAppContext, {
    props: { app, component: PrintingSettings, props: { state: app.till.state } }
  })
  await flushPromises()
  expect(screen.getByRole('radio', { name: new RegExp(name) })).toHaveProperty('checked', true)
  expect(screen.queryAllByText(/Windows does not report deleted jobs/)).toHaveLength(sentences)
})
