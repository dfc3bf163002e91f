import { describe, expect, test, vi } from 'vitest'
import type { Bridge } from '../../../../electron/contract/bridge.ts'
import type { Standing } from '../../../../electron/contract/earning-rules.ts'
import { err, ok, type Failure } from '../../../../electron/contract/failure.ts'
import type { IssuedSlip, Slip } from '../../../../electron/contract/slips.ts'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import { Bill } from '../../../../renderer/src/state/bill.svelte.ts'
import { DEFAULT_POINTS_FORM_OPTIONS } from '../../../../renderer/src/state/points-form-options.ts'
import { PointsForm } from '../../../../renderer/src/state/points-form.svelte.ts'
import { ownRule } from '../../../../electron/contract/points-calculation.ts'
import { bridgeWith, customer, deferredCalls, flushPromises, issued } from '../support/bridge.ts'

type IssueRequest = Parameters<Bridge['slips']['issue']>[0]

const chosen = (form: PointsForm): string | undefined => form.customer?.id

const createForm = (asksAgain = false) => {
  const { requests, call } = deferredCalls<IssueRequest, IssuedSlip>()
  const finished = vi.fn()
  const form = new PointsForm(bridgeWith({ slips: { issue: call } }), new IpcClient(), finished, {
    ...DEFAULT_POINTS_FORM_OPTIONS,
    printsCredit: () => false,
    asksAgain: () => asksAgain
  })
  /** Resolves the last request and waits for `pressed`. */
  const respond = async (
    pressed: Promise<void>,
    result: Failure | Partial<IssuedSlip['slip']>
  ): Promise<void> => {
    const last = requests.at(-1)
    last?.resolve('kind' in result ? err(result) : ok(issued(last.input.intentId, result)))
    await pressed
  }
  return { requests, form, finished, respond }
}

describe('intent id', () => {
  test('is issued once when Print is pressed twice', async () => {
    const { requests, form, respond } = createForm()
    form.typePoints('250')
    const first = form.print()
    await form.print()
    await respond(first, {})
    await form.print()
    expect(requests).toHaveLength(1)
    // The second click of a double click finds an empty form and shows no failure.
    expect(form.failure).toBeNull()
  })

  test('changes with the customer, not when the same customer is read again', () => {
    const { form } = createForm()
    form.chooseCustomer(customer('a'))
    const first = form.intentId
    form.chooseCustomer(customer('a', { balance: 5 }))
    expect(form.intentId).toBe(first)
    form.chooseCustomer(customer('b'))
    const second = form.intentId
    form.chooseCustomer(null)
    expect(new Set([first, second, form.intentId]).size).toBe(3)
  })

  test('changes after a refused request, and the typed values stay', async () => {
    const { requests, form, respond } = createForm()
    form.chooseCustomer(customer('a'))
    form.typePoints('75')
    await respond(form.print(), { kind: 'offline' })
    expect(form.failure).toEqual({ kind: 'offline' })
    expect(form.points).toBe('75')
    expect(chosen(form)).toBe('a')
    await respond(form.print(), {})
    expect(requests[0]?.input.intentId).not.toBe(requests[1]?.input.intentId)
  })

  test.each([{ kind: 'internal' }, { kind: 'not-saved', what: 'journal' }] as const)(
    'stays the same after $kind, because the main process may have saved a code',
    async (failure) => {
      const { requests, form, respond } = createForm()
      form.typePoints('75')
      await respond(form.print(), failure)
      await respond(form.print(), failure)
      expect(requests[0]?.input.intentId).toBe(requests[1]?.input.intentId)
      form.typePoints('80')
      await respond(form.print(), {})
      expect(requests[2]?.input.intentId).not.toBe(requests[1]?.input.intentId)
    }
  )
})

