import { describe, expect, test, vi } from 'vitest'
import type { Bridge } from '../../../../electron/contract/bridge.ts'
import { err, ok, type Failure } from '../../../../electron/contract/failure.ts'
import type { IssuedSlip } from '../../../../electron/contract/slips.ts'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import { PointsForm } from '../../../../renderer/src/state/points-form.svelte.ts'
import { bridgeWith, byHand, customer, issued } from '../support/bridge.ts'

type IssueRequest = Parameters<Bridge['slips']['issue']>[0]

const chosen = (form: PointsForm): string | undefined => form.customer?.id

const make = () => {
  const { asked, call } = byHand<IssueRequest, IssuedSlip>()
  const finished = vi.fn()
  const form = new PointsForm(bridgeWith({ slips: { issue: call } }), new IpcClient(), finished)
  /** Answers the question asked last. */
  const answer = async (
    pressed: Promise<void>,
    how: Failure | Partial<IssuedSlip['slip']>
  ): Promise<void> => {
    const last = asked.at(-1)
    last?.answer('kind' in how ? err(how) : ok(issued(last.input.intentId, how)))
    await pressed
  }
  return { asked, form, finished, answer }
}

describe('one intent', () => {
  test('is issued once, however often the button is pressed', async () => {
    const { asked, form, answer } = make()
    form.points = '250'
    const first = form.print()
    await form.print()
    await answer(first, {})
    await form.print()
    expect(asked).toHaveLength(1)
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
    const { asked, form, answer } = make()
    form.customer = customer('a')
    form.points = '75'
    await answer(form.print(), { kind: 'offline' })
    expect([form.failure, form.points, chosen(form)]).toEqual([{ kind: 'offline' }, '75', 'a'])
    await answer(form.print(), {})
    expect(asked[0]?.input.intentId).not.toBe(asked[1]?.input.intentId)
  })

  test.each([{ kind: 'internal' }, { kind: 'not-saved', what: 'journal' }] as const)(
    'stays the same after $kind, when a code may be kept in main',
    async (failure) => {
      const { asked, form, answer } = make()
      form.points = '75'
      await answer(form.print(), failure)
      await answer(form.print(), failure)
      expect(asked[0]?.input.intentId).toBe(asked[1]?.input.intentId)
      form.points = '80'
      await answer(form.print(), {})
      expect(asked[2]?.input.intentId).not.toBe(asked[1]?.input.intentId)
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
    expect([form.points, form.customer, finished.mock.calls.length]).toEqual(['', null, 1])
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
    expect([chosen(form), finished.mock.calls.length]).toEqual(['b', 0])
    expect(form.last).not.toBeNull()
  })

  test('may be for nobody in particular', async () => {
    const { asked, form, answer } = make()
    form.points = '250'
    await answer(form.print(), {})
    expect(asked[0]?.input).toMatchObject({ points: 250, customer: null })
  })

  test('gets as many papers as were chosen for it; the next one as many as the settings say', async () => {
    const { asked, form, answer } = make()
    form.points = '250'
    form.copies = 3
    await answer(form.print(), {})
    form.points = '250'
    await answer(form.print(), {})
    expect(asked.map(({ input }) => input.copies)).toEqual([3, undefined])
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
    expect([form.points, form.amount]).toEqual(['125', 125])
  })

  test('is forgotten once points are typed directly', () => {
    const form = withRule()
    form.bill.text = '12,50'
    form.points = '130'
    expect([form.bill.text, form.bill.outcome, form.points]).toEqual(['', null, '130'])
  })

  test('that gives nothing takes the points away that the bill before gave', () => {
    const form = withRule()
    form.bill.text = '12.5'
    form.bill.text = '12.5x'
    expect([form.points, form.bill.failure?.kind]).toEqual(['', 'invalid-input'])
  })
})

describe('points that cannot be issued', () => {
  test.each(['', '0', '1.5', '10000000'])('%j asks nobody', async (points) => {
    const { asked, form } = make()
    form.points = points
    await form.print()
    expect(asked).toHaveLength(0)
    expect(form.failure).not.toBeNull()
    expect(form.amount).toBeNull()
    form.points = '12'
    expect([form.failure, form.amount]).toEqual([null, 12])
  })
})

describe('an answer that was lost', () => {
  test.each([
    { kind: 'unknown-outcome', cause: 'timeout' } as const,
    { state: 'unknown' } as const,
    { state: 'requested' } as const
  ])('%o is left to the cashier', async (how) => {
    const { asked, form, answer, finished } = make()
    form.customer = customer('a')
    form.points = '40'
    await answer(form.print(), how)
    expect(form.unknown).toMatchObject({ points: 40 })
    await form.print()
    expect([asked.length, finished.mock.calls.length, form.points]).toEqual([1, 0, '40'])
  })

  test('issues the same again as an intent of its own', async () => {
    const { asked, form, answer } = make()
    form.customer = customer('a')
    form.points = '40'
    await answer(form.print(), { kind: 'unknown-outcome', cause: 'timeout' })
    await answer(form.issueAgain(), {})
    expect(asked[1]?.input).toMatchObject({ points: 40, customer: { id: 'a' } })
    expect(asked[1]?.input.intentId).not.toBe(asked[0]?.input.intentId)
    expect([form.unknown, form.points, form.customer]).toEqual([null, '', null])
  })

  test('issues what was asked, even if the form has moved on', async () => {
    const { asked, form, answer } = make()
    form.points = '40'
    await answer(form.print(), { kind: 'unknown-outcome', cause: 'timeout' })
    form.customer = customer('b')
    form.points = '7'
    await answer(form.issueAgain(), {})
    expect(asked[1]?.input).toMatchObject({ points: 40, customer: null })
    expect([form.points, chosen(form)]).toEqual(['7', 'b'])
  })

  test('left as it is, keeps what was typed and the next press is new', async () => {
    const { asked, form, answer } = make()
    form.points = '40'
    await answer(form.print(), { kind: 'unknown-outcome', cause: 'timeout' })
    form.keepUnknown()
    expect([form.unknown, form.points]).toEqual([null, '40'])
    await answer(form.print(), {})
    expect(asked[1]?.input.intentId).not.toBe(asked[0]?.input.intentId)
  })
})
