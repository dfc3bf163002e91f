import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ServiceClosedError, createLazy, FALLBACK_RETRY_MS } from '../../../electron/main/lazy.ts'

describe('a service that is opened when it is first used', () => {
  it('is opened once at the first use', async () => {
    const open = vi.fn(() => Promise.resolve({ name: 'journal' }))
    const service = createLazy(open)
    expect(open).not.toHaveBeenCalled()
    expect(service.opened).toBeNull()
    const [one, other] = await Promise.all([service.get(), service.get()])
    expect(one).toBe(other)
    expect(await service.get()).toBe(one)
    expect(service.opened).toBe(one)
    expect(open).toHaveBeenCalledTimes(1)
  })

  it('rejects with the error of opening, and is opened again at the next use', async () => {
    const open = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('disk full'))
    open.mockResolvedValueOnce('open')
    const service = createLazy(open)
    const together = await Promise.allSettled([service.get(), service.get()])
    expect(together.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(service.opened).toBeNull()
    expect(await service.get()).toBe('open')
    expect(open).toHaveBeenCalledTimes(2)
  })

  it('replaces a fallback by opening again after the retry time, and closes the fallback', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const found = ['fallback 1', 'fallback 2', 'journal']
    const open = vi.fn(() => Promise.resolve(found.shift() ?? 'too many'))
    const end = vi.fn()
    const service = createLazy(open, end, (opened) => opened.startsWith('fallback'))
    expect(await service.get()).toBe('fallback 1')
    vi.advanceTimersByTime(FALLBACK_RETRY_MS - 1)
    expect(await service.get()).toBe('fallback 1')
    expect(end).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(await Promise.all([service.get(), service.get()])).toEqual(['fallback 2', 'fallback 2'])
    vi.advanceTimersByTime(FALLBACK_RETRY_MS)
    expect(await service.get()).toBe('journal')
    vi.advanceTimersByTime(10 * FALLBACK_RETRY_MS)
    expect(await service.get()).toBe('journal')
    expect(service.opened).toBe('journal')
    expect(end.mock.calls).toEqual([['fallback 1'], ['fallback 2']])
  })

  it('is closed once, and not opened afterwards', async () => {
    const end = vi.fn(() => Promise.resolve())
    const service = createLazy(() => Promise.resolve('open'), end)
    await service.get()
    await Promise.all([service.close(), service.close()])
    expect(end).toHaveBeenCalledExactlyOnceWith('open')
    expect(service.opened).toBeNull()
    await expect(service.get()).rejects.toBeInstanceOf(ServiceClosedError)
  })

  it('is not opened by closing', async () => {
    const open = vi.fn(() => Promise.resolve('open'))
    const end = vi.fn()
    await createLazy(open, end).close()
    expect(open).not.toHaveBeenCalled()
    expect(end).not.toHaveBeenCalled()
  })

  it('is closed while other work runs, and opened again by the calls that waited', async () => {
    const events: string[] = []
    const service = createLazy(
      () => {
        events.push('opened')
        return Promise.resolve('open')
      },
      () => void events.push('closed')
    )
    await service.get()
    const work = Promise.withResolvers<number>()
    const done = service.whileClosed(() => {
      events.push('work')
      return work.promise
    })
    const waiting = service.get()
    expect(service.opened).toBeNull()
    await vi.waitFor(() => expect(events).toEqual(['opened', 'closed', 'work']))
    work.resolve(7)
    expect(await done).toBe(7)
    expect(await waiting).toBe('open')
    expect(events).toEqual(['opened', 'closed', 'work', 'opened'])
  })

  it('is not opened for other work, and opens after work that failed', async () => {
    const open = vi.fn(() => Promise.resolve('open'))
    const service = createLazy(open)
    await expect(service.whileClosed(() => Promise.reject(new Error('disk full')))).rejects.toThrow(
      'disk full'
    )
    expect(open).not.toHaveBeenCalled()
    expect(await service.get()).toBe('open')
  })

  it('is closed after other work that is under way', async () => {
    const work = Promise.withResolvers<undefined>()
    const service = createLazy(() => Promise.resolve('open'))
    const done = service.whileClosed(() => work.promise)
    const closed = service.close()
    const used = service.get()
    work.resolve(undefined)
    await Promise.all([done, closed])
    await expect(used).rejects.toBeInstanceOf(ServiceClosedError)
  })

  it('is closed after a pending opening', async () => {
    const opening = Promise.withResolvers<string>()
    const end = vi.fn()
    const service = createLazy(() => opening.promise, end)
    const used = service.get()
    const closed = service.close()
    expect(end).not.toHaveBeenCalled()
    opening.resolve('open')
    expect(await used).toBe('open')
    await closed
    expect(end).toHaveBeenCalledExactlyOnceWith('open')
    expect(service.opened).toBeNull()
  })

  it('closes without an error if the pending opening failed, and rejects if closing fails', async () => {
    const opening = Promise.withResolvers<string>()
    const failing = createLazy(() => opening.promise)
    const used = failing.get()
    const closed = failing.close()
    opening.reject(new Error('no'))
    await expect(used).rejects.toThrow('no')
    await expect(closed).resolves.toBeUndefined()

    const service = createLazy(
      () => Promise.resolve('open'),
      () => Promise.reject(new Error('still busy'))
    )
    await service.get()
    await expect(service.close()).rejects.toThrow('still busy')
  })
})
