/** Checks that input has no side effects on the process: no changed prototype, no unhandled error. */
import { afterAll, beforeAll, expect } from 'vitest'

const clean = Object.getOwnPropertyNames(Object.prototype).sort()

/** Fails if `Object.prototype` was changed. */
export function expectPrototypesUnchanged(): void {
  expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(clean)
  expect(({} as Readonly<Record<string, unknown>>)['polluted']).toBeUndefined()
}

/** Call at the top of a test file: fails if a rejection is unhandled or an exception uncaught during its tests. */
export function watchForUnhandledErrors(): void {
  const errors: unknown[] = []
  const note = (reason: unknown): void => {
    errors.push(reason)
  }
  beforeAll(() => {
    process.on('unhandledRejection', note)
    process.on('uncaughtException', note)
  })
  afterAll(async () => {
    // Node reports an unhandled rejection after the turn of the event loop in which it occurred.
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', note)
    process.off('uncaughtException', note)
    expect(errors).toEqual([])
  })
}
