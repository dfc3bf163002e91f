import { fireEvent, render, screen } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { AttentionSlip } from '../../../../electron/contract/slips.ts'
import { err, ok } from '../../../../electron/contract/failure.ts'
import type { Business, TillState } from '../../../../electron/contract/till.ts'
import ConnectionForm from '../../../../renderer/src/components/ConnectionForm.svelte'
import StaffSettings from '../../../../renderer/src/screens/settings/StaffSettings.svelte'
import AttentionList from '../../../../renderer/src/screens/slips/AttentionList.svelte'
import UpdateSettings from '../../../../renderer/src/screens/settings/UpdateSettings.svelte'
import { BusinessContext, createAppContext } from '../../../../renderer/src/state/app-context.svelte.ts'
import { ConnectionSetup } from '../../../../renderer/src/state/connection-setup.svelte.ts'
import { tillState } from '../../../support/till-state.ts'
import { bridgeWith, deferredCalls, flushPromises, slip } from '../support/bridge.ts'
import '../support/english.ts'
import '../support/scrolling.ts'
import WithAppContext from '../support/WithAppContext.svelte'

// The main process sends a new state before it answers the call that made it. The next text is typed meanwhile.

type Calls = Parameters<typeof bridgeWith>[0]

/** Renders the settings. The returned function replaces the state, as an event of the main process does. */
async function renderSettings(component: object, calls: Calls, first: TillState) {
  const app = createAppContext(bridgeWith(calls), window)
  app.till.accept(first)
  const businessContext = new BusinessContext(app)
  const context = { app, businessContext, component: component as never }
  const { rerender } = render(WithAppContext, { props: { ...context, props: { state: first } } })
  await flushPromises()
  return async (state: TillState): Promise<void> => {
    app.till.accept(state)
    await rerender({ props: { ...context, props: { state } } })
  }
}

const field = (name: string): HTMLInputElement => screen.getByRole('textbox', { name })

const press = (name: string): Promise<boolean> => fireEvent.click(screen.getByRole('button', { name }))

const withCashier = (name: string): TillState =>
  tillState({ staff: { ...tillState().staff, cashiers: [{ id: 'first', name, hasPin: false }] } })

test('the name of the next cashier stays when the first one was added', async () => {
  const { requests, call } = deferredCalls<{ name: string; pin: string | null }, TillState>()
  const send = await renderSettings(StaffSettings, { staff: { addCashier: call } }, tillState())
  await fireEvent.input(field('New cashier'), { target: { value: 'Άννα' } })
  await press('Add cashier')
  const state = withCashier('Άννα')
  await send(state)
  expect(screen.getByRole('group', { name: 'Άννα' })).toBeDefined()

  await fireEvent.input(field('New cashier'), { target: { value: 'Ben' } })
  requests[0]?.resolve(ok(state))
  await flushPromises()
  expect(field('New cashier').value).toBe('Ben')
  await press('Add cashier')
  expect(requests[1]?.input.name).toBe('Ben')
  requests[1]?.resolve(ok(state))
  await flushPromises()
  expect(field('New cashier').value).toBe('')
})

test('the focus stays in the name of another cashier when the new one was added', async () => {
  const { requests, call } = deferredCalls<{ name: string; pin: string | null }, TillState>()
  await renderSettings(StaffSettings, { staff: { addCashier: call } }, withCashier('Ana'))
  await userEvent.type(field('New cashier'), 'Ben{Enter}')
  await userEvent.click(screen.getByRole('button', { name: 'Rename' }))
  requests[0]?.resolve(ok(withCashier('Ana')))
  await flushPromises()
  expect(document.activeElement).toBe(field('Name'))
})

test('the focus stays in the address when the token of another one was refused', async () => {
  const { requests, call } = deferredCalls<object, Business>()
  const app = createAppContext(bridgeWith({ connection: { check: call } }), window)
  const form = new ConnectionSetup(app.bridge, app.ipc, app.till)
  const context = { app, businessContext: new BusinessContext(app), component: ConnectionForm as never }
  render(WithAppContext, { props: { ...context, props: { form } } })
  await userEvent.type(field('Service address'), 'points.example')
  await userEvent.type(screen.getByLabelText('Token or pairing code'), 'secret{Enter}')
  await userEvent.type(field('Service address'), '/v2')
  requests[0]?.resolve(err({ kind: 'unauthorised' }))
  await flushPromises()
  expect(document.activeElement).toBe(field('Service address'))
})

