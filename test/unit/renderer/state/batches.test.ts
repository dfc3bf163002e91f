import { describe, expect, test, vi } from 'vitest'
import type { Bridge } from '../../../../electron/contract/bridge.ts'
import { err, ok } from '../../../../electron/contract/failure.ts'
import type { Batch } from '../../../../electron/contract/slips.ts'
import { Batches, BatchForm, unprintedCount } from '../../../../renderer/src/state/batches.svelte.ts'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import { bridgeWith, deferredCalls, flushPromises } from '../support/bridge.ts'

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
  handedOver: 0,
  sent: 0,
  failed: 1,
  ended: 0,
  unknown: 0,
  waiting: 6,
  startedAt: '2026-11-21T12:00:00.000Z',
  endedAt: null,
  training: false,
  ...change
})

const createBatches = (calls: Partial<Bridge['batches']> = {}) => {
  const bridge = bridgeWith({ batches: { unfinished: () => Promise.resolve(ok([])), ...calls } })
  return { bridge, batches: new Batches(bridge, new IpcClient()) }
}

describe('a new batch', () => {
  const agreed = (batches: Batches): void => {
    batches.openForm(false)
    Object.assign(batches.form ?? {}, { points: '250', count: '10' })
    batches.form?.check()
  }

  test('starts once when submitted twice, and is opened', async () => {
    const { requests, call } = deferredCalls<{ batchId: string; count: number }, Batch>()
    const { batches } = createBatches({ start: call })
    agreed(batches)
    const first = batches.submit()
    await batches.submit()
    requests[0]?.resolve(ok(batch(requests[0].input.batchId)))
    await first
    expect(requests).toHaveLength(1)
    expect(requests[0]?.input.count).toBe(10)
    expect(batches.form).toBeNull()
    expect(batches.open?.issued).toBe(4)
  })

  test('is not started before the total is confirmed', async () => {
    const { batches } = createBatches()
    batches.openForm(false)
    await batches.submit()
    expect(batches.open).toBeNull()
    expect(batches.request.failure).toBeNull()
  })

  test('keeps its form and its id when the start fails', async () => {
    const { batches } = createBatches({
      start: () => Promise.resolve(err({ kind: 'not-saved', what: 'journal' }))
    })
    agreed(batches)
    const form = batches.form
    await batches.submit()
    expect(batches.form).toEqual(form)
    expect(batches.request.failure?.kind).toBe('not-saved')
  })

  test('is not shown as an interrupted batch', async () => {
    const { bridge, batches } = createBatches({ start: ({ batchId }) => Promise.resolve(ok(batch(batchId))) })
    batches.start()
    await flushPromises()
    agreed(batches)
    await batches.submit()
    bridge.sendBatch(batch(batches.open?.batchId ?? '', { issued: 7 }))
    expect(batches.interrupted).toBeNull()
    expect(batches.open?.issued).toBe(7)
    expect(batches.unfinished).toHaveLength(1)
  })
})

describe('an unfinished batch', () => {
  test('is offered after the start until it is opened', async () => {
    const old = batch('old', { state: 'stopped' })
    const { batches } = createBatches({ unfinished: () => Promise.resolve(ok([old])) })
    batches.start()
    await vi.waitFor(() => {
      expect(batches.interrupted?.batchId).toBe('old')
    })
    batches.show(old)
    expect(batches.interrupted).toBeNull()
    expect(batches.open?.batchId).toBe('old')
    expect(batches.unfinished).toHaveLength(1)
  })

  test('stays in the list after it is dismissed', async () => {
    const old = batch('old', { state: 'paused' })
    const { batches } = createBatches({ unfinished: () => Promise.resolve(ok([old])) })
    batches.start()
    await vi.waitFor(() => {
      expect(batches.interrupted?.batchId).toBe('old')
    })
    batches.dismiss(old)
    expect(batches.interrupted).toBeNull()
    expect(batches.unfinished).toHaveLength(1)
  })

  test('leaves the list when it is finished and stays open', async () => {
    const old = batch('old')
    const { bridge, batches } = createBatches({ unfinished: () => Promise.resolve(ok([old])) })
    batches.start()
    await vi.waitFor(() => {
      expect(batches.unfinished).toHaveLength(1)
    })
    batches.show(old)
    bridge.sendBatch(batch('old', { state: 'finished', issued: 10, waiting: 0 }))
    expect(batches.unfinished).toEqual([])
    expect(batches.open?.state).toBe('finished')
  })
})

