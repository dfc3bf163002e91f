import type { Notice } from '../../../electron/contract/till.ts'
import { failureSentence, type Sentence } from './failure-sentence.ts'
import { m } from './m.ts'

/** What a notice says, and what to do about it. */
export function noticeSentence(notice: Notice): Sentence {
  switch (notice.kind) {
    case 'settings-set-aside':
      return { sentence: m.noticeSettingsQuarantined(), next: m.noticeSettingsQuarantinedNext(notice) }
    case 'settings-partly-read':
      return { sentence: m.noticeSettingsPartlyRead(), next: m.noticeSettingsPartlyReadNext(notice) }
    case 'settings-not-saved':
      return { sentence: m.noticeSettingsNotSaved(), next: m.noticeFolderNext() }
    case 'journal-set-aside':
      return {
        sentence: m.noticeJournalQuarantined(),
        next: [
          m.noticeJournalQuarantinedNext(notice),
          ...(notice.backup === null ? [] : [m.noticeJournalBackup({ backup: notice.backup })])
        ].join(' ')
      }
    case 'journal-not-saved':
      return { sentence: m.noticeJournalNotSaved(), next: m.noticeFolderNext() }
    case 'token-unreadable':
      return { sentence: m.noticeTokenUnreadable(), next: m.noticeTokenUnreadableNext() }
    case 'token-not-kept':
      return { sentence: m.noticeTokenNotStored(), next: m.noticeTokenNotStoredNext() }
    case 'provisioning-failed': {
      const { sentence, next } = failureSentence(notice.failure)
      return {
        sentence: `${m.noticeProvisioningFailed()} ${sentence}`,
        ...(next === undefined ? {} : { next })
      }
    }
  }
}
