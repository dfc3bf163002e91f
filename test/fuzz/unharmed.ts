/** What no input may do to the process that reads it. */
import { afterAll, beforeAll, expect } from 'vitest'

const clean = Object.getOwnPropertyNames(Object.prototype).sort()

/** Fails when a prototype that everything shares has been changed. */
export function expectUnpolluted(): void {
  expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(clean)
  expect(({} as Readonly<Record<string, unknown>>)['polluted']).toBeUndefined()
}

/** For the whole file: fails when a promise was rejected that nobody looked after, or an exception went uncaught. */
export function watchForStrays(): void {
  const strays: unknown[] = []
  const note = (reason: unknown): void => {
    strays.push(reason)
  }
  beforeAll(() => {
    process.on('unhandledRejection', note)
    process.on('uncaughtException', note)
  })
  afterAll(async () => {
    // A stray is told after the turn of the loop that it came about in.
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', note)
    process.off('uncaughtException', note)
    expect(strays).toEqual([])
  })
}