describe('the open batch', () => {
  test.each([
    ['pause', { batchId: 'a' }, (batches: Batches) => batches.pause()],
    ['resume', { batchId: 'a', issueUnknownAgain: true }, (batches: Batches) => batches.resume(true)],
    ['cancel', { batchId: 'a', unprinted: 'discard' }, (batches: Batches) => batches.cancel('discard')],
    ['printRest', { batchId: 'a' }, (batches: Batches) => batches.printRest()]
  ] as const)('%s sends the batch id and shows the returned state', async (name, input, act) => {
    const { requests, call } = deferredCalls<object, Batch>()
    const { batches } = createBatches({ [name]: call })
    batches.show(batch('a'))
    const acting = act(batches)
    requests[0]?.resolve(ok(batch('a', { state: 'paused', issued: 5 })))
    await acting
    expect(requests[0]?.input).toEqual(input)
    expect(batches.open?.issued).toBe(5)
  })

  test('continues in the list after it is closed', () => {
    const { bridge, batches } = createBatches()
    batches.start()
    batches.show(batch('a'))
    batches.close()
    bridge.sendBatch(batch('a', { issued: 8 }))
    expect(batches.open).toBeNull()
    expect(batches.unfinished[0]?.issued).toBe(8)
  })
})

test('unprintedCount leaves out printed and discarded slips', () => {
  expect(unprintedCount(batch('a', { issued: 9, printed: 5, failed: 1, ended: 2 }))).toBe(2)
})

const filled = (points: string, count: string): BatchForm => {
  const form = new BatchForm(false)
  form.typePoints(points)
  form.typeCount(count)
  return form
}

describe('BatchForm', () => {
  test('calculates the total and waits for confirmation', () => {
    const form = filled('250', '120')
    form.oneJob = true
    expect(form.total).toBe(30_000)
    expect(form.check()).toBe(true)
    expect(form.request).toEqual({ batchId: form.batchId, points: 250, count: 120, oneJob: true })
  })

  test('keeps the typed values after going back', () => {
    const form = filled('250', '120')
    form.check()
    form.back()
    expect(form.request).toBeNull()
    expect(form.points).toBe('250')
    expect(form.count).toBe('120')
  })

  test('keeps its id for the same values, and has another one for others', () => {
    const form = filled('250', '120')
    form.check()
    const first = form.request?.batchId
    form.back()
    form.check()
    expect(form.request?.batchId).toBe(first)
    form.back()
    form.typePoints('25')
    form.check()
    expect(form.request?.batchId).not.toBe(first)
  })

  test('accepts digits of any script', () => {
    expect(filled('٢٥٠', '๑๐').total).toBe(2500)
  })

  test.each([
    ['', 'missing'],
    ['1.5', 'not-a-whole-number'],
    ['0', 'out-of-bounds'],
    ['501', 'out-of-bounds']
  ] as const)('rejects the count %j: %s', (count, fault) => {
    const form = filled('250', count)
    expect(form.check()).toBe(false)
    expect(form.countFault).toEqual(fault)
    expect(form.request).toBeNull()
    expect(form.total).toBeNull()
    form.typeCount('500')
    expect(form.countFault).toBeNull()
    expect(form.check()).toBe(true)
  })

  test('rejects zero points', () => {
    const form = filled('0', '5')
    expect(form.check()).toBe(false)
    expect(form.pointsFailure?.kind).toBe('invalid-input')
  })
})
