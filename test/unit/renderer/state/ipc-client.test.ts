import { describe, expect, test, vi } from 'vitest'
import { err, ok } from '../../../../electron/contract/failure.ts'
import { IpcClient, AsyncRequest } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import { byHand } from '../support/bridge.ts'

const make = () => {
  const { asked, call } = byHand<string, string>()
  return { asked, call, request: new AsyncRequest(new IpcClient()) }
}

describe('asking', () => {
  test('gives the value, and runs until it is there', async () => {
    const { asked, call, request } = make()
    const answer = request.run(() => call('a'))
    expect(request.running).toBe(true)
    asked[0]?.answer(ok('A'))
    expect(await answer).toBe('A')
    expect([request.running, request.failure]).toEqual([false, null])
  })

  test('drops an answer that a later question overtook', async () => {
    const { asked, call, request } = make()
    const [first, second] = [request.run(() => call('a')), request.run(() => call('b'))]
    asked[1]?.answer(ok('B'))
    expect(await second).toBe('B')
    asked[0]?.answer(err({ kind: 'timeout' }))
    expect(await first).toBeUndefined()
    expect(request.failure).toBeNull()
  })

  test('keeps the failure until something else is known', async () => {
    const { asked, call, request } = make()
    const failing = request.run(() => call('a'))
    asked[0]?.answer(err({ kind: 'offline' }))
    expect(await failing).toBeUndefined()
    expect(request.failure).toEqual({ kind: 'offline' })
    const again = request.run(() => call('a'))
    expect(request.failure).toEqual({ kind: 'offline' })
    asked[1]?.answer(ok('A'))
    await again
    expect(request.failure).toBeNull()
  })

  test('after it was dropped nothing is shown any more', async () => {
    const { asked, call, request } = make()
    const answer = request.run(() => call('a'))
    request.reset()
    asked[0]?.answer(err({ kind: 'offline' }))
    expect(await answer).toBeUndefined()
    expect([request.running, request.failure]).toEqual([false, null])
  })
})

describe('the funnel of answers', () => {
  test('makes a failure of an exception, and logs it', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue()
    const fault = new Error('no such channel')
    const answer = await new IpcClient().invoke(() => Promise.reject(fault))
    expect(answer).toEqual(err({ kind: 'internal' }))
    expect(log).toHaveBeenCalledWith(fault)
    log.mockRestore()
  })
})
