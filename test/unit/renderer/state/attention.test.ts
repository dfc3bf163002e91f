import { describe, expect, test } from 'vitest'
import type { Bridge } from '../../../../electron/contract/bridge.ts'
import { err, ok, type Result } from '../../../../electron/contract/failure.ts'
import type { AttentionSlip } from '../../../../electron/contract/slips.ts'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import { Attention } from '../../../../renderer/src/state/attention.svelte.ts'
import { bridgeWith, byHand, issued, settle, slip } from '../support/bridge.ts'

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
    await settle()
    expect(attention.count).toBe(1)
    held.ids = ['b', 'a']
    bridge.sendSlip(slip('b', { state: 'unknown' }))
    await settle()
    expect(attention.count).toBe(2)
    stop()
    held.ids = []
    bridge.sendSlip(slip('b'))
    await settle()
    expect(attention.count).toBe(2)
  })

  test('is asked for once more, however many slips change while main is asked', async () => {
    const { asked, call } = byHand<undefined, number>()
    const bridge = bridgeWith({ slips: { attention: () => call(undefined) } })
    const attention = new Attention(bridge, new IpcClient())
    attention.start()
    for (const id of ['a', 'b', 'c']) bridge.sendSlip(slip(id))
    asked[0]?.answer(ok(1))
    await settle()
    asked[1]?.answer(ok(3))
    await settle()
    expect([asked.length, attention.count]).toEqual([2, 3])
  })

  test('is listed page by page, and the pages in sight are kept in step', async () => {
    const held = { ids: ['c', 'b', 'a'] }
    const { bridge, attention } = make(held)
    attention.start()
    await attention.load()
    expect([ids(attention), attention.hasMore]).toEqual([['c', 'b'], true])
    await attention.more()
    expect([ids(attention), attention.hasMore]).toEqual([['c', 'b', 'a'], false])
    held.ids = ['c', 'a']
    bridge.sendSlip(slip('b'))
    await settle()
    expect(ids(attention)).toEqual(['c', 'a'])
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
    expect([ids(attention), attention.count, attention.busy]).toEqual([[], 0, null])
    expect(inputs).toEqual([
      name === 'discard' ? { intentId: 'a', reason: 'Typed twice' } : { intentId: 'a' }
    ])
  })

  test('keeps the row until its answer is there, and says at the row why it came to nothing', async () => {
    const { asked, call } = byHand<object, ReturnType<typeof issued>>()
    const held = { ids: ['a'] }
    const { bridge, attention } = make(held, { print: call })
    attention.start()
    await attention.load()
    const printing = attention.print(slip('a'))
    held.ids = []
    bridge.sendSlip(slip('a', { state: 'printing' }))
    await settle()
    expect([ids(attention), attention.busy]).toEqual([['a'], 'a'])
    held.ids = ['a']
    asked[0]?.answer(err({ kind: 'not-saved', what: 'slip' }))
    await printing
    expect([ids(attention), attention.failureOf('a')?.kind, attention.failureOf('b')]).toEqual([
      ['a'],
      'not-saved',
      null
    ])
  })
})
