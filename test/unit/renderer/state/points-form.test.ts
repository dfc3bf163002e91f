import { describe, expect, test, vi } from 'vitest'
import type { Bridge } from '../../../../electron/contract/bridge.ts'
import { err, ok, type Failure } from '../../../../electron/contract/failure.ts'
import type { IssuedSlip } from '../../../../electron/contract/slips.ts'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import { Bill, PointsForm } from '../../../../renderer/src/state/points-form.svelte.ts'
import { bridgeWith, customer, deferredCalls, issued } from '../support/bridge.ts'

type IssueRequest = Parameters<Bridge['slips']['issue']>[0]

const chosen = (form: PointsForm): string | undefined => form.customer?.id

const make = () => {
  const { requests, call } = deferredCalls<IssueRequest, IssuedSlip>()
  const finished = vi.fn()
  const form = new PointsForm(bridgeWith({ slips: { issue: call } }), new IpcClient(), finished)
  /** Answers the question requests last. */
  const answer = async (
    pressed: Promise<void>,
    how: Failure | Partial<IssuedSlip['slip']>
  ): Promise<void> => {
    const last = requests.at(-1)
    last?.resolve('kind' in how ? err(how) : ok(issued(last.input.intentId, how)))
    await pressed
  }
  return { requests, form, finished, answer }
}

describe('one intent', () => {
  test('is issued once, however often the button is pressed', async () => {
    const { requests, form, answer } = make()
    form.points = '250'
    const first = form.print()
    await form.print()
    await answer(first, {})
    await form.print()
    expect(requests).toHaveLength(1)
    // The second half of a double click finds an empty form, and does not complain about it.
    expect(form.failure).toBeNull()
  })

  test('is made anew for another customer, and kept while the same is read again', () => {
    const { form } = make()
    form.customer = customer('a')
    const first = form.intentId
    form.customer = customer('a', { balance: 5 })
    expect(form.intentId).toBe(first)
    form.customer = customer('b')
    const second = form.intentId
    form.customer = null
    expect(new Set([first, second, form.intentId]).size).toBe(3)
  })

  test('is over once it was refused: the next press is a new one, and nothing typed is lost', async () => {
    const { requests, form, answer } = make()
    form.customer = customer('a')
    form.points = '75'
    await answer(form.print(), { kind: 'offline' })
    expect(form.failure).toEqual({ kind: 'offline' })
    expect(form.points).toBe('75')
    expect(chosen(form)).toBe('a')
    await answer(form.print(), {})
    expect(requests[0]?.input.intentId).not.toBe(requests[1]?.input.intentId)
  })

  test.each([{ kind: 'internal' }, { kind: 'not-saved', what: 'journal' }] as const)(
    'stays the same after $kind, when a code may be kept in main',
    async (failure) => {
      const { requests, form, answer } = make()
      form.points = '75'
      await answer(form.print(), failure)
      await answer(form.print(), failure)
      expect(requests[0]?.input.intentId).toBe(requests[1]?.input.intentId)
      form.points = '80'
      await answer(form.print(), {})
      expect(requests[2]?.input.intentId).not.toBe(requests[1]?.input.intentId)
    }
  )
})

describe('a slip that was handed over', () => {
  test('empties the form and stays in sight until the next one starts', async () => {
    const { form, finished, answer } = make()
    form.customer = customer('a')
    form.points = '250'
    const intent = form.intentId
    await answer(form.print(), {})
    expect(form.points).toBe('')
    expect(form.customer).toBeNull()
    expect(finished).toHaveBeenCalledTimes(1)
    expect(form.last?.slip.code).toBe('AR7K')
    expect(form.intentId).not.toBe(intent)
    form.points = '1'
    expect(form.last).toBeNull()
  })

  test('goes out of sight as a customer is chosen', async () => {
    const { form, answer } = make()
    form.points = '250'
    await answer(form.print(), {})
    form.customer = customer('b')
    expect(form.last).toBeNull()
  })

  test('leaves a form alone that has moved on meanwhile', async () => {
    const { form, finished, answer } = make()
    form.points = '250'
    const pressed = form.print()
    form.customer = customer('b')
    await answer(pressed, {})
    expect(chosen(form)).toBe('b')
    expect(finished).toHaveBeenCalledTimes(0)
    expect(form.last).not.toBeNull()
  })

  test('may be for nobody in particular', async () => {
    const { requests, form, answer } = make()
    form.points = '250'
    await answer(form.print(), {})
    expect(requests[0]?.input).toMatchObject({ points: 250, customer: null })
  })

  test('gets as many papers as were chosen for it; the next one as many as the settings say', async () => {
    const { requests, form, answer } = make()
    form.points = '250'
    form.copies = 3
    await answer(form.print(), {})
    form.points = '250'
    await answer(form.print(), {})
    expect(requests.map(({ input }) => input.copies)).toEqual([3, undefined])
  })
})

