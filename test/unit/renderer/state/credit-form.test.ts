import { describe, expect, test, vi } from 'vitest'
import type { Credit, CreditRequest, KnownCustomerWay } from '../../../../electron/contract/credits.ts'
import { err, ok, type Failure, type Result } from '../../../../electron/contract/failure.ts'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import { PointsForm } from '../../../../renderer/src/state/points-form.svelte.ts'
import { UndoCreditForm } from '../../../../renderer/src/state/undo-credit.svelte.ts'
import { fakeCredit } from '../../../support/screenshots/fake-calls.ts'
import { bridgeWith, customer, deferredCalls } from '../support/bridge.ts'

const LOST: Failure = { kind: 'unknown-outcome', cause: 'timeout' }

const createForm = (way: KnownCustomerWay = 'credit', clearCustomer = true, printsCredit = false) => {
  const line = { isCut: false }
  const { requests, call } = deferredCalls<CreditRequest, Credit>()
  const ipc = new IpcClient()
  const print = vi.fn(() =>
    Promise.resolve(err({ kind: 'not-printed', fault: 'out-of-paper', mayStillPrint: false }))
  )
  const slips = vi.fn(() => Promise.resolve(err({ kind: 'offline' })))
  const form = new PointsForm(
    bridgeWith({ credits: { credit: call }, slips: { issue: slips }, operations: { print } }),
    ipc,
    () => undefined,
    {
      rule: () => null,
      hasShopRules: () => false,
      clearCustomer: () => clearCustomer,
      knownCustomers: () => way,
      printsCredit: () => printsCredit,
      asksAgain: () => false,
      creditsWait: () => line.isCut
    }
  )
  form.chooseCustomer(customer('a', { balance: 990 }))
  form.typePoints('250')
  const last = (): CreditRequest => {
    const request = requests.at(-1)
    if (!request) throw new Error('Nothing was asked')
    return request.input
  }
  const respond = async (pressed: Promise<void>, failure?: Failure): Promise<void> => {
    requests.at(-1)?.resolve(failure ? err(failure) : ok(fakeCredit(last())))
    await pressed
  }
  return { form, ipc, requests, slips, print, last, respond, line }
}

describe('points of a known customer', () => {
  test('are credited, and the form is empty for the next one', async () => {
    const { form, last, respond, slips } = createForm()
    const { intentId } = form
    const pressed = form.print()
    expect(form).toMatchObject({ running: true, credited: null })
    await respond(pressed)

    expect(last()).toMatchObject({ intentId, points: 250, balanceBefore: 990, reference: null })
    expect(form).toMatchObject({ points: '', customer: null, credited: { balance: 1240 }, failure: null })
    expect(slips).not.toHaveBeenCalled()
    form.typePoints('1')
    expect(form.credited).toBeNull()
  })

  test('have a slip where the shop wants one, whose failure stays until the next sale', async () => {
    const { form, respond, print } = createForm('credit', true, true)
    const { intentId } = form
    await respond(form.print())
    await vi.waitFor(() => {
      expect(form.creditSlip.request.failure).not.toBeNull()
    })
    expect(print).toHaveBeenCalledExactlyOnceWith({ intentId })
    form.typePoints('1')
    expect(form.creditSlip.request.failure).toBeNull()
  })

  test('have no slip unless the shop wants one, or without an answer', async () => {
    const { form, respond, print } = createForm()
    await respond(form.print())
    const lost = createForm('credit', true, true)
    await lost.respond(lost.form.print(), LOST)
    expect(print).not.toHaveBeenCalled()
    expect(lost.print).not.toHaveBeenCalled()
  })

  test('are shown on the card of a customer who stays', async () => {
    const { form, respond } = createForm('credit', false)
    await respond(form.print())
    expect(form.customer).toMatchObject({ balance: 1240 })
    expect(form.credited).not.toBeNull()
  })

  test('go on a slip where the shop wants it, and without a customer', async () => {
    const { form, slips, requests } = createForm('slip')
    expect(form).toMatchObject({ way: 'slip', canSwitchWay: false })
    await form.print()
    const other = createForm()
    other.form.chooseCustomer(null)
    expect(other.form.way).toBe('slip')
    await other.form.print()
    expect([slips, other.slips].map(({ mock }) => mock.calls.length)).toEqual([1, 1])
    expect([...requests, ...other.requests]).toEqual([])
  })

  test('go where the cashier switches, for one sale', async () => {
    const { form, slips, respond } = createForm('cashier')
    const { intentId } = form
    form.switchWay()
    expect(form.way).toBe('slip')
    // What was asked one way is not asked the other way.
    expect(form.intentId).not.toBe(intentId)
    await form.print()
    expect(slips).toHaveBeenCalledTimes(1)
    form.switchWay()
    await respond(form.print())
    form.chooseCustomer(customer('b'))
    expect(form.way).toBe('credit')
  })
})

describe('points of a known customer without a connection', () => {
  test.each(['credit', 'cashier'] as const)('go on a slip, whatever the shop wants: %s', async (way) => {
    const { form, slips, requests, line } = createForm(way)
    line.isCut = true
    expect(form).toMatchObject({ way: 'slip', canSwitchWay: false })
    await form.print()
    expect(slips).toHaveBeenCalledTimes(1)
    expect(requests).toEqual([])
  })

  test('that may have been credited stay a credit: no slip is made beside it', async () => {
    const { form, slips, requests, respond, line } = createForm()
    await respond(form.print(), LOST)
    line.isCut = true
    expect(form.way).toBe('credit')
    await respond(form.print(), LOST)
    expect(slips).not.toHaveBeenCalled()
    expect(new Set(requests.map(({ input }) => input.intentId)).size).toBe(1)
    // Another sale is another request.
    form.typePoints('70')
    expect(form.way).toBe('slip')
  })
})

