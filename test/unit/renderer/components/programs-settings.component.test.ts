import { render, screen } from '@testing-library/svelte'
import { expect, test } from 'vitest'
import { MAX_CALLERS, NO_LOCAL_INTERFACE } from '../../../../electron/contract/local-interface.ts'
import ProgramsSettings from '../../../../renderer/src/screens/settings/ProgramsSettings.svelte'
import { createAppContext } from '../../../../renderer/src/state/app-context.svelte.ts'
import { tillState } from '../../../support/till-state.ts'
import { bridgeWith } from '../support/bridge.ts'
import '../support/english.ts'
import WithAppContext from '../support/WithAppContext.svelte'

test.each([MAX_CALLERS - 1, MAX_CALLERS])('with %i programs one of them can be paired again', (count) => {
  const callers = Array.from({ length: count }, (_, index) => ({
    id: `00000000-0000-4000-9000-${String(index).padStart(12, '0')}`,
    name: `Program ${String(index)}`,
    pairedAt: '2026-11-21T12:00:00.000Z',
    lastUsedAt: null,
    mayIssueWhileLocked: false
  }))
  const app = createAppContext(bridgeWith({}), window)
  app.till.accept(tillState({ localInterface: { ...NO_LOCAL_INTERFACE, listeningPort: 8419, callers } }))
  render(WithAppContext, { app, component: ProgramsSettings })
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Pair a program' }).disabled).toBe(false)
  const hint = screen.queryByText(/^Only these programs can be paired again\./u)
  expect(hint !== null).toBe(count === MAX_CALLERS)
})