describe('points that are typed while a slip is pending', () => {
  test.each([{ kind: 'internal' }, { kind: 'not-saved', what: 'journal' }] as const)(
    'are another intent after $kind',
    async (failure) => {
      const { requests, form, respond } = createForm()
      form.typePoints('10')
      const pressed = form.print()
      form.typePoints('25')
      await respond(pressed, failure)
      expect(form.points).toBe('25')
      await respond(form.print(), {})
      expect(requests[1]?.input.points).toBe(25)
      expect(requests[1]?.input.intentId).not.toBe(requests[0]?.input.intentId)
    }
  )

  test('are another intent also when it is the same number, of the next sale', async () => {
    const { requests, form, respond } = createForm()
    form.typePoints('10')
    const pressed = form.print()
    form.typePoints('1')
    form.typePoints('10')
    await respond(pressed, { kind: 'internal' })
    await respond(form.print(), {})
    expect(requests[1]?.input.intentId).not.toBe(requests[0]?.input.intentId)
  })

  test('keep the bill and the copies of a slip that failed', async () => {
    const { form, respond } = createForm()
    form.fillIn({ amount: null, points: 10, reference: 'R-7', phone: null })
    form.copies = 2
    const pressed = form.print()
    form.typePoints('25')
    await respond(pressed, { kind: 'internal' })
    expect(form).toMatchObject({ points: '25', copies: 2, linkedBill: { reference: 'R-7' } })
  })
})

describe('after a slip is issued', () => {
  test('the form is empty and the slip is shown until the next one starts', async () => {
    const { form, finished, respond } = createForm()
    form.chooseCustomer(customer('a'))
    form.typePoints('250')
    const intent = form.intentId
    await respond(form.print(), {})
    expect(form.points).toBe('')
    expect(form.customer).toBeNull()
    expect(finished).toHaveBeenCalledTimes(1)
    expect(form.last?.slip.code).toBe('AR7K')
    expect(form.intentId).not.toBe(intent)
    form.typePoints('1')
    expect(form.last).toBeNull()
  })

  test('selecting a customer hides the slip', async () => {
    const { form, respond } = createForm()
    form.typePoints('250')
    await respond(form.print(), {})
    form.chooseCustomer(customer('b'))
    expect(form.last).toBeNull()
  })

  test('a form that has changed meanwhile is kept', async () => {
    const { form, finished, respond } = createForm()
    form.typePoints('250')
    const pressed = form.print()
    form.chooseCustomer(customer('b'))
    await respond(pressed, {})
    expect(chosen(form)).toBe('b')
    expect(finished).toHaveBeenCalledTimes(0)
    expect(form.last).not.toBeNull()
  })

  describe.each([
    ['issued', {}],
    ['refused', { state: 'refused' }],
    ['rejected', { kind: 'offline' }],
    ['unknown', { kind: 'unknown-outcome', cause: 'timeout' }]
  ] satisfies [string, Failure | Partial<IssuedSlip['slip']>][])('while a slip is %s', (_, result) => {
    const press = () => {
      const created = createForm()
      const { form } = created
      form.fillIn({ amount: null, points: 250, reference: 'R-7', phone: null })
      form.chooseCustomer(customer('a'))
      form.copies = 3
      return { ...created, pressed: form.print() }
    }

    test('the next customer inherits nothing', async () => {
      const { form, respond, pressed } = press()
      form.chooseCustomer(customer('b'))
      const { intentId } = form
      await respond(pressed, result)
      expect(form).toMatchObject({ points: '', copies: null, linkedBill: null, intentId })
      expect(chosen(form)).toBe('b')
      await form.print()
      expect(form.running).toBe(false)
    })

    test('what was typed for the next customer stays, also the same number', async () => {
      const { form, respond, pressed } = press()
      form.chooseCustomer(customer('b'))
      form.typePoints('')
      form.typePoints('250')
      form.copies = 2
      await respond(pressed, result)
      expect(form).toMatchObject({ points: '250', copies: 2, linkedBill: null })
      expect(chosen(form)).toBe('b')
    })

    test('the next bill stays', async () => {
      const { form, respond, pressed } = press()
      form.chooseCustomer(null)
      form.fillIn({ amount: null, points: 250, reference: 'R-8', phone: null })
      await respond(pressed, result)
      expect(form).toMatchObject({ points: '250', linkedBill: { reference: 'R-8' } })
    })
  })

  test('the same number that was typed again meanwhile stays', async () => {
    const { form, respond } = createForm()
    form.typePoints('250')
    const pressed = form.print()
    form.typePoints('25')
    form.typePoints('250')
    await respond(pressed, {})
    expect(form.points).toBe('250')
  })

  test('points that were typed meanwhile stay, without the customer of the slip', async () => {
    const { requests, form, finished, respond } = createForm()
    form.chooseCustomer(customer('a'))
    form.typePoints('250')
    const pressed = form.print()
    form.typePoints('80')
    await respond(pressed, {})
    expect(form).toMatchObject({ points: '80', customer: null })
    expect(finished).toHaveBeenCalledTimes(0)
    await respond(form.print(), {})
    expect(requests[1]?.input).toMatchObject({ points: 80, customer: null })
    expect(requests[1]?.input.intentId).not.toBe(requests[0]?.input.intentId)
    expect(form.points).toBe('')
  })

  test('a slip without a customer is issued with customer null', async () => {
    const { requests, form, respond } = createForm()
    form.typePoints('250')
    await respond(form.print(), {})
    expect(requests[0]?.input).toMatchObject({ points: 250, customer: null })
  })

  test('the chosen number of copies applies to one slip only', async () => {
    const { requests, form, respond } = createForm()
    form.typePoints('250')
    form.copies = 3
    await respond(form.print(), {})
    form.typePoints('250')
    await respond(form.print(), {})
    expect(requests.map(({ input }) => input.copies)).toEqual([3, undefined])
  })
})

