/** Questions of which only the newest counts. */
import { err, type Result } from '../../contract/failure.ts'

/** Asks a question; a later one with the same key aborts it, and it answers `superseded` at once. */
export type AskLatest = <Value>(
  key: string,
  question: (signal: AbortSignal) => Promise<Result<Value>>
) => Promise<Result<Value>>

/** Makes the asker. Each question gets a signal that is aborted as soon as nobody waits for its answer. */
export function createAskLatest(): AskLatest {
  const overtake = new Map<string, () => void>()
  return (key, question) => {
    overtake.get(key)?.()
    const own = new AbortController()
    const overtaken = Promise.withResolvers<Result<never>>()
    overtake.set(key, () => {
      own.abort()
      overtaken.resolve(err({ kind: 'superseded' }))
    })
    return Promise.race([question(own.signal), overtaken.promise])
  }
}
