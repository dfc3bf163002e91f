import { describe, expect, test } from 'vitest'
import { bad, good } from '../../../../electron/contract/failure.ts'
import type { Bridge } from '../../../../electron/contract/bridge.ts'
import { Answers } from '../../../../renderer/src/state/answers.svelte.ts'
import { canPrint, needsAttention, Slips } from '../../../../renderer/src/state/slips.svelte.ts'
import { bridgeWith, issued, settle, slip } from '../support/bridge.ts'

const make = (calls: Partial<Bridge['slips']>) => {
  const bridge = bridgeWith({ slips: { attention: () => Promise.resolve(good(0)), ...calls } })
  return { bridge, slips: new Slips(bridge, new Answers()) }
}

const listOf =
  (...pages: string[][]): Bridge['slips']['list'] =>
  ({ offset }) => {
    const all = pages.flat()
    const size = pages[0]?.length ?? 0
    return Promise.resolve(
      good({
        slips: all.slice(offset, offset + size).map((id) => slip(id)),
        hasMore: offset + size < all.length
      })
    )
  }

const ids = (slips: Slips) => slips.list?.map(({ intentId }) => intentId)

describe('the list of slips', () => {
  test('goes on at a press', async () => {
    const { slips } = make({ list: listOf(['c', 'b'], ['a']) })
    await slips.load()
    expect([ids(slips), slips.hasMore]).toEqual([['c', 'b'], true])
    await slips.more()
    expect([ids(slips), slips.hasMore]).toEqual([['c', 'b', 'a'], false])
  })

  test('takes a new slip in at its top, and a changed one where it stands', async () => {
    const { bridge, slips } = make({ list: listOf(['b', 'a']) })
    const stop = slips.start()
    await slips.load()
    bridge.tellSlip(slip('c'))
    bridge.tellSlip(slip('a', { state: 'print-failed' }))
    expect(slips.list?.map(({ intentId, state }) => `${intentId} ${state}`)).toEqual([
      'c printed',
      'b printed',
      'a print-failed'
    ])
    stop()
    bridge.tellSlip(slip('d'))
    expect(ids(slips)).toEqual(['c', 'b', 'a'])
  })

  test('counts again whenever a slip changes', async () => {
    let count = 1
    const { bridge, slips } = make({ attention: () => Promise.resolve(good(count)) })
    slips.start()
    await settle()
    expect(slips.attention).toBe(1)
    count = 2
    bridge.tellSlip(slip('a', { state: 'unknown' }))
    await settle()
    expect(slips.attention).toBe(2)
  })
})

describe('printing from the list', () => {
  test('shows the slip as printed', async () => {
    const failed = slip('a', { state: 'print-failed' })
    const { slips } = make({
      list: () => Promise.resolve(good({ slips: [failed], hasMore: false })),
      print: ({ intentId }) => Promise.resolve(good(issued(intentId)))
    })
    await slips.load()
    const printing = slips.print(failed)
    expect(slips.printing).toBe('a')
    await printing
    expect([slips.printing, slips.list?.[0]?.state]).toEqual([null, 'printed'])
  })

  test('says at the slip why it did not', async () => {
    const { slips } = make({ print: () => Promise.resolve(bad({ kind: 'not-saved', what: 'slip' })) })
    await slips.print(slip('a', { state: 'issued' }))
    expect(slips.failureOf('a')).toEqual({ kind: 'not-saved', what: 'slip' })
    expect(slips.failureOf('b')).toBeNull()
  })
})

test.each([
  ['requested', false, false],
  ['issued', true, true],
  ['printing', false, false],
  ['printed', false, false],
  ['print-failed', true, true],
  ['unknown', true, false],
  ['refused', false, false]
] as const)('%s: needs attention %s, can be printed %s', (state, attention, printable) => {
  const one = slip('a', { state })
  expect([needsAttention(one), canPrint(one)]).toEqual([attention, printable])
})
