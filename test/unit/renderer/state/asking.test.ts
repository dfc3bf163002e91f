import { describe, expect, test, vi } from 'vitest'
import { err, ok } from '../../../../electron/contract/failure.ts'
import { Answers } from '../../../../renderer/src/state/answers.svelte.ts'
import { Asking } from '../../../../renderer/src/state/asking.svelte.ts'
import { byHand } from '../support/bridge.ts'

const make = () => {
  const { asked, call } = byHand<string, string>()
  return { asked, call, asking: new Asking(new Answers().hear) }
}

describe('asking', () => {
  test('gives the value, and runs until it is there', async () => {
    const { asked, call, asking } = make()
    const answer = asking.ask(() => call('a'))
    expect(asking.running).toBe(true)
    asked[0]?.answer(ok('A'))
    expect(await answer).toBe('A')
    expect([asking.running, asking.failure]).toEqual([false, null])
  })

  test('drops an answer that a later question overtook', async () => {
    const { asked, call, asking } = make()
    const [first, second] = [asking.ask(() => call('a')), asking.ask(() => call('b'))]
    asked[1]?.answer(ok('B'))
    expect(await second).toBe('B')
    asked[0]?.answer(err({ kind: 'timeout' }))
    expect(await first).toBeUndefined()
    expect(asking.failure).toBeNull()
  })

  test('keeps the failure until something else is known', async () => {
    const { asked, call, asking } = make()
    const failing = asking.ask(() => call('a'))
    asked[0]?.answer(err({ kind: 'offline' }))
    expect(await failing).toBeUndefined()
    expect(asking.failure).toEqual({ kind: 'offline' })
    const again = asking.ask(() => call('a'))
    expect(asking.failure).toEqual({ kind: 'offline' })
    asked[1]?.answer(ok('A'))
    await again
    expect(asking.failure).toBeNull()
  })

  test('after it was dropped nothing is shown any more', async () => {
    const { asked, call, asking } = make()
    const answer = asking.ask(() => call('a'))
    asking.drop()
    asked[0]?.answer(err({ kind: 'offline' }))
    expect(await answer).toBeUndefined()
    expect([asking.running, asking.failure]).toEqual([false, null])
  })
})

describe('the funnel of answers', () => {
  test('makes a failure of an exception, and logs it', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue()
    const fault = new Error('no such channel')
    const answer = await new Answers().hear(() => Promise.reject(fault))
    expect(answer).toEqual(err({ kind: 'internal' }))
    expect(log).toHaveBeenCalledWith(fault)
    log.mockRestore()
  })
})