describe('points above the limit of a day', () => {
  const NEEDED: Failure = { kind: 'operation-refused', reason: 'credit-needs-approval' }
  /** Main refuses an approved call until the PIN was entered, for which the form waits. */
  const press = async (isPinEntered: boolean, meanwhile?: (form: PointsForm) => void) => {
    const created = createForm()
    const { form, ipc, requests, last } = created
    const pin = Promise.withResolvers<boolean>()
    ipc.onManagerRequired(() => pin.promise)
    const { intentId } = form
    const pressed = form.print()
    const answer = (result: Result<Credit>): void => requests.at(-1)?.resolve(result)
    answer(err(NEEDED))
    await expect.poll(() => last().isApproved).toBe(true)
    expect(form).toMatchObject({ running: true, failure: NEEDED })
    answer(err({ kind: 'locked', needs: 'manager' }))
    meanwhile?.(form)
    pin.resolve(isPinEntered)
    if (isPinEntered) {
      await expect.poll(() => requests.length).toBe(3)
      answer(ok(fakeCredit(last())))
    }
    await pressed
    return { ...created, intentId }
  }

  test('are given with the manager’s PIN and the same key', async () => {
    const { form, requests, intentId } = await press(true)
    expect(form).toMatchObject({ points: '', failure: null, credited: { state: 'credited' } })
    expect(requests.map(({ input }) => [input.intentId, input.isApproved])).toEqual([
      [intentId, false],
      [intentId, true],
      [intentId, true]
    ])
  })

  test('leave what is said of the points that were typed before the PIN', async () => {
    const { form } = await press(true, (typed) => {
      typed.typePoints('99999999')
    })
    expect(form).toMatchObject({ points: '99999999', failure: { kind: 'points-too-many' } })
  })

  test('are not given without it, which the form says', async () => {
    const { form, requests } = await press(false)
    expect(form).toMatchObject({ points: '250', failure: NEEDED, credited: null })
    expect(requests).toHaveLength(2)
  })
})

describe('a credit without an answer', () => {
  test('is not shown as given, and the same key asks again', async () => {
    const { form, requests, respond } = createForm()
    await respond(form.print(), LOST)
    expect(form).toMatchObject({ credited: null, points: '250', lost: { points: 250 } })
    const pressed = form.print()
    expect(requests.map(({ input }) => input.intentId)).toEqual(Array(2).fill(form.intentId))
    await respond(pressed)
    expect(form).toMatchObject({ credited: { state: 'credited' }, lost: null, points: '' })
  })

  test('is given when main learns it, and the form is empty', async () => {
    const { form, last, respond } = createForm()
    await respond(form.print(), LOST)
    form.updateCredit({ ...fakeCredit(last()), state: 'unknown' })
    expect(form.lost).not.toBeNull()
    form.updateCredit(fakeCredit(last()))
    expect(form).toMatchObject({
      credited: { state: 'credited' },
      lost: null,
      points: '',
      customer: null
    })
  })

  test('is refused when main learns it, and the form stays with a new key', async () => {
    const { form, last, respond } = createForm()
    await respond(form.print(), LOST)
    const failure: Failure = { kind: 'operation-refused', reason: 'credit-limit-reached' }
    form.updateCredit({ ...fakeCredit(last()), state: 'refused', failure })
    expect(form).toMatchObject({ credited: null, lost: null, points: '250', failure })
    expect(form.intentId).not.toBe(last().intentId)
  })

  test('leaves nothing to the next customer, whose form its answer does not touch', async () => {
    const { form, last, respond } = createForm()
    const pressed = form.print()
    form.chooseCustomer(customer('b'))
    await respond(pressed, LOST)
    expect(form).toMatchObject({ points: '', customer: { id: 'b' } })
    form.typePoints('80')
    form.updateCredit(fakeCredit(last()))
    expect(form).toMatchObject({ points: '80', customer: { id: 'b' }, lost: null })
  })

  test('is asked again the same way by a page that was reloaded, also when the setting changed', async () => {
    const { requests, form } = createForm('slip')
    const { intentId } = form
    form.restore({
      ...{ intentId, pressed: true, way: 'credit', customer: customer('a'), points: '250' },
      ...{ bill: '', copies: null, linkedBill: null }
    })
    await expect.poll(() => requests.map(({ input }) => input.intentId)).toEqual([intentId])
  })
})

test('an undo needs a reason, and says what the customer has then', async () => {
  const balances: unknown[] = []
  const { requests, call } = deferredCalls<{ readonly intentId: string; readonly reason: string }, Credit>()
  const credit = fakeCredit({
    ...{ intentId: crypto.randomUUID(), customer: { id: 'a', name: 'María' } },
    ...{ points: 250, balanceBefore: 990, reference: null }
  })
  const bridge = bridgeWith({ credits: { undo: call } })
  const form = new UndoCreditForm(bridge, new IpcClient(), credit, (...told) => balances.push(told))
  form.start()
  await form.undo()
  expect(requests).toEqual([])
  form.reason = ' Wrong customer '
  const pressed = form.undo()
  expect(requests[0]?.input).toEqual({ intentId: credit.intentId, reason: 'Wrong customer' })
  bridge.sendCredit({ ...credit, state: 'undo-unknown', revision: 4 })
  requests[0]?.resolve(err(LOST))
  await pressed
  expect(form.step).toBe('unknown')
  bridge.sendCredit({ ...credit, state: 'undone', revision: 5, balance: 990 })
  expect(form.step).toBe('undone')
  expect(balances).toEqual([['a', 990]])
})
