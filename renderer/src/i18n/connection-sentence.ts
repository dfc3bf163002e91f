import type { Failure } from '../../../electron/contract/failure.ts'
import { m } from './m.ts'
import type { Sentence } from './sentence.ts'

/** Failures that mean something else while a connection is being checked; undefined for those that do not. */
export function connectionSentence(failure: Failure): Sentence | undefined {
  switch (failure.kind) {
    case 'unauthorised':
      return { sentence: m.connectionRefused(), next: m.connectionRefusedNext() }
    case 'offline':
    case 'timeout':
      return { sentence: m.connectionNoResponse(), next: m.connectionNoResponseNext() }
    case 'not-found':
    case 'bad-response':
      return { sentence: m.connectionNoService(), next: m.connectionNoServiceNext() }
    default:
      return undefined
  }
}
