import { expect, test } from 'vitest'
import { err, ok } from '../../../../electron/contract/failure.ts'
import { createAskLatest } from '../../../../electron/main/ipc/latest.ts'

/** A question that answers when it is told to, and keeps its signal. */
const question = (value: string) => {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const asked = { signal: null as AbortSignal | null, end: () => resolve(undefined) }
  const ask = async (signal: AbortSignal) => {
    asked.signal = signal
    await promise
    return ok(value)
  }
  return { asked, ask }
}

test('a newer question aborts the older one, which answers superseded whenever it ends', async () => {
  const askLatest = createAskLatest()
  const [first, second] = [question('first'), question('second')]
  const older = askLatest('box', first.ask)
  const newer = askLatest('box', second.ask)
  expect([first.asked.signal?.aborted, second.asked.signal?.aborted]).toEqual([true, false])
  second.asked.end()
  first.asked.end()
  expect([await older, await newer]).toEqual([err({ kind: 'superseded' }), ok('second')])
})

test('questions with other keys do not meet', async () => {
  const askLatest = createAskLatest()
  const [first, second] = [question('first'), question('second')]
  const answers = [askLatest('till', first.ask), askLatest('customers', second.ask)]
  first.asked.end()
  second.asked.end()
  expect(await Promise.all(answers)).toEqual([ok('first'), ok('second')])
})
