import { describe, expect, test, vi } from 'vitest'
import { err, ok } from '../../../../electron/contract/failure.ts'
import type { Cashier } from '../../../../electron/contract/staff.ts'
import type { TillState } from '../../../../electron/contract/till.ts'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import { StaffForm } from '../../../../renderer/src/state/staff-form.svelte.ts'
import { Till } from '../../../../renderer/src/state/till.svelte.ts'
import { tillState } from '../../../support/till-state.ts'
import { bridgeWith, deferredCalls } from '../support/bridge.ts'

const ANA: Cashier = { id: 'ana', name: 'Ana', hasPin: true }
const BEN: Cashier = { id: 'ben', name: 'Ben', hasPin: false }
const FULL = err({ kind: 'not-saved', what: 'settings' } as const)

const withCashiers = (...cashiers: Cashier[]): TillState =>
  tillState({ staff: { ...tillState().staff, cashiers } })

const create = (
  staff: NonNullable<Parameters<typeof bridgeWith>[0]['staff']>,
  state = withCashiers(ANA, BEN)
) => {
  const bridge = bridgeWith({ staff })
  const ipc = new IpcClient()
  const till = new Till(bridge, ipc)
  till.accept(state)
  return { form: new StaffForm(bridge, ipc, till), cashiers: () => till.state?.staff.cashiers }
}

describe('a new cashier', () => {
  test('is added without a PIN, once, and the field is empty for the next one', async () => {
    const { requests, call } = deferredCalls<{ name: string; pin: string | null }, TillState>()
    const { form, cashiers } = create({ addCashier: call }, withCashiers(ANA))
    form.name = 'Ben'
    const adding = [form.add(), form.add()]
    requests[0]?.resolve(ok(withCashiers(ANA, BEN)))
    await Promise.all(adding)
    expect(requests.map(({ input }) => input)).toEqual([{ name: 'Ben', pin: null }])
    expect(cashiers()).toEqual([ANA, BEN])
    expect(form.name).toBe('')
  })

  test('whose name was refused stays in the field, with the reason', async () => {
    const failure = { kind: 'invalid-input', field: 'name', fault: 'missing' } as const
    const { form } = create({ addCashier: () => Promise.resolve(err(failure)) })
    form.name = ' '
    await form.add()
    expect(form.name).toBe(' ')
    expect(form.adding.failure).toEqual(failure)
  })

  test('is not dropped from the field when another one was typed meanwhile', async () => {
    const { requests, call } = deferredCalls<{ name: string; pin: string | null }, TillState>()
    const { form } = create({ addCashier: call })
    form.name = 'Ben'
    const adding = form.add()
    form.name = 'Eva'
    requests[0]?.resolve(ok(withCashiers(BEN)))
    await adding
    expect(form.name).toBe('Eva')
  })
})

describe('a cashier', () => {
  test('is renamed, loses the PIN, and is removed', async () => {
    const changeCashier = vi.fn(() => Promise.resolve(ok(withCashiers(ANA))))
    const removeCashier = vi.fn(() => Promise.resolve(ok(withCashiers(BEN))))
    const { form, cashiers } = create({ changeCashier, removeCashier })
    expect(await form.rename(ANA, 'Anna')).toBe(true)
    await form.removePin(ANA)
    expect(changeCashier.mock.calls).toEqual([[{ id: 'ana', name: 'Anna' }], [{ id: 'ana', pin: null }]])
    await form.remove(ANA)
    expect(removeCashier).toHaveBeenCalledExactlyOnceWith({ id: 'ana' })
    expect(cashiers()).toEqual([BEN])
  })

  test('has the failure of the own change only', async () => {
    const { form, cashiers } = create({ removeCashier: () => Promise.resolve(FULL) })
    await form.remove(ANA)
    expect(form.failureOf(ANA)).toEqual(FULL.failure)
    expect(form.failureOf(BEN)).toBeNull()
    expect(cashiers()).toEqual([ANA, BEN])
  })

  test('of two changes at once the second one is not made', async () => {
    const { requests, call } = deferredCalls<{ id: string }, TillState>()
    const { form } = create({ removeCashier: call })
    const first = form.remove(ANA)
    const second = form.remove(BEN)
    requests[0]?.resolve(FULL)
    await Promise.all([first, second])
    expect(requests.map(({ input }) => input)).toEqual([{ id: 'ana' }])
    expect(form.failureOf(ANA)).toEqual(FULL.failure)
  })
})

describe('a new PIN', () => {
  const typeTwice = async (form: ReturnType<StaffForm['newManagerPinForm']>, pin: string): Promise<void> => {
    for (let time = 0; time < 2; time++) {
      form.type(pin)
      await form.submit()
    }
  }

  test('of a cashier is typed twice, and the current one is not asked for', async () => {
    const changeCashier = vi.fn(() => Promise.resolve(ok(withCashiers(ANA))))
    const { form } = create({ changeCashier })
    const saved = vi.fn()
    await typeTwice(form.newCashierPinForm(BEN, saved), '4711')
    expect(changeCashier).toHaveBeenCalledExactlyOnceWith({ id: 'ben', pin: '4711' })
    expect(saved).toHaveBeenCalledOnce()
  })

  test('of the manager asks for the current one, if there is one', async () => {
    const setManagerPin = vi.fn(() => Promise.resolve(ok(withCashiers())))
    const unlockManager = vi.fn(() => Promise.resolve(ok(withCashiers())))
    const open = create({ setManagerPin })
    await typeTwice(open.form.newManagerPinForm(vi.fn()), '2468')
    expect(setManagerPin).toHaveBeenLastCalledWith({ current: null, pin: '2468' })

    const { staff } = tillState()
    const locked = create(
      { setManagerPin, unlockManager },
      tillState({ staff: { ...staff, manager: 'locked' } })
    )
    const changing = locked.form.newManagerPinForm(vi.fn())
    changing.type('2468')
    await changing.submit()
    await typeTwice(changing, '1357')
    expect(unlockManager).toHaveBeenCalledExactlyOnceWith({ pin: '2468' })
    expect(setManagerPin).toHaveBeenLastCalledWith({ current: '2468', pin: '1357' })
  })

  test('of the manager is removed with the current one', async () => {
    const setManagerPin = vi.fn(() => Promise.resolve(ok(withCashiers())))
    await create({ setManagerPin }).form.removeManagerPin('2468')
    expect(setManagerPin).toHaveBeenCalledExactlyOnceWith({ current: '2468', pin: null })
  })
})