describe('a bill', () => {
  const rule = { pointsPerUnit: '10', rounding: 'down', minimum: '0', currency: 'EUR' } as const
  const withRule = () =>
    new PointsForm(bridgeWith({}), new IpcClient(), () => undefined, {
      rule: () => rule,
      clearCustomer: () => true
    })

  test('gives the points that are issued', () => {
    const form = withRule()
    form.bill.text = '12,50'
    expect(form.points).toBe('125')
    expect(form.amount).toBe(125)
  })

  test('is forgotten once points are typed directly', () => {
    const form = withRule()
    form.bill.text = '12,50'
    form.points = '130'
    expect(form.bill.text).toBe('')
    expect(form.bill.outcome).toBeNull()
    expect(form.points).toBe('130')
  })

  test('that gives nothing takes the points away that the bill before gave', () => {
    const form = withRule()
    form.bill.text = '12.5'
    form.bill.text = '12.5x'
    expect(form.points).toBe('')
    expect(form.bill.failure?.kind).toBe('invalid-input')
  })
})

describe('points that cannot be issued', () => {
  test.each(['', '0', '1.5', '10000000'])('%j asks nobody', async (points) => {
    const { requests, form } = make()
    form.points = points
    await form.print()
    expect(requests).toHaveLength(0)
    expect(form.failure).not.toBeNull()
    expect(form.amount).toBeNull()
    form.points = '12'
    expect(form.failure).toBeNull()
    expect(form.amount).toBe(12)
  })
})

describe('an answer that was lost', () => {
  test.each([
    { kind: 'unknown-outcome', cause: 'timeout' } as const,
    { state: 'unknown' } as const,
    { state: 'requested' } as const
  ])('%o is left to the cashier', async (how) => {
    const { requests, form, answer, finished } = make()
    form.customer = customer('a')
    form.points = '40'
    await answer(form.print(), how)
    expect(form.unknown).toMatchObject({ points: 40 })
    await form.print()
    expect(requests).toHaveLength(1)
    expect(finished).toHaveBeenCalledTimes(0)
    expect(form.points).toBe('40')
  })

  test('issues the same again as an intent of its own', async () => {
    const { requests, form, answer } = make()
    form.customer = customer('a')
    form.points = '40'
    await answer(form.print(), { kind: 'unknown-outcome', cause: 'timeout' })
    await answer(form.issueAgain(), {})
    expect(requests[1]?.input).toMatchObject({ points: 40, customer: { id: 'a' } })
    expect(requests[1]?.input.intentId).not.toBe(requests[0]?.input.intentId)
    expect(form.unknown).toBeNull()
    expect(form.points).toBe('')
    expect(form.customer).toBeNull()
  })

  test('issues what was requests, even if the form has moved on', async () => {
    const { requests, form, answer } = make()
    form.points = '40'
    await answer(form.print(), { kind: 'unknown-outcome', cause: 'timeout' })
    form.customer = customer('b')
    form.points = '7'
    await answer(form.issueAgain(), {})
    expect(requests[1]?.input).toMatchObject({ points: 40, customer: null })
    expect(form.points).toBe('7')
    expect(chosen(form)).toBe('b')
  })

  test('left as it is, keeps what was typed and the next press is new', async () => {
    const { requests, form, answer } = make()
    form.points = '40'
    await answer(form.print(), { kind: 'unknown-outcome', cause: 'timeout' })
    form.keepUnknown()
    expect(form.unknown).toBeNull()
    expect(form.points).toBe('40')
    await answer(form.print(), {})
    expect(requests[1]?.input.intentId).not.toBe(requests[0]?.input.intentId)
  })
})

const billRule = { pointsPerUnit: '0.1', rounding: 'down', minimum: '5', currency: 'EUR' } as const

const makeBill = (text: string) => {
  const points: string[] = []
  const bill = new Bill(
    () => billRule,
    (calculated) => points.push(calculated)
  )
  bill.text = text
  return { bill, points }
}

test.each([
  ['25', '2', 'points'],
  ['3', '', 'below-minimum'],
  ['6', '', 'no-points']
] as const)('a bill of %s gives %j: %s', (text, points, kind) => {
  const made = makeBill(text)
  expect(made.points).toEqual([points])
  expect(made.bill.outcome?.kind).toEqual(kind)
  expect(made.bill.outcome?.amount).toEqual(text)
})

test('a bill that cannot be read says so', () => {
  const { bill, points } = makeBill('1.250')
  expect(points).toEqual([''])
  expect(bill.outcome).toBeNull()
  expect(bill.failure?.kind).toBe('invalid-input')
})

test('a bill that comes to more points than one slip carries says so', () => {
  expect(makeBill('999999999').bill.failure?.kind).toBe('points-too-many')
})

test('forgotten, it leaves the points alone', () => {
  const { bill, points } = makeBill('25')
  bill.clear()
  expect(bill.text).toBe('')
  expect(bill.outcome).toBeNull()
  expect(points).toEqual(['2'])
})
