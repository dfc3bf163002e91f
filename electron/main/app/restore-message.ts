/** What is said of restoring the journal, before the till opens: to whoever started it with `--restore-journal`. */
import type { NotRestored, Restored } from '../slips/slip-service.ts'

const WHY_NOT: Readonly<Record<NotRestored, string>> = {
  'not-found': 'There is no such file, or it cannot be read.',
  damaged: 'The file is damaged, or is no list of slips.',
  newer: 'A newer version of the till wrote this file. Update the till first.',
  'not-saved': 'The till cannot write to its folder, or its disk is full.'
}

/** The sentence, and what is kept where; `from` is the file that was asked for. */
export function restoredMessage(
  restored: Restored,
  from: string
): { readonly type: 'info' | 'error'; readonly message: string; readonly detail: string } {
  if (restored.kind === 'not-restored') {
    return {
      type: 'error',
      message: 'The list of slips was not restored. It is as it was.',
      detail: `${WHY_NOT[restored.reason]}\n${from}`
    }
  }
  const kept = restored.keptAs === null ? '' : `\nThe list before is kept as ${restored.keptAs}.`
  return {
    type: 'info',
    message: `The list of slips was restored, with ${String(restored.slips)} slips.`,
    detail: `It comes from ${from}.${kept} Start the till without --restore-journal from now on.`
  }
}
