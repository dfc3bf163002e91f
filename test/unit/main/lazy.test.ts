import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ServiceClosedError, createLazy, FALLBACK_RETRY_MS } from '../../../electron/main/lazy.ts'

describe('a service that is opened when it is first used', () => {
  it('is not opened before, and once for all who use it', async () => {
    const open = vi.fn(() => Promise.resolve({ name: 'journal' }))
    const late = createLazy(open)
    expect(open).not.toHaveBeenCalled()
    expect(late.opened).toBeNull()
    const [one, other] = await Promise.all([late.use(), late.use()])
    expect(one).toBe(other)
    expect(await late.use()).toBe(one)
    expect(late.opened).toBe(one)
    expect(open).toHaveBeenCalledTimes(1)
  })

  it('tells whoever uses it why it did not open, and is tried again', async () => {
    const open = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('disk full'))
    open.mockResolvedValueOnce('open')
    const late = createLazy(open)
    const together = await Promise.allSettled([late.use(), late.use()])
    expect(together.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(late.opened).toBeNull()
    expect(await late.use()).toBe('open')
    expect(open).toHaveBeenCalledTimes(2)
  })

  it('is opened anew while only a fallback stands in for it, now and then, and the fallback is closed', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const found = ['fallback 1', 'fallback 2', 'journal']
    const open = vi.fn(() => Promise.resolve(found.shift() ?? 'too many'))
    const end = vi.fn()
    const late = createLazy(open, end, (service) => service.startsWith('fallback'))
    expect(await late.use()).toBe('fallback 1')
    vi.advanceTimersByTime(FALLBACK_RETRY_MS - 1)
    expect(await late.use()).toBe('fallback 1')
    expect(end).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(await Promise.all([late.use(), late.use()])).toEqual(['fallback 2', 'fallback 2'])
    vi.advanceTimersByTime(FALLBACK_RETRY_MS)
    expect(await late.use()).toBe('journal')
    vi.advanceTimersByTime(10 * FALLBACK_RETRY_MS)
    expect(await late.use()).toBe('journal')
    expect(late.opened).toBe('journal')
    expect(end.mock.calls).toEqual([['fallback 1'], ['fallback 2']])
  })

  it('is closed once, and opened never again', async () => {
    const end = vi.fn(() => Promise.resolve())
    const late = createLazy(() => Promise.resolve('open'), end)
    await late.use()
    await Promise.all([late.close(), late.close()])
    expect(end).toHaveBeenCalledExactlyOnceWith('open')
    expect(late.opened).toBeNull()
    await expect(late.use()).rejects.toBeInstanceOf(ServiceClosedError)
  })

  it('is not opened to be closed', async () => {
    const open = vi.fn(() => Promise.resolve('open'))
    const end = vi.fn()
    await createLazy(open, end).close()
    expect(open).not.toHaveBeenCalled()
    expect(end).not.toHaveBeenCalled()
  })

  it('is closed after an opening that was under way', async () => {
    const opening = Promise.withResolvers<string>()
    const end = vi.fn()
    const late = createLazy(() => opening.promise, end)
    const used = late.use()
    const closed = late.close()
    expect(end).not.toHaveBeenCalled()
    opening.resolve('open')
    expect(await used).toBe('open')
    await closed
    expect(end).toHaveBeenCalledExactlyOnceWith('open')
    expect(late.opened).toBeNull()
  })

  it('closes without a word when its opening failed meanwhile, and tells when its closing did', async () => {
    const opening = Promise.withResolvers<string>()
    const failing = createLazy(() => opening.promise)
    const used = failing.use()
    const closed = failing.close()
    opening.reject(new Error('no'))
    await expect(used).rejects.toThrow('no')
    await expect(closed).resolves.toBeUndefined()

    const late = createLazy(
      () => Promise.resolve('open'),
      () => Promise.reject(new Error('still busy'))
    )
    await late.use()
    await expect(late.close()).rejects.toThrow('still busy')
  })
})
