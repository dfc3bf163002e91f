/** Work that writes to the journal: shared while it is under way, and never an exception for the page. */
import { err, type Result, type Failure } from '../../contract/failure.ts'
import type { Journal } from './journal/journal.ts'
import type { Logger } from '../log/log.ts'

export const NOT_SAVED: Failure = { kind: 'not-saved', what: 'journal' }

/** SQLite's primary result codes for a file that is damaged (sqlite.org/rescode.html). */
const DAMAGE = [11, 26]

const isDamage = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && DAMAGE.includes(Number(error.errcode) & 0xff)

/** Tells the log of an error of the journal, and has a damaged file checked at the next start. */
export function journalFailed(journal: Journal, log: Logger, error: unknown): Result<never> {
  log.error('journal-not-written', { error })
  if (isDamage(error)) journal.doubt()
  return err(NOT_SAVED)
}

/** Presses with one key that come while the first one is under way get its result. */
export interface Sharing<Value> {
  share(key: string, work: () => Promise<Value>): Promise<Value>
  /** What is under way with this key, if anything. */
  running(key: string): Promise<Value> | undefined
  /** Whether anything is under way now. */
  isBusy(): boolean
  /** Resolves when what is under way now has ended. */
  idle(): Promise<void>
}

/** Makes a sharing. */
export function createSharing<Value>(): Sharing<Value> {
  const underWay = new Map<string, Promise<Value>>()
  return {
    share(key, work) {
      const running = underWay.get(key)
      if (running !== undefined) return running
      const result = work().finally(() => underWay.delete(key))
      underWay.set(key, result)
      return result
    },
    running: (key) => underWay.get(key),
    isBusy: () => underWay.size > 0,
    async idle() {
      await Promise.allSettled(underWay.values())
    }
  }
}
