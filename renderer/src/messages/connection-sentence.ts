import type { Failure } from '../../../electron/contract/failure.ts'
import type { Sentence } from './failure-sentence.ts'

/** Failures that mean something else while a connection is being checked; undefined for those that do not. */
export function connectionSentence(failure: Failure): Sentence | undefined {
  switch (failure.kind) {
    case 'unauthorised':
      return {
        sentence: 'The points service no longer accepts this token, or never did.',
        next: 'Copy it again, whole and without spaces, or ask for a new one.'
      }
    case 'offline':
    case 'timeout':
      return {
        sentence: 'No answer from this address.',
        next: 'Check the address for typing mistakes, and the network.'
      }
    case 'not-found':
    case 'bad-response':
      return {
        sentence: 'There is no points service at this address.',
        next: 'Check it for typing mistakes; it ends with /api.'
      }
    default:
      return undefined
  }
}