describe('bill amount in PointsForm', () => {
  const rule = ownRule({ pointsPerUnit: '10', rounding: 'down', minimum: '0', currency: 'EUR' })
  const withRule = () =>
    new PointsForm(bridgeWith({}), new IpcClient(), () => undefined, {
      rule: () => rule,
      hasShopRules: () => false,
      clearCustomer: () => true,
      knownCustomers: () => 'slip',
      printsCredit: () => false,
      asksAgain: () => false,
      creditsWait: () => false
    })

  test('sets the points', () => {
    const form = withRule()
    form.bill.typeAmount('12,50')
    expect(form.points).toBe('125')
    expect(form.parsedPoints).toBe(125)
  })

  test('is cleared when points are typed', () => {
    const form = withRule()
    form.bill.typeAmount('12,50')
    form.typePoints('130')
    expect(form.bill.text).toBe('')
    expect(form.bill.outcome).toBeNull()
    expect(form.points).toBe('130')
  })

  test('clears the points when it becomes invalid', () => {
    const form = withRule()
    form.bill.typeAmount('12.5')
    form.bill.typeAmount('12.5x')
    expect(form.points).toBe('')
    expect(form.bill.failure?.kind).toBe('invalid-input')
  })
})

describe('a bill by the shop’s rules', () => {
  const withShopRule = () => {
    const { requests, call } = deferredCalls<IssueRequest, IssuedSlip>()
    const form = new PointsForm(bridgeWith({ slips: { issue: call } }), new IpcClient(), () => undefined, {
      ...DEFAULT_POINTS_FORM_OPTIONS,
      rule: () => ({ ...billRule, version: 4, factors: [{ name: 'Tuesday', factor: '2' }] })
    })
    return { form, requests }
  }

  test('is sent with the points and the version of the rules', () => {
    const { form, requests } = withShopRule()
    form.bill.typeAmount('45,20')
    void form.print()
    expect(requests[0]?.input).toMatchObject({
      points: 9,
      calculation: { bill: { amount: '45.20' }, rules: 4 }
    })
  })

  test('is not what points were calculated from that the cashier typed instead', () => {
    const { form, requests } = withShopRule()
    form.bill.typeAmount('45,20')
    form.addPoints(1)
    void form.print()
    expect(requests[0]?.input).toMatchObject({ points: 10 })
    expect(requests[0]?.input).not.toHaveProperty('calculation')
  })
})

