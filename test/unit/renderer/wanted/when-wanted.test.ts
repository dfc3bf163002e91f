import { afterEach, expect, test, vi } from 'vitest'
import { allWords, speak } from '../../../../renderer/src/i18n/speech.svelte.ts'
import {
  fetchWhenIdle,
  onlyWhenWanted,
  WhenWanted,
  whenWanted
} from '../../../../renderer/src/wanted/when-wanted.svelte.ts'
import { settle } from '../support/bridge.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

/** A window that is idle when it is told so. */
function window() {
  const planned = new Map<number, () => void>()
  let last = 0
  return {
    page: {
      requestIdleCallback: (callback: IdleRequestCallback) => {
        planned.set(++last, () => {
          callback({ didTimeout: false, timeRemaining: () => 1 })
        })
        return last
      },
      cancelIdleCallback: (handle: number) => void planned.delete(handle)
    },
    idle: async () => {
      const now = [...planned.values()]
      planned.clear()
      for (const one of now) one()
      await settle()
    }
  }
}

test('a part is there after it was fetched, and fetched once', async () => {
  const load = vi.fn(() => Promise.resolve('part'))
  const wanted = new WhenWanted(load)
  expect(wanted.part).toBeNull()
  await Promise.all([wanted.fetch(), wanted.fetch()])
  expect([wanted.part, wanted.failed, load.mock.calls.length]).toEqual(['part', false, 1])
})

test('a part that cannot be fetched says so, and the window hears of the error', async () => {
  const heard = vi.fn()
  vi.stubGlobal('reportError', heard)
  const error = new TypeError('Failed to fetch dynamically imported module')
  const wanted = new WhenWanted(() => Promise.reject(error))
  await wanted.fetch()
  expect([wanted.part, wanted.failed, heard.mock.calls]).toEqual([null, true, [[error]]])
})

test('a component comes with all words, unless the first ones are enough for it', async () => {
  await speak({ language: 'en', slipLanguage: 'en', country: 'GB' })
  const first = whenWanted(() => Promise.resolve({ default: 'first' }), 'first')
  await first.fetch()
  expect(() => allWords()).toThrow()
  const other = whenWanted(() => Promise.resolve({ default: 'other' }))
  await other.fetch()
  expect([first.part, other.part, allWords().help()]).toEqual(['first', 'other', 'Help'])
})

test('what was declared is fetched while the window is idle, one at a time, after what comes first', async () => {
  const order: string[] = []
  const part = (name: string) => () => {
    order.push(name)
    return Promise.resolve({ default: name })
  }
  const one = whenWanted(() => {
    // Declared by what was fetched.
    whenWanted(part('within one'))
    return part('one')()
  })
  whenWanted(part('two'))
  const { page, idle } = window()
  fetchWhenIdle(page, [{ fetch: () => Promise.resolve(order.push('before')) }])
  expect(order).toEqual([])
  await idle()
  expect(order).toEqual(['before'])
  for (let turn = 0; turn < 10; turn++) await idle()
  expect([order, one.part]).toEqual([['before', 'one', 'two', 'within one'], 'one'])
})

test('nothing more is fetched once the fetching was ended', async () => {
  const load = vi.fn(() => Promise.resolve({ default: 'late' }))
  whenWanted(load)
  const { page, idle } = window()
  const stop = fetchWhenIdle(page)
  stop()
  for (let turn = 0; turn < 10; turn++) await idle()
  expect(load).not.toHaveBeenCalled()
})

test('what is seldom wanted is not fetched ahead, and there once it is wanted', async () => {
  const load = vi.fn(() => Promise.resolve({ default: 'seldom' }))
  const seldom = onlyWhenWanted(load)
  const { page, idle } = window()
  fetchWhenIdle(page)
  for (let turn = 0; turn < 10; turn++) await idle()
  expect(load).not.toHaveBeenCalled()
  await seldom.fetch()
  expect(seldom.part).toBe('seldom')
})
