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

/** A main that has these slips waiting. */
const make = (held: { ids: string[] }, calls: Partial<Bridge['slips']> = {}) => {
  const bridge = bridgeWith({
    slips: {
      attention: () => Promise.resolve(ok(held.ids.length)),
      attentionList: ({ offset }) =>
        Promise.resolve(
          ok({
            slips: held.ids.slice(offset, offset + 2).map(waiting),
            hasMore: held.ids.length > offset + 2
          })
        ),
      ...calls
    }
  })
  return { bridge, attention: new Attention(bridge, new IpcClient()) }
}

const ids = (attention: Attention) => attention.list?.map((one) => one.slip.intentId)

describe('what needs attention', () => {
  test('is counted at the start, and again as slips change', async () => {
    const held = { ids: ['a'] }
    const { bridge, attention } = make(held)
    const stop = attention.start()
    await vi.waitFor(() => {
      expect(attention.count).toBe(1)
    })
    held.ids = ['b', 'a']
    bridge.sendSlip(slip('b', { state: 'unknown' }))
    await vi.waitFor(() => {
      expect(attention.count).toBe(2)
    })
    stop()
    held.ids = []
    bridge.sendSlip(slip('b'))
    await flushPromises()
    expect(attention.count).toBe(2)
  })

  test('is requests for once more, however many slips change while main is requests', async () => {
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

  test('is listed page by page, and the pages in sight are kept in step', async () => {
    const held = { ids: ['c', 'b', 'a'] }
    const { bridge, attention } = make(held)
    attention.start()
    await attention.load()
    expect(ids(attention)).toEqual(['c', 'b'])
    expect(attention.hasMore).toBe(true)
    await attention.more()
    expect(ids(attention)).toEqual(['c', 'b', 'a'])
    expect(attention.hasMore).toBe(false)
    held.ids = ['c', 'a']
    bridge.sendSlip(slip('b'))
    await vi.waitFor(() => {
      expect(ids(attention)).toEqual(['c', 'a'])
    })
  })
})

describe('the right action', () => {
  test.each([
    ['print', (attention: Attention) => attention.print(slip('a'))],
    ['markGiven', (attention: Attention) => attention.markGiven(slip('a'))],
    ['discard', (attention: Attention) => attention.discard(slip('a'), 'Typed twice')]
  ] as const)('%s takes the slip off the list', async (name, act) => {
    const held = { ids: ['a'] }
    const inputs: unknown[] = []
    const done = (input: unknown): Promise<Result<never>> => {
      inputs.push(input)
      held.ids = []
      return Promise.resolve(ok(name === 'print' ? issued('a') : slip('a')) as Result<never>)
    }
    const { attention } = make(held, { [name]: done })
    await attention.load()
    await act(attention)
    expect(ids(attention)).toEqual([])
    expect(attention.count).toBe(0)
    expect(attention.busy).toBeNull()
    expect(inputs).toEqual([
      name === 'discard' ? { intentId: 'a', reason: 'Typed twice' } : { intentId: 'a' }
    ])
  })

  test('keeps the row until its answer is there, and says at the row why it came to nothing', async () => {
    const { requests, call } = deferredCalls<object, ReturnType<typeof issued>>()
    const held = { ids: ['a'] }
    const { bridge, attention } = make(held, { print: call })
    attention.start()
    await attention.load()
    const printing = attention.print(slip('a'))
    held.ids = []
    bridge.sendSlip(slip('a', { state: 'printing' }))
    await flushPromises()
    expect(ids(attention)).toEqual(['a'])
    expect(attention.busy).toBe('a')
    held.ids = ['a']
    requests[0]?.resolve(err({ kind: 'not-saved', what: 'slip' }))
    await printing
    expect(ids(attention)).toEqual(['a'])
    expect(attention.failureOf('a')?.kind).toBe('not-saved')
    expect(attention.failureOf('b')).toBeNull()
  })
})
