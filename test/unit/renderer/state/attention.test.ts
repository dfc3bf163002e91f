import { describe, expect, test, vi } from 'vitest'
import type { Bridge } from '../../../../electron/contract/bridge.ts'
import { err, ok, type Result } from '../../../../electron/contract/failure.ts'
import type { UnansweredOperation } from '../../../../electron/contract/operations.ts'
import type { AttentionSlip } from '../../../../electron/contract/slips.ts'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import { Attention, UnansweredOperations } from '../../../../renderer/src/state/attention.svelte.ts'
import { bridgeWith, deferredCalls, issued, flushPromises, slip } from '../support/bridge.ts'

const waiting = (id: string): AttentionSlip => ({
  slip: slip(id, { state: 'print-failed' }),
  action: 'print'
})

/** Creates an `Attention` whose main process has the slips `stored.ids`. The ids may change during a test. */
const createAttention = (stored: { ids: string[] }, calls: Partial<Bridge['slips']> = {}) => {
  const bridge = bridgeWith({
    slips: {
      attention: () => Promise.resolve(ok(stored.ids.length)),
      attentionList: ({ offset }) =>
        Promise.resolve(
          ok({
            slips: stored.ids.slice(offset, offset + 2).map(waiting),
            hasMore: stored.ids.length > offset + 2
          })
        ),
      ...calls
    }
  })
  return { bridge, attention: new Attention(bridge, new IpcClient()) }
}

const ids = (attention: Attention) => attention.list?.map((one) => one.slip.intentId)

