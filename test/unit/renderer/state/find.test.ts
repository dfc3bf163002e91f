import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { bad, good } from '../../../../electron/contract/failure.ts'
import type { Customer } from '../../../../electron/contract/loyalty.ts'
import type { Found } from '../../../../electron/contract/till.ts'
import { Answers } from '../../../../renderer/src/state/answers.svelte.ts'
import { Find, TYPING_PAUSE } from '../../../../renderer/src/state/find.svelte.ts'
import { bridgeWith, byHand, customer, settle } from '../support/bridge.ts'

const found = (customers: Customer[], change: { page?: number; hasMore?: boolean } = {}): Found => ({
  kind: 'customers',
  customers,
  page: 1,
  hasMore: false,
  phone: null,
  ...change
})

const make = () => {
  const { asked, call } = byHand<{ text: string; page: number }, Found>()
  return { asked, find: new Find(bridgeWith({ customers: { find: call } }), new Answers()) }
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

describe('typing', () => {
  test('asks once, after a pause', () => {
    const { asked, find } = make()
    for (const text of ['m', 'ma', 'mar']) {
      find.text = text
      vi.advanceTimersByTime(TYPING_PAUSE - 1)
    }
    expect(asked).toHaveLength(0)
    vi.advanceTimersByTime(1)
    expect(asked.map(({ input }) => input)).toEqual([{ text: 'mar', page: 1 }])
  })

  test('shows no answer to a text that has changed since', async () => {
    const { asked, find } = make()
    find.text = 'ma'
    vi.advanceTimersByTime(TYPING_PAUSE)
    find.text = 'ni'
    vi.advanceTimersByTime(TYPING_PAUSE)
    asked[1]?.answer(good(found([customer('nikos')])))
    await settle()
    asked[0]?.answer(good(found([customer('maria')])))
    await settle()
    expect(find.finding?.customers.map(({ id }) => id)).toEqual(['nikos'])
    expect(find.settled).toBe(true)
  })

  test('an emptied box forgets what was found, and what is still on its way', async () => {
    const { asked, find } = make()
    find.text = 'ma'
    vi.advanceTimersByTime(TYPING_PAUSE)
    find.text = ' '
    asked[0]?.answer(good(found([customer('maria')])))
    await settle()
    expect([find.finding, find.active, find.asking.running]).toEqual([null, false, false])
  })

  test('a failure keeps the text', async () => {
    const { asked, find } = make()
    find.text = 'ma'
    vi.advanceTimersByTime(TYPING_PAUSE)
    asked[0]?.answer(bad({ kind: 'offline' }))
    await settle()
    expect([find.text, find.asking.failure]).toEqual(['ma', { kind: 'offline' }])
  })
})

describe('Enter', () => {
  test('asks at once, and not again for the same text', async () => {
    const { asked, find } = make()
    find.text = '+30 690 123 4567'
    const [first, second] = [find.now(), find.now()]
    vi.advanceTimersByTime(TYPING_PAUSE)
    asked[0]?.answer(good(found([customer('maria')])))
    await Promise.all([first, second])
    await find.now()
    expect(asked).toHaveLength(1)
    expect(find.only?.id).toBe('maria')
  })

  test('nobody is meant where several were found', async () => {
    const { asked, find } = make()
    find.text = 'ma'
    const asking = find.now()
    asked[0]?.answer(good(found([customer('maria'), customer('marios')])))
    await asking
    expect(find.only).toBeNull()
  })
})

describe('more of what was found', () => {
  test('is added behind it, nobody twice', async () => {
    const { asked, find } = make()
    find.text = 'ma'
    const first = find.now()
    asked[0]?.answer(good(found([customer('1'), customer('2')], { hasMore: true })))
    await first
    const second = find.more()
    expect(asked[1]?.input).toEqual({ text: 'ma', page: 2 })
    asked[1]?.answer(good(found([customer('2'), customer('3')], { page: 2 })))
    await second
    expect(find.finding?.customers.map(({ id }) => id)).toEqual(['1', '2', '3'])
    expect(find.finding?.hasMore).toBe(false)
  })
})
