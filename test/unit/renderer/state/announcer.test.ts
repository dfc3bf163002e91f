import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Announcer } from '../../../../renderer/src/state/announcer.svelte.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const texts = (announcer: Announcer): string[] => announcer.sentences.map(({ text }) => text)

test('two sentences at once are both said, also when they are the same', () => {
  const announcer = new Announcer()
  announcer.say('Printed')
  announcer.say('Printed')
  expect(texts(announcer)).toEqual(['Printed', 'Printed'])
  expect(new Set(announcer.sentences.map(({ id }) => id)).size).toBe(2)
})

test('a sentence that was said is gone, so that no reader finds it later', () => {
  const announcer = new Announcer()
  announcer.say('250 points for Zoé: Printed')
  vi.runAllTimers()
  expect(texts(announcer)).toEqual([])
})
