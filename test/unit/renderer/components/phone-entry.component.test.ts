import { fireEvent, render, screen } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { describe, expect, test, vi } from 'vitest'
import type { PhoneEntryEnd, PhoneKey } from '../../../../electron/contract/customer-display.ts'
import { err, ok, type Result } from '../../../../electron/contract/failure.ts'
import * as messages from '../../../../generated/messages/customer-display/en.js'
import PhoneEntry from '../../../../renderer/src/customer-display/PhoneEntry.svelte'
import RegistrationForm from '../../../../renderer/src/screens/till/RegistrationForm.svelte'
import { BusinessContext, createAppContext } from '../../../../renderer/src/state/app-context.svelte.ts'
import { tillState } from '../../../support/till-state.ts'
import { bridgeWith, customer, flushPromises } from '../support/bridge.ts'
import '../support/english.ts'
import WithAppContext from '../support/WithAppContext.svelte'

// The two ends of what main does in between: the display on which the customer types, and the form of the cashier.

const key = (name: string): HTMLElement => screen.getByRole('button', { name })

describe('the customer display', () => {
  const pressed: PhoneKey[] = []
  const propsOf = (text: string, isInvalid = false) => ({
    shows: { kind: 'phone-entry', businessName: 'Corner Café', prefix: '+30', text, isInvalid } as const,
    messages,
    onkey: (one: PhoneKey) => void pressed.push(one)
  })

  test('sends each key, and keeps none', async () => {
    render(PhoneEntry, propsOf(''))
    const names = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0', '+']
    for (const name of [...names, 'Delete the last digit', 'Done', 'Cancel']) await fireEvent.click(key(name))
    expect(pressed).toEqual([...names, 'delete', 'done', 'cancel'])
    expect(screen.getByRole('status').textContent).toBe('+30')
  })

  test('says what the phone is for, what was typed, and what is wrong with it', async () => {
    const { rerender } = render(PhoneEntry, propsOf('690 12'))
    expect(screen.getByText(/For your points at/).textContent).toContain('Corner Café')
    expect(screen.getByRole('status').textContent).toBe('+30690 12')
    expect(screen.getByRole('alert').textContent).toBe('')
    await rerender(propsOf('690 12', true))
    expect(screen.getByRole('alert').textContent).toContain('a digit is missing')
  })
})

describe('the registration form', () => {
  /** Opens the form with a phone, over a bridge that records the calls about it. */
  const open = (phone = '', hasTouch = true, answer: Result<null> = ok(null)) => {
    const calls: string[] = []
    const register = vi.fn(() => Promise.resolve(ok({ customer: customer('ioanna'), existed: false })))
    const bridge = bridgeWith({
      customers: { register, recent: () => Promise.resolve(ok([])) },
      customerDisplay: {
        askForPhone: () => {
          calls.push('ask')
          return Promise.resolve(answer)
        },
        stopAskingForPhone: () => {
          calls.push('stop')
          return Promise.resolve(ok(null))
        }
      }
    })
    const app = createAppContext(bridge, window)
    app.till.accept(tillState({ customerDisplayOpen: true, customerDisplayTouch: hasTouch }))
    const businessContext = new BusinessContext(app)
    businessContext.checkout.openRegistration()
    const { registration } = businessContext.checkout
    if (!registration) throw new Error('The form is not open')
    registration.phone = phone
    const { unmount } = render(WithAppContext, {
      props: { app, businessContext, component: RegistrationForm as never, props: { registration } }
    })
    return {
      calls,
      register,
      unmount,
      send: async (text: string, end: PhoneEntryEnd | null = null): Promise<void> => {
        bridge.sendTypedPhone({ text, end })
        await flushPromises()
      },
      ask: () => userEvent.click(key('Let the customer type it'))
    }
  }
  const phone = (): HTMLInputElement => screen.getByRole('textbox', { name: 'Phone' })
  /** what stands below the field */
  const hint = (): string => document.querySelector('.phone .field-hint')?.textContent.trim() ?? ''

  test('offers it on a display with touch only', () => {
    open('', false)
    expect(screen.queryByRole('button', { name: 'Let the customer type it' })).toBeNull()
  })

  test('shows the digits as they are typed, and registers nothing before the cashier does', async () => {
    const { ask, calls, send, register } = open()
    await ask()
    expect(calls).toEqual(['ask'])
    expect(hint()).toContain('is typing')
    expect(key('Register')).toHaveProperty('disabled', true)
    await send('+30 69')
    expect(phone().value).toBe('+30 69')
    // Enter does not send half of a phone.
    await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'Ioanna{Enter}')
    await send('+30 690 123 4567', 'done')
    expect(register).not.toHaveBeenCalled()
    expect(hint()).toContain('Check it')
    await userEvent.click(key('Register'))
    expect(register).toHaveBeenCalledWith({ name: 'Ioanna', phone: '+30 690 123 4567' })
  })

  test('moves the focus to the finished phone: Enter registers, and does not ask again', async () => {
    const { ask, send } = open()
    await ask()
    expect(document.activeElement).toBe(key('Stop the customer'))
    await send('+30 690 123 4567', 'done')
    expect(document.activeElement).toBe(phone())
  })

  test('stops the customer when the cashier types on, and keeps all digits', async () => {
    const { ask, calls, send } = open()
    await ask()
    await send('+30 69')
    await userEvent.type(phone(), '0')
    expect(calls).toEqual(['ask', 'stop'])
    // What the display sent before it stopped does not replace what the cashier types.
    await send('+30 697')
    expect(phone().value).toBe('+30 690')
    expect(hint()).toBe('The country code is added automatically')
  })

  test.each<[PhoneEntryEnd, string, string]>([
    ['timed-out', '+30 69', 'Nobody typed'],
    ['closed', '+30 69', 'closed'],
    ['replaced', '+30 69', 'something else'],
    ['cancelled', '', 'cancelled']
  ])('says that it is %s, with “%s” in an empty field', async (end, left, said) => {
    const { ask, send } = open()
    await ask()
    await send('+30 69')
    await send('+30 69', end)
    expect(phone().value).toBe(left)
    expect(hint()).toContain(said)
    expect(key('Let the customer type it')).toBeDefined()
  })

  test('brings back the phone that stood there, unless the customer is done', async () => {
    const { ask, calls, send } = open('+30 691 000 0000')
    await ask()
    expect(phone().value).toBe('')
    await send('+30 5')
    await userEvent.click(key('Stop the customer'))
    expect(calls).toEqual(['ask', 'stop'])
    expect(phone().value).toBe('+30 691 000 0000')
  })

  test('stops the customer when it is closed', async () => {
    const { ask, calls, unmount } = open()
    await ask()
    unmount()
    expect(calls).toEqual(['ask', 'stop'])
  })

  test('does not wait for a customer who could not be asked', async () => {
    const { ask } = open('', true, err({ kind: 'internal' }))
    await ask()
    await flushPromises()
    expect(hint()).toContain('closed')
  })
})
