import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { err, ok, type Result } from '../../../../electron/contract/failure.ts'
import type { TillState } from '../../../../electron/contract/till.ts'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import { NewPinForm, PinForm } from '../../../../renderer/src/state/pin-form.svelte.ts'
import { tillState } from '../../../support/till-state.ts'

let sent: string[]
let answer: Result<TillState>
let accepted: number

const send = (pin: string): Promise<Result<TillState>> => {
  sent.push(pin)
  return Promise.resolve(answer)
}

beforeEach(() => {
  vi.useFakeTimers()
  sent = []
  answer = ok(tillState())
  accepted = 0
})

afterEach(() => {
  vi.useRealTimers()
})

describe('PinForm', () => {
  const form = (): PinForm => new PinForm(new IpcClient(), send, () => accepted++)

  it('accepts digits of any script, at most twelve, and clears the PIN after submit', async () => {
    const typed = form()
    typed.type('٤7 a1-1')
    expect(typed.pin).toBe('4711')
    await typed.submit()
    expect(sent).toEqual(['4711'])
    expect(accepted).toBe(1)
    expect(typed.pin).toBe('')
    typed.type('12345678901234')
    expect(typed.pin).toBe('123456789012')
  })

  it('rejects a PIN that is too short without a request', async () => {
    const typed = form()
    typed.type('471')
    await typed.submit()
    expect(sent).toEqual([])
    expect(typed.failure).toEqual({ kind: 'invalid-input', field: 'pin', fault: 'malformed' })
  })

  it('counts down the wait time after a wrong PIN and then accepts a new attempt', async () => {
    const typed = form()
    answer = err({ kind: 'wrong-pin', waitSeconds: 30 })
    typed.type('0000')
    await typed.submit()
    vi.advanceTimersByTime(10_000)
    expect(typed.failure).toEqual({ kind: 'wrong-pin', waitSeconds: 20 })
    typed.type('4711')
    await typed.submit()
    expect(sent).toEqual(['0000'])
    expect(typed.pin).toBe('4711')
    vi.advanceTimersByTime(20_000)
    expect(typed.failure).toBeNull()
    await typed.submit()
    expect(sent).toEqual(['0000', '4711'])
  })
})

describe('a digit that is typed while a PIN is checked', () => {
  it.each([
    ['is accepted', ok(tillState()), 1, null],
    [
      'is wrong',
      err({ kind: 'wrong-pin', waitSeconds: 0 } as const),
      0,
      { kind: 'wrong-pin', waitSeconds: 0 }
    ],
    [
      'is wrong once too often',
      err({ kind: 'wrong-pin', waitSeconds: 30 } as const),
      0,
      { kind: 'wrong-pin', waitSeconds: 30 }
    ]
  ])('does not drop the answer when it %s', async (_, result, accepts, failure) => {
    answer = result
    const typed = new PinForm(new IpcClient(), send, () => accepted++)
    typed.type('4711')
    const checking = typed.submit()
    typed.type('1')
    expect(typed.running).toBe(true)
    await checking
    expect(accepted).toBe(accepts)
    expect(typed.failure).toEqual(failure)
    expect(typed.waiting).toBe(failure?.waitSeconds === 30)
    expect(typed.pin).toBe('1')
    typed.close()
  })

  it('does not drop the answer to a new PIN', async () => {
    const typed = new NewPinForm(new IpcClient(), { check: null, save: send, onSaved: () => accepted++ })
    typed.type('4711')
    await typed.submit()
    typed.type('4711')
    const saving = typed.submit()
    typed.type('1')
    await saving
    expect(accepted).toBe(1)
  })
})

describe('NewPinForm', () => {
  let saved: unknown[]
  let check: Result<TillState>
  const form = (asks: boolean): NewPinForm =>
    new NewPinForm(new IpcClient(), {
      check: asks ? () => Promise.resolve(check) : null,
      save: (pin, current) => {
        saved.push([pin, current])
        return Promise.resolve(answer)
      },
      onSaved: () => accepted++
    })
  const type = async (typed: NewPinForm, pin: string): Promise<void> => {
    typed.type(pin)
    await typed.submit()
  }

  beforeEach(() => {
    saved = []
    check = ok(tillState())
  })

  it('asks for the PIN twice', async () => {
    const typed = form(false)
    await type(typed, '4711')
    expect(typed.step).toBe('repeat')
    expect(typed.pin).toBe('')
    await type(typed, '4711')
    expect(saved).toEqual([['4711', null]])
    expect(accepted).toBe(1)
  })

  it('starts over when the second PIN differs', async () => {
    const typed = form(false)
    await type(typed, '4711')
    await type(typed, '4712')
    expect(typed.step).toBe('new')
    expect(typed.differs).toBe(true)
    expect(saved).toEqual([])
    await type(typed, '4712')
    expect(typed.differs).toBe(false)
    await type(typed, '4712')
    expect(saved).toEqual([['4712', null]])
  })

  it('checks the current PIN first', async () => {
    const typed = form(true)
    check = err({ kind: 'wrong-pin', waitSeconds: 0 })
    await type(typed, '0000')
    expect(typed.step).toBe('current')
    expect(typed.failure?.kind).toBe('wrong-pin')
    check = ok(tillState())
    await type(typed, '1111')
    await type(typed, '4711')
    await type(typed, '4711')
    expect(saved).toEqual([['4711', '1111']])
  })
})
