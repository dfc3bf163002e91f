/** The dialog that reports the outcome of `--restore-journal`. */
import { messagesByLanguage } from '../../../generated/messages/dialogs/all.js'
import type { Language } from '../../contract/language.ts'
import type { RestoreOutcome } from '../slips/restore.ts'

/** @param from the file that was to be restored */
export function restoreMessage(
  restored: RestoreOutcome,
  from: string,
  language: Language
): { readonly type: 'info' | 'error'; readonly message: string; readonly detail: string } {
  const m = messagesByLanguage[language]
  if (restored.kind === 'not-restored') {
    return {
      type: 'error',
      message: m.slipsNotRestored(),
      detail: `${m.restoreFailure({ reason: restored.reason })}\n${from}`
    }
  }
  const { slips, keptAs } = restored
  const details = [
    m.restoredFrom({ file: from }),
    ...(keptAs === null ? [] : [m.previousSlipsKept({ file: keptAs })]),
    m.startWithoutOption({ option: '--restore-journal' })
  ]
  return {
    type: 'info',
    message: m.slipsRestored({ count: slips, number: new Intl.NumberFormat(language).format(slips) }),
    detail: details.join('\n')
  }
}
