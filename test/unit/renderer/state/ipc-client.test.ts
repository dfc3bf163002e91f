import { describe, expect, test, vi } from 'vitest'
import { err, ok } from '../../../../electron/contract/failure.ts'
import { IpcClient, AsyncRequest } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import { deferredCalls } from '../support/bridge.ts'

const createRequest = () => {
  const { requests, call } = deferredCalls<string, string>()
  return { requests, call, request: new AsyncRequest(new IpcClient()) }
}

describe('AsyncRequest', () => {
  test('returns the value and is running until then', async () => {
    const { requests, call, request } = createRequest()
    const answer = request.run(() => call('a'))
    expect(request.running).toBe(true)
    requests[0]?.resolve(ok('A'))
    expect(await answer).toBe('A')
    expect(request.running).toBe(false)
    expect(request.failure).toBeNull()
  })

  test('ignores the result of a request that a later one replaced', async () => {
    const { requests, call, request } = createRequest()
    const [first, second] = [request.run(() => call('a')), request.run(() => call('b'))]
    requests[1]?.resolve(ok('B'))
    expect(await second).toBe('B')
    requests[0]?.resolve(err({ kind: 'timeout' }))
    expect(await first).toBeUndefined()
    expect(request.failure).toBeNull()
  })

  test('keeps the failure until the next result', async () => {
    const { requests, call, request } = createRequest()
    const failing = request.run(() => call('a'))
    requests[0]?.resolve(err({ kind: 'offline' }))
    expect(await failing).toBeUndefined()
    expect(request.failure).toEqual({ kind: 'offline' })
    const again = request.run(() => call('a'))
    expect(request.failure).toEqual({ kind: 'offline' })
    requests[1]?.resolve(ok('A'))
    await again
    expect(request.failure).toBeNull()
  })

  test('ignores the pending result after reset', async () => {
    const { requests, call, request } = createRequest()
    const answer = request.run(() => call('a'))
    request.reset()
    requests[0]?.resolve(err({ kind: 'offline' }))
    expect(await answer).toBeUndefined()
    expect(request.running).toBe(false)
    expect(request.failure).toBeNull()
  })
})

describe('IpcClient', () => {
  test('returns an internal failure for an exception and logs it', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue()
    const fault = new Error('no such channel')
    const answer = await new IpcClient().invoke(() => Promise.reject(fault))
    expect(answer).toEqual(err({ kind: 'internal' }))
    expect(log).toHaveBeenCalledWith(fault)
    log.mockRestore()
  })
})
