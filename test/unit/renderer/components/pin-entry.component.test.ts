import { render, screen } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { err, type Failure } from '../../../../electron/contract/failure.ts'
import { BusinessContext, createAppContext } from '../../../../renderer/src/state/app-context.svelte.ts'
import ForgottenPinForm from '../../../../renderer/src/screens/staff/ForgottenPinForm.svelte'
import UnlockForm from '../../../../renderer/src/screens/staff/UnlockForm.svelte'
import { tillState } from '../../../support/till-state.ts'
import { bridgeWith, flushPromises } from '../support/bridge.ts'
import '../support/english.ts'
import WithAppContext from '../support/WithAppContext.svelte'

/** Shows the PIN of a cashier, which comes to `failure`. */
const showUnlock = (failure: Failure) => {
  const bridge = bridgeWith({ staff: { unlock: () => Promise.resolve(err(failure)) } })
  const app = createAppContext(bridge, window)
  app.till.accept(tillState())
  const props = { cashier: { id: 'k1', name: 'Ben', hasPin: true }, onforgotten: () => undefined }
  render(WithAppContext, {
    props: { app, businessContext: new BusinessContext(app), component: UnlockForm, props }
  })
}

const unlock = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Unlock' })
const descriptionOf = (field: Element): string =>
  document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent.trim() ?? ''

test('Unlock cannot be pressed while it says when to try again, below the field', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  try {
    showUnlock({ kind: 'wrong-pin', waitSeconds: 300 })
    expect(unlock().disabled).toBe(false)
    const field = screen.getByLabelText('PIN')
    await userEvent.type(field, '1234{Enter}')
    await flushPromises()
    expect(unlock().disabled).toBe(true)
    expect(descriptionOf(field)).toBe('Wrong PIN. Try again in 5 minutes.')
    expect(screen.getAllByRole('alert')).toHaveLength(1)
    vi.advanceTimersByTime(300_000)
    await flushPromises()
    expect(unlock().disabled).toBe(false)
    expect(field.getAttribute('aria-invalid')).toBeNull()
    expect(screen.queryByRole('alert')).toBeNull()
  } finally {
    vi.useRealTimers()
  }
})

test('what is not about the PIN is an alert of its own', async () => {
  showUnlock({ kind: 'internal' })
  const field = screen.getByLabelText('PIN')
  await userEvent.type(field, '1234{Enter}')
  await flushPromises()
  expect(descriptionOf(field)).toBe('')
  expect(field.getAttribute('aria-invalid')).toBeNull()
  expect(screen.getByRole('alert')).toBeDefined()
})

test.each([
  [{ kind: 'unauthorised' }, 'The points service does not accept this token.'],
  [{ kind: 'other-business' }, 'This token belongs to another business.'],
  [{ kind: 'offline' }, null]
] as const)(
  'a token that resets the PIN and is refused by %j says so below its field',
  async (failure, text) => {
    const bridge = bridgeWith({ staff: { reset: () => Promise.resolve(err(failure)) } })
    const app = createAppContext(bridge, window)
    app.till.accept(tillState())
    const props = { id: 'form', serves: true, ondone: () => undefined }
    render(WithAppContext, { props: { app, component: ForgottenPinForm, props } })
    const field = screen.getByLabelText('Token or pairing code')
    await userEvent.type(field, 'token{Enter}')
    document.querySelector('form')?.requestSubmit()
    await flushPromises()
    expect(field.getAttribute('aria-invalid')).toBe(text === null ? null : 'true')
    expect(descriptionOf(field)).toContain(text ?? 'The owner sees a new code')
    expect(screen.getAllByRole('alert')).toHaveLength(1)
  }
)
