import { describe, expect, test } from 'vitest'
import type { Bridge } from '../../../../electron/contract/bridge.ts'
import { err, ok } from '../../../../electron/contract/failure.ts'
import type { Batch } from '../../../../electron/contract/slips.ts'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import { Batches, unprintedCount } from '../../../../renderer/src/state/batches.svelte.ts'
import { bridgeWith, byHand, settle } from '../support/bridge.ts'

const batch = (batchId: string, change: Partial<Batch> = {}): Batch => ({
  batchId,
  points: 250,
  count: 10,
  oneJob: false,
  state: 'running',
  reason: null,
  issued: 4,
  printed: 2,
  saved: 0,
  failed: 1,
  ended: 0,
  unknown: 0,
  waiting: 6,
  startedAt: '2026-11-21T12:00:00.000Z',
  endedAt: null,
  training: false,
  ...change
})

const make = (calls: Partial<Bridge['batches']> = {}) => {
  const bridge = bridgeWith({ batches: { unfinished: () => Promise.resolve(ok([])), ...calls } })
  return { bridge, batches: new Batches(bridge, new IpcClient()) }
}

describe('a new batch', () => {
  const agreed = (batches: Batches): void => {
    batches.openForm(false)
    Object.assign(batches.form ?? {}, { points: '250', count: '10' })
    batches.form?.check()
  }

  test('is started once, however often the button is pressed, and comes into sight', async () => {
    const { asked, call } = byHand<{ batchId: string; count: number }, Batch>()
    const { batches } = make({ start: call })
    agreed(batches)
    const first = batches.submit()
    await batches.submit()
    asked[0]?.answer(ok(batch(asked[0].input.batchId)))
    await first
    expect([asked.length, asked[0]?.input.count, batches.form]).toEqual([1, 10, null])
    expect(batches.open?.issued).toBe(4)
  })

  test('asks for nothing before the cashier said yes to the total', async () => {
    const { batches } = make()
    batches.openForm(false)
    await batches.submit()
    expect([batches.open, batches.request.failure]).toEqual([null, null])
  })

  test('that could not be started keeps its form and its id', async () => {
    const { batches } = make({ start: () => Promise.resolve(err({ kind: 'not-saved', what: 'journal' })) })
    agreed(batches)
    const form = batches.form
    await batches.submit()
    expect([batches.form, batches.request.failure?.kind]).toEqual([form, 'not-saved'])
  })

  test('is not taken for one that was left behind', async () => {
    const { bridge, batches } = make({ start: ({ batchId }) => Promise.resolve(ok(batch(batchId))) })
    batches.start()
    await settle()
    agreed(batches)
    await batches.submit()
    bridge.sendBatch(batch(batches.open?.batchId ?? '', { issued: 7 }))
    expect([batches.interrupted, batches.open?.issued, batches.unfinished.length]).toEqual([null, 7, 1])
  })
})

describe('a batch that was left unfinished', () => {
  test('is offered at the start until somebody looks at it', async () => {
    const old = batch('old', { state: 'stopped' })
    const { batches } = make({ unfinished: () => Promise.resolve(ok([old])) })
    batches.start()
    await settle()
    expect(batches.interrupted?.batchId).toBe('old')
    batches.show(old)
    expect([batches.interrupted, batches.open?.batchId, batches.unfinished.length]).toEqual([null, 'old', 1])
  })

  test('left for later, is still listed', async () => {
    const old = batch('old', { state: 'paused' })
    const { batches } = make({ unfinished: () => Promise.resolve(ok([old])) })
    batches.start()
    await settle()
    batches.dismiss(old)
    expect([batches.interrupted, batches.unfinished.length]).toEqual([null, 1])
  })

  test('leaves the list once it is finished, and its result stays in sight', async () => {
    const old = batch('old')
    const { bridge, batches } = make({ unfinished: () => Promise.resolve(ok([old])) })
    batches.start()
    await settle()
    batches.show(old)
    bridge.sendBatch(batch('old', { state: 'finished', issued: 10, waiting: 0 }))
    expect([batches.unfinished, batches.open?.state]).toEqual([[], 'finished'])
  })
})

describe('the batch in sight', () => {
  test.each([
    ['pause', { batchId: 'a' }, (batches: Batches) => batches.pause()],
    ['resume', { batchId: 'a', issueUnknownAgain: true }, (batches: Batches) => batches.resume(true)],
    ['cancel', { batchId: 'a', unprinted: 'discard' }, (batches: Batches) => batches.cancel('discard')],
    ['printRest', { batchId: 'a' }, (batches: Batches) => batches.printRest()]
  ] as const)('%s', async (name, input, act) => {
    const { asked, call } = byHand<object, Batch>()
    const { batches } = make({ [name]: call })
    batches.show(batch('a'))
    const acting = act(batches)
    asked[0]?.answer(ok(batch('a', { state: 'paused', issued: 5 })))
    await acting
    expect([asked[0]?.input, batches.open?.issued]).toEqual([input, 5])
  })

  test('closed, goes on by itself', () => {
    const { bridge, batches } = make()
    batches.start()
    batches.show(batch('a'))
    batches.close()
    bridge.sendBatch(batch('a', { issued: 8 }))
    expect([batches.open, batches.unfinished[0]?.issued]).toEqual([null, 8])
  })
})

test('codes without paper are those that are neither printed nor ended by a person', () => {
  expect(unprintedCount(batch('a', { issued: 9, printed: 5, failed: 1, ended: 2 }))).toBe(2)
})
