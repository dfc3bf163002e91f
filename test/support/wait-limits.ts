/**
 * Loaded before each test file: `vi.waitFor` and `vi.waitUntil` give up after as long as `expect.poll` does. Their own limit
 * of a second is for a fast machine, and Vitest's configuration has no option for it.
 */
import { vi } from 'vitest'

const TIMEOUT_MS = 100_000

const { waitFor, waitUntil } = vi
vi.waitFor = (callback, options) => waitFor(callback, withLimit(options))
vi.waitUntil = (callback, options) => waitUntil(callback, withLimit(options))

function withLimit<Options extends object>(options: number | Options = {} as Options) {
  return typeof options === 'number' ? options : { timeout: TIMEOUT_MS, ...options }
}