describe('Attention', () => {
  test('loads the count at the start and updates it when a slip changes', async () => {
    const stored = { ids: ['a'] }
    const { bridge, attention } = createAttention(stored)
    const stop = attention.start()
    await vi.waitFor(() => {
      expect(attention.count).toBe(1)
    })
    stored.ids = ['b', 'a']
    bridge.sendSlip(slip('b', { state: 'unknown' }))
    await vi.waitFor(() => {
      expect(attention.count).toBe(2)
    })
    stop()
    stored.ids = []
    bridge.sendSlip(slip('b'))
    await flushPromises()
    expect(attention.count).toBe(2)
  })

  test('a list that grows while its pages are read again has each slip once', async () => {
    const stored = { ids: ['d', 'c', 'b', 'a'] }
    let reads = 0
    const { bridge, attention } = createAttention(stored, {
      attentionList: ({ offset }) => {
        const slips = stored.ids.slice(offset, offset + 2).map(waiting)
        // Two more slips after the first page of each reading.
        if (reads++ > 0 && offset === 0)
          stored.ids = [`x${String(reads)}`, `y${String(reads)}`, ...stored.ids]
        return Promise.resolve(ok({ slips, hasMore: stored.ids.length > offset + 2 }))
      }
    })
    attention.start()
    await attention.load()
    await attention.more()
    bridge.sendSlip(slip('d'))
    await flushPromises()
    expect(ids(attention)).toEqual(['d', 'c', 'b', 'a'])
  })

  test('sends one more count request when several slips change during a request', async () => {
    const { requests, call } = deferredCalls<undefined, number>()
    const bridge = bridgeWith({ slips: { attention: () => call(undefined) } })
    const attention = new Attention(bridge, new IpcClient())
    attention.start()
    for (const id of ['a', 'b', 'c']) bridge.sendSlip(slip(id))
    requests[0]?.resolve(ok(1))
    await flushPromises()
    requests[1]?.resolve(ok(3))
    await flushPromises()
    expect(requests).toHaveLength(2)
    expect(attention.count).toBe(3)
  })

  test('lists no slip again that was done with while the next page was read', async () => {
    const stored = { ids: ['e', 'd', 'c', 'b', 'a'] }
    const pending = Promise.withResolvers<undefined>()
    let isSlow = false
    const { bridge, attention } = createAttention(stored, {
      attentionList: async ({ offset }) => {
        const page = {
          slips: stored.ids.slice(offset, offset + 2).map(waiting),
          hasMore: offset + 2 < stored.ids.length
        }
        if (isSlow && offset > 0) {
          isSlow = false
          await pending.promise
        }
        return ok(page)
      }
    })
    attention.start()
    await attention.load()
    isSlow = true
    const more = attention.more()
    stored.ids = ['d', 'c', 'b', 'a']
    bridge.sendSlip(slip('e'))
    await flushPromises()
    expect(ids(attention)).toEqual(['d', 'c'])
    pending.resolve(undefined)
    await more
    expect(ids(attention)).toEqual(['d', 'c', 'b', 'a'])
  })

  test('updates the number on the lock screen, where the list is refused', async () => {
    const stored = { ids: ['a'] }
    let locked = false
    const { bridge, attention } = createAttention(stored, {
      attentionList: () =>
        Promise.resolve(
          locked
            ? err({ kind: 'locked', needs: 'cashier' })
            : ok({ slips: stored.ids.map(waiting), hasMore: false })
        )
    })
    attention.start()
    await attention.load()
    locked = true
    stored.ids = ['b', 'a']
    bridge.sendSlip(slip('b', { state: 'print-failed' }))
    await flushPromises()
    expect(attention.count).toBe(2)
    expect(ids(attention)).toEqual(['a'])
  })

  test('changes the number and the rows together', async () => {
    // The number is slower than the list, as while the journal opens.
    const counts = deferredCalls<undefined, number>()
    const { attention } = createAttention({ ids: ['a'] }, { attention: () => counts.call(undefined) })
    attention.start()
    const loading = attention.load()
    await flushPromises()
    expect([attention.count, ids(attention)]).toEqual([0, undefined])
    for (const { resolve } of counts.requests) resolve(ok(1))
    await loading
    expect([attention.count, ids(attention)]).toEqual([1, ['a']])
  })

  test('keeps the number with the rows while an action runs', async () => {
    const { call } = deferredCalls<object, ReturnType<typeof issued>>()
    const stored = { ids: ['a'] }
    const { bridge, attention } = createAttention(stored, { print: call })
    attention.start()
    await attention.load()
    void attention.print(slip('a'))
    stored.ids = []
    bridge.sendSlip(slip('a', { state: 'printing' }))
    await flushPromises()
    expect([attention.count, ids(attention)]).toEqual([1, ['a']])
  })

  test('loads the list page by page and refreshes the loaded pages when a slip changes', async () => {
    const stored = { ids: ['c', 'b', 'a'] }
    const { bridge, attention } = createAttention(stored)
    attention.start()
    await attention.load()
    expect(ids(attention)).toEqual(['c', 'b'])
    expect(attention.hasMore).toBe(true)
    await attention.more()
    expect(ids(attention)).toEqual(['c', 'b', 'a'])
    expect(attention.hasMore).toBe(false)
    stored.ids = ['c', 'a']
    bridge.sendSlip(slip('b'))
    await vi.waitFor(() => {
      expect(ids(attention)).toEqual(['c', 'a'])
    })
  })
})