/** Types a new manager PIN and cancels its dialog while the PIN is saved. Returns what saves it. */
async function cancelWhileSaving() {
  const { requests, call } = deferredCalls<{ current: string | null; pin: string | null }, TillState>()
  const send = await renderSettings(StaffSettings, { staff: { setManagerPin: call } }, withCashier('Ana'))
  await userEvent.click(setPinButtons()[0] ?? document.body)
  await userEvent.type(screen.getByLabelText('New PIN'), '1234{Enter}')
  await userEvent.type(screen.getByLabelText('Repeat new PIN'), '1234{Enter}')
  expect(requests).toHaveLength(1)
  await press('Cancel')
  expect(screen.queryByRole('dialog')).toBeNull()
  return async (): Promise<void> => {
    const state = withCashier('Ana')
    const saved = { ...state, staff: { ...state.staff, manager: 'unlocked' as const } }
    await send(saved)
    requests[0]?.resolve(ok(saved))
    await flushPromises()
  }
}

const setPinButtons = (): HTMLElement[] => screen.getAllByRole('button', { name: 'Set PIN' })

test('the dialog of a cashier’s PIN stays open when the manager’s, which was cancelled, is saved', async () => {
  const save = await cancelWhileSaving()
  await userEvent.click(setPinButtons()[1] ?? document.body)
  await userEvent.type(screen.getByLabelText('New PIN'), '56')
  await save()
  expect(screen.getByRole('dialog').textContent).toContain('PIN of Ana')
  expect(screen.getByLabelText<HTMLInputElement>('New PIN').value).toBe('56')
})

test('a second dialog of the manager’s PIN closes with the first one, whose PIN it does not ask for', async () => {
  const save = await cancelWhileSaving()
  await userEvent.click(setPinButtons()[0] ?? document.body)
  await save()
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('another name of a cashier stays when the first one was saved', async () => {
  const { requests, call } = deferredCalls<{ id: string; name?: string }, TillState>()
  const send = await renderSettings(StaffSettings, { staff: { changeCashier: call } }, withCashier('Ana'))
  await press('Rename')
  await fireEvent.input(field('Name'), { target: { value: 'Anna' } })
  await press('Save')
  const state = withCashier('Anna')
  await send(state)
  await fireEvent.input(field('Name'), { target: { value: 'Anna K.' } })
  requests[0]?.resolve(ok(state))
  await flushPromises()
  expect(field('Name').value).toBe('Anna K.')
  await press('Save')
  requests[1]?.resolve(ok(state))
  await flushPromises()
  expect(screen.queryByRole('textbox', { name: 'Name' })).toBeNull()
})

test('another update server stays when the first one was saved', async () => {
  const { requests, call } = deferredCalls<object, TillState>()
  const send = await renderSettings(UpdateSettings, { till: { set: call } }, tillState())
  await fireEvent.input(field('Update server'), { target: { value: 'https://updates.example' } })
  await press('Save')
  const feed = 'https://updates.example/'
  const state = tillState({ settings: { ...tillState().settings, updates: { feed } } })
  await fireEvent.input(field('Update server'), { target: { value: 'https://updates.example/till' } })
  await send(state)
  requests[0]?.resolve(ok(state))
  await flushPromises()
  expect(field('Update server').value).toBe('https://updates.example/till')
})

test('the dialog of another slip stays when the first slip was discarded', async () => {
  const slips = ['first', 'second'].map((id, index): AttentionSlip => ({
    slip: slip(id, { state: 'print-failed', points: index + 1 }),
    action: 'print'
  }))
  const { requests, call } = deferredCalls<null, number>()
  await renderSettings(
    AttentionList,
    {
      slips: {
        attention: () => (requests.length < 2 ? call(null) : Promise.resolve(ok(2))),
        attentionList: () => Promise.resolve(ok({ slips, hasMore: false })),
        discard: () => Promise.resolve(ok(slip('first')))
      }
    },
    tillState()
  )
  requests[0]?.resolve(ok(2))
  await flushPromises()
  const discard = async (index: number): Promise<void> => {
    const button = screen.getAllByRole('button', { name: 'Discard' })[index]
    if (button) await fireEvent.click(button)
    await flushPromises()
  }
  await discard(0)
  await fireEvent.input(field('Reason'), { target: { value: 'Wrong customer' } })
  await fireEvent.submit(field('Reason'))
  await flushPromises()
  // The slip is discarded, and the list is read again.
  await press('Keep slip')
  await flushPromises()
  await discard(1)
  requests[1]?.resolve(ok(1))
  await flushPromises()
  expect(screen.getByRole('alertdialog').textContent).toContain('2 points')
})