describe('a bill of a customer with a level', () => {
  const GOLD: Standing = { level: { name: 'Gold', factor: '1.5' }, next: null, ending: null }

  const withLevels = () => {
    const issue = deferredCalls<IssueRequest, IssuedSlip>()
    const standing = deferredCalls<{ id: string }, Standing | null>()
    const bridge = bridgeWith({ slips: { issue: issue.call }, customers: { standing: standing.call } })
    const form = new PointsForm(bridge, new IpcClient(), () => undefined, {
      ...DEFAULT_POINTS_FORM_OPTIONS,
      rule: () => ({ ...billRule, version: 4, levels: [{ name: 'Gold', factor: '1.5' }] }),
      hasShopRules: () => true
    })
    /** The last question for a standing is answered. */
    const answer = async (value: Standing | null): Promise<void> => {
      standing.requests.at(-1)?.resolve(ok(value))
      await flushPromises()
    }
    return { form, requests: issue.requests, asked: standing.requests, answer }
  }

  test('has the factor of the level, and is sent with its name', async () => {
    const { form, requests, answer } = withLevels()
    form.chooseCustomer(customer('a'))
    await answer(GOLD)
    form.bill.typeAmount('20')
    expect(form.points).toBe('3')
    void form.print()
    expect(requests[0]?.input).toMatchObject({
      points: 3,
      calculation: { bill: { amount: '20', level: 'Gold' }, rules: 4 }
    })
  })

  test('is calculated again when the level comes, or the customer changes, after it was typed', async () => {
    const { form, answer } = withLevels()
    form.bill.typeAmount('20')
    form.chooseCustomer(customer('a'))
    expect([form.points, form.bill.outcome?.level]).toEqual(['2', undefined])
    const before = form.intentId
    await answer(GOLD)
    expect([form.points, form.bill.text, form.bill.outcome?.level]).toEqual(['3', '20', 'Gold'])
    expect(form.intentId).not.toBe(before)
    form.chooseCustomer(customer('b'))
    expect(form.points).toBe('2')
    await answer(null)
    expect(form.points).toBe('2')
  })

  test('stays as it is on the screen while its slip is being issued, and is calculated again when it is refused', async () => {
    const { form, requests, answer } = withLevels()
    form.chooseCustomer(customer('a'))
    form.bill.typeAmount('20')
    const pressed = form.print()
    await answer(GOLD)
    expect([form.points, form.standing.level]).toEqual(['2', 'Gold'])
    requests[0]?.resolve(err({ kind: 'offline' }))
    await pressed
    expect(form.points).toBe('3')
    void form.print()
    expect(requests.map(({ input }) => input.points)).toEqual([2, 3])
    expect(requests[1]?.input.intentId).not.toBe(requests[0]?.input.intentId)
  })

  test.each([{ kind: 'internal' }, { kind: 'not-saved', what: 'journal' }] as const)(
    'stays after $kind: the same slip is asked for again',
    async (failure) => {
      const { form, requests, answer } = withLevels()
      form.chooseCustomer(customer('a'))
      form.bill.typeAmount('20')
      const pressed = form.print()
      requests[0]?.resolve(err(failure))
      await pressed
      await answer(GOLD)
      void form.print()
      expect(requests.map(({ input }) => input.points)).toEqual([2, 2])
      expect(requests[1]?.input.intentId).toBe(requests[0]?.input.intentId)
    }
  )

  test('that would be more points than a code can carry has its points again without the customer', async () => {
    const { form, answer } = withLevels()
    form.bill.typeAmount('99999990')
    form.chooseCustomer(customer('a'))
    await answer(GOLD)
    expect([form.points, form.bill.failure?.kind]).toEqual(['', 'points-too-many'])
    form.chooseCustomer(null)
    expect([form.points, form.bill.failure]).toEqual(['9999999', null])
  })

  test('leaves points that were typed as they are', async () => {
    const { form, requests, answer } = withLevels()
    form.chooseCustomer(customer('a'))
    form.bill.typeAmount('20')
    form.typePoints('5')
    await answer(GOLD)
    expect(form.points).toBe('5')
    void form.print()
    expect(requests[0]?.input).not.toHaveProperty('calculation')
  })

  test('is asked for again with other points of the customer, and a late answer for another one counts nothing', async () => {
    const { form, asked, answer } = withLevels()
    form.chooseCustomer(customer('a'))
    form.chooseCustomer(customer('a'))
    expect(asked).toHaveLength(1)
    await answer(GOLD)
    form.chooseCustomer(customer('a', { balance: 5 }))
    expect([asked.length, form.standing.value]).toEqual([2, GOLD])
    form.chooseCustomer(customer('b'))
    asked[1]?.resolve(ok(GOLD))
    await flushPromises()
    expect(form.standing.value).toBeNull()
    form.chooseCustomer(null)
    expect(asked.map(({ input }) => input.id)).toEqual(['a', 'a', 'b'])
  })

  test('shows nothing when it cannot be read', async () => {
    const { form, asked } = withLevels()
    form.chooseCustomer(customer('a'))
    asked[0]?.resolve(err({ kind: 'internal' }))
    await flushPromises()
    form.bill.typeAmount('20')
    expect([form.standing.value, form.points, form.failure]).toEqual([null, '2', null])
  })

  test('is not asked for in a shop without rules', () => {
    const { form } = createForm()
    form.chooseCustomer(customer('a'))
    expect(form.standing.value).toBeNull()
  })
})