describe('actions of Attention', () => {
  test.each([
    ['print', (attention: Attention) => attention.print(slip('a'))],
    ['markGiven', (attention: Attention) => attention.markGiven(slip('a'))],
    ['discard', (attention: Attention) => attention.discard(slip('a'), 'Typed twice')]
  ] as const)('%s removes the slip from the list', async (name, act) => {
    const stored = { ids: ['a'] }
    const inputs: unknown[] = []
    const recordCall = (input: unknown): Promise<Result<never>> => {
      inputs.push(input)
      stored.ids = []
      return Promise.resolve(ok(name === 'print' ? issued('a') : slip('a')) as Result<never>)
    }
    const { attention } = createAttention(stored, { [name]: recordCall })
    await attention.load()
    await act(attention)
    expect(ids(attention)).toEqual([])
    expect(attention.count).toBe(0)
    expect(attention.busy).toBeNull()
    expect(inputs).toEqual([
      name === 'discard' ? { intentId: 'a', reason: 'Typed twice' } : { intentId: 'a' }
    ])
  })

  test('a pending action keeps the row, and a failed one shows its failure at the row', async () => {
    const { requests, call } = deferredCalls<object, ReturnType<typeof issued>>()
    const stored = { ids: ['a'] }
    const { bridge, attention } = createAttention(stored, { print: call })
    attention.start()
    await attention.load()
    const printing = attention.print(slip('a'))
    stored.ids = []
    bridge.sendSlip(slip('a', { state: 'printing' }))
    await flushPromises()
    expect(ids(attention)).toEqual(['a'])
    expect(attention.busy).toBe('a')
    stored.ids = ['a']
    requests[0]?.resolve(err({ kind: 'not-saved', what: 'slip' }))
    await printing
    expect(ids(attention)).toEqual(['a'])
    expect(attention.failureOf('a')?.kind).toBe('not-saved')
    expect(attention.failureOf('b')).toBeNull()
  })
})

describe('UnansweredOperations', () => {
  const lost = (key: string): UnansweredOperation => ({
    key,
    kind: 'redeem',
    customer: { id: 'c', name: 'Ada' },
    points: 120,
    subject: 'Coffee',
    requestedAt: '2026-11-25T10:00:00.000Z',
    failure: { kind: 'unknown-outcome', cause: 'timeout' },
    canDiscard: true,
    training: false
  })

  /** The ids may change during a test. */
  const createUnanswered = (stored: { ids: string[] }, calls: Partial<Bridge['operations']> = {}) => {
    const list = () => Promise.resolve(ok(stored.ids.map(lost)))
    const bridge = bridgeWith({
      operations: {
        attention: () => Promise.resolve(ok(stored.ids.length)),
        attentionList: list,
        askAgain: list,
        ...calls
      }
    })
    return { bridge, unanswered: new UnansweredOperations(bridge, new IpcClient()) }
  }
  const listed = ({ list }: UnansweredOperations) => list?.map(({ key }) => key)

  test('counts at the start, lists once it is loaded, and follows each change', async () => {
    const stored = { ids: ['a'] }
    const { bridge, unanswered } = createUnanswered(stored)
    const stop = unanswered.start()
    await vi.waitFor(() => {
      expect(unanswered.count).toBe(1)
    })
    expect(unanswered.list).toBeNull()
    await unanswered.load()
    stored.ids = ['b', 'a']
    bridge.sendOperation({ key: 'b' })
    await vi.waitFor(() => {
      expect([unanswered.count, listed(unanswered)]).toEqual([2, ['b', 'a']])
    })
    stop()
    stored.ids = []
    bridge.sendOperation({ key: 'b' })
    await flushPromises()
    expect(unanswered.count).toBe(2)
  })

  test('asks again, and ends one with a reason', async () => {
    const stored = { ids: ['b', 'a'] }
    const { unanswered } = createUnanswered(stored, {
      askAgain: () => {
        stored.ids = ['a']
        return Promise.resolve(ok([]))
      },
      discard: ({ reason }) => {
        if (reason !== 'Looked it up') return Promise.resolve(err({ kind: 'locked', needs: 'manager' }))
        stored.ids = []
        return Promise.resolve(ok(null))
      }
    })
    await unanswered.load()
    await unanswered.askAgain()
    expect([unanswered.count, listed(unanswered)]).toEqual([1, ['a']])

    expect(await unanswered.discard({ key: 'a', reason: 'Without a manager' })).toBe(false)
    expect(unanswered.request.failure).toEqual({ kind: 'locked', needs: 'manager' })
    expect(listed(unanswered)).toEqual(['a'])
    expect(await unanswered.discard({ key: 'a', reason: 'Looked it up' })).toBe(true)
    expect([unanswered.count, listed(unanswered)]).toEqual([0, []])
  })
})
