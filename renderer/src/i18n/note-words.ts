import { BATCH_NOTES } from '../../../electron/contract/slips.ts'
import { m } from './m.ts'

/** A note on a slip: what a person wrote, or in words what the till noted by itself. */
export function noteWords(note: string): string {
  switch (note) {
    case BATCH_NOTES.again:
      return m.noteIssuedAgain()
    case BATCH_NOTES.cancelled:
      return m.noteBatchCancelled()
    default:
      return note
  }
}