describe('invalid points', () => {
  test.each(['', '0', '1.5', '10000000'])('%j sends no request', async (points) => {
    const { requests, form } = createForm()
    form.typePoints(points)
    await form.print()
    expect(requests).toHaveLength(0)
    expect(form.failure).not.toBeNull()
    expect(form.parsedPoints).toBeNull()
    form.typePoints('12')
    expect(form.failure).toBeNull()
    expect(form.parsedPoints).toBe(12)
  })
})

describe('unknown outcome', () => {
  test.each([
    { kind: 'unknown-outcome', cause: 'timeout' } as const,
    { state: 'unknown' } as const,
    { state: 'requested' } as const
  ])('%o is shown to the cashier and nothing is repeated', async (result) => {
    const { requests, form, respond, finished } = createForm()
    form.chooseCustomer(customer('a'))
    form.typePoints('40')
    await respond(form.print(), result)
    expect(form.unknown).toMatchObject({ points: 40 })
    await form.print()
    expect(requests).toHaveLength(1)
    expect(finished).toHaveBeenCalledTimes(0)
    expect(form.points).toBe('40')
  })

  test('issueAgain sends the same values with a new intent id', async () => {
    const { requests, form, respond } = createForm()
    form.chooseCustomer(customer('a'))
    form.typePoints('40')
    await respond(form.print(), { kind: 'unknown-outcome', cause: 'timeout' })
    await respond(form.issueAgain(), {})
    expect(requests[1]?.input).toMatchObject({ points: 40, customer: { id: 'a' } })
    expect(requests[1]?.input.intentId).not.toBe(requests[0]?.input.intentId)
    expect(form.unknown).toBeNull()
    expect(form.points).toBe('')
    expect(form.customer).toBeNull()
  })

  test('issueAgain sends the original values when the form has changed', async () => {
    const { requests, form, respond } = createForm()
    form.typePoints('40')
    await respond(form.print(), { kind: 'unknown-outcome', cause: 'timeout' })
    form.chooseCustomer(customer('b'))
    form.typePoints('7')
    await respond(form.issueAgain(), {})
    expect(requests[1]?.input).toMatchObject({ points: 40, customer: null })
    expect(form.points).toBe('7')
    expect(chosen(form)).toBe('b')
  })

  test('keepUnknown keeps the typed values, and the next press uses a new intent id', async () => {
    const { requests, form, respond } = createForm()
    form.typePoints('40')
    await respond(form.print(), { kind: 'unknown-outcome', cause: 'timeout' })
    form.keepUnknown()
    expect(form.unknown).toBeNull()
    expect(form.points).toBe('40')
    await respond(form.print(), {})
    expect(requests[1]?.input.intentId).not.toBe(requests[0]?.input.intentId)
  })
})

