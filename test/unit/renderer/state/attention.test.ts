import { describe, expect, test, vi } from 'vitest'
import type { Bridge } from '../../../../electron/contract/bridge.ts'
import { err, ok, type Result } from '../../../../electron/contract/failure.ts'
import type { AttentionSlip } from '../../../../electron/contract/slips.ts'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import { Attention } from '../../../../renderer/src/state/attention.svelte.ts'
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
