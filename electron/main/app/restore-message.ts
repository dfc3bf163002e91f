/** The dialog that reports the outcome of `--restore-journal`. */
import type { RestoreFailure, RestoreOutcome } from '../slips/restore.ts'

const REASONS: Readonly<Record<RestoreFailure, string>> = {
  'not-found': 'There is no such file, or it cannot be read.',
  damaged: 'The file is damaged, or is not a slip journal.',
  newer: 'A newer version of the till wrote this file. Update the till first.',
  'not-saved': 'The till cannot write to its folder, or its disk is full.'
}

/** @param from the file that was to be restored */
export function restoreMessage(
  restored: RestoreOutcome,
  from: string
): { readonly type: 'info' | 'error'; readonly message: string; readonly detail: string } {
  if (restored.kind === 'not-restored') {
    return {
      type: 'error',
      message: 'The slips were not restored. Nothing was changed.',
      detail: `${REASONS[restored.reason]}\n${from}`
    }
  }
  const kept = restored.keptAs === null ? '' : `\nThe previous slips are kept as ${restored.keptAs}.`
  return {
    type: 'info',
    message: `${String(restored.slips)} slips were restored.`,
    detail: `They come from ${from}.${kept} Start the till without --restore-journal from now on.`
  }
}
