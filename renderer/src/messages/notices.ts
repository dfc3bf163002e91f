import type { Notice } from '../../../electron/contract/till.ts'
import { failureSentence } from './failure-sentence.ts'
import type { Sentence } from './failure-sentence.ts'

/** What a notice says, and what to do about it. */
export function noticeSentence(notice: Notice): Sentence {
  switch (notice.kind) {
    case 'settings-set-aside':
      return {
        sentence: 'The settings of this till could not be read, so it starts with new ones.',
        next: `The old file is kept as ${notice.file}.`
      }
    case 'settings-not-saved':
      return {
        sentence: 'This till cannot save its settings, and forgets changes when it closes.',
        next: 'Ask a manager to make its folder writable.'
      }
    case 'journal-set-aside':
      return {
        sentence: 'The list of slips was damaged, so a new one begins.',
        next: `The old list is kept as ${notice.file}.`
      }
    case 'journal-not-saved':
      return {
        sentence: 'This till cannot write its list of slips, so no points can be issued.',
        next: 'Ask a manager to make its folder writable.'
      }
    case 'token-unreadable':
      return {
        sentence: 'The stored token cannot be read on this machine.',
        next: 'Ask a manager to reconnect the till in Settings.'
      }
    case 'token-not-kept':
      return {
        sentence: 'This machine offers no encryption, so the token was used and not stored.',
        next: 'It is asked for again at the next start.'
      }
    case 'provisioning-failed': {
      const { sentence, next } = failureSentence(notice.failure)
      return {
        sentence: `This till could not be set up by itself. ${sentence}`,
        ...(next === undefined ? {} : { next })
      }
    }
  }
}