const billRule = ownRule({ pointsPerUnit: '0.1', rounding: 'down', minimum: '5', currency: 'EUR' })

const createBill = (text: string) => {
  const points: string[] = []
  const bill = new Bill(
    () => billRule,
    () => undefined,
    (calculated) => points.push(calculated)
  )
  bill.typeAmount(text)
  return { bill, points }
}

test.each([
  ['25', '2', 'points'],
  ['3', '', 'below-minimum'],
  ['6', '', 'no-points']
] as const)('Bill of %s sets the points %j: %s', (text, points, kind) => {
  const created = createBill(text)
  expect(created.points).toEqual([points])
  expect(created.bill.outcome?.kind).toEqual(kind)
  expect(created.bill.outcome?.amount).toEqual(text)
})

test('Bill reports invalid-input for an unreadable amount', () => {
  const { bill, points } = createBill('1.250')
  expect(points).toEqual([''])
  expect(bill.outcome).toBeNull()
  expect(bill.failure?.kind).toBe('invalid-input')
})

test('Bill reports points-too-many above the maximum of a slip', () => {
  expect(createBill('999999999').bill.failure?.kind).toBe('points-too-many')
})

test('Bill.clear keeps the points', () => {
  const { bill, points } = createBill('25')
  bill.clear()
  expect(bill.text).toBe('')
  expect(bill.outcome).toBeNull()
  expect(points).toEqual(['2'])
})

describe('a slip whose answer is asked for again', () => {
  const LOST: Failure = { kind: 'unknown-outcome', cause: 'timeout' }
  const told = (form: PointsForm, state: Slip['state']): void => {
    form.updateSlip(issued(form.lost?.intentId ?? '', { state }).slip)
  }

  test('leaves the form, and another press asks with the same intent', async () => {
    const { requests, form, respond } = createForm(true)
    form.typePoints('40')
    await respond(form.print(), LOST)
    expect(form).toMatchObject({ unknown: null, lost: { points: 40, way: 'slip' }, points: '40' })
    await respond(form.print(), LOST)
    await respond(form.print(), {})
    expect(new Set(requests.map(({ input }) => input.intentId)).size).toBe(1)
    expect(form).toMatchObject({
      lost: null,
      points: '',
      issuedSlips: { last: { slip: { state: 'printed' } } }
    })
  })

  test('is delivered with its first code when main learns it, and the form is empty', async () => {
    const { requests, form, respond } = createForm(true)
    form.typePoints('40')
    await respond(form.print(), LOST)
    told(form, 'unknown')
    expect(form.lost).not.toBeNull()
    told(form, 'issued')
    expect(form.lost).toBeNull()
    await respond(Promise.resolve(), { state: 'printing' })
    await vi.waitFor(() => expect(form.points).toBe(''))
    expect(form.issuedSlips.last?.slip.state).toBe('printing')
    expect(new Set(requests.map(({ input }) => input.intentId)).size).toBe(1)
  })

  test('is not delivered when a manager discarded it', async () => {
    const { requests, form, respond } = createForm(true)
    form.typePoints('40')
    await respond(form.print(), LOST)
    told(form, 'discarded')
    expect(form.lost).toBeNull()
    expect(requests).toHaveLength(1)
  })

  test('leaves nothing to the next customer, whose form its slip does not touch', async () => {
    const { form, respond } = createForm(true)
    form.typePoints('40')
    await respond(form.print(), LOST)
    form.chooseCustomer(customer('b'))
    form.typePoints('80')
    told(form, 'issued')
    await respond(Promise.resolve(), { state: 'printing' })
    await vi.waitFor(() => expect(form.issuedSlips.last?.slip.state).toBe('printing'))
    expect(form).toMatchObject({ points: '80', customer: { id: 'b' }, lost: null })
  })
})
