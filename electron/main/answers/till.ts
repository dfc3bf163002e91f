/** How the till stands, and its settings. */
import { bad, good } from '../../contract/failure.ts'
import type { Answers } from '../shell/ipc.ts'
import type { Settings } from '../settings/index.ts'
import type { Drafts } from './drafts.ts'
import type { Standing } from './standing.ts'

/**
 * Answers the calls of `bridge.till`.
 * @param drawn called when the page says that it stands
 */
export function tillAnswers(
  standing: Standing,
  settings: Settings,
  session: { practise(): Promise<void>; leavePractice(): Promise<void> },
  drafts: Drafts,
  drawn: () => void
): Answers['till'] {
  return {
    state: () => Promise.resolve(good(standing.state())),
    drawn() {
      drawn()
      return Promise.resolve(good(null))
    },
    async practise() {
      await session.practise()
      return good(standing.state())
    },
    async leavePractice() {
      await session.leavePractice()
      return good(standing.state())
    },
    set(change) {
      settings.update(change)
      standing.changed()
      return Promise.resolve(good(standing.state()))
    },
    dismissNotice({ index }) {
      const dismissed = standing.dismiss(index)
      return Promise.resolve(
        dismissed
          ? good(standing.state())
          : bad({ kind: 'invalid-input', field: 'setting', fault: 'malformed' })
      )
    },
    keepDraft(draft) {
      drafts.keep(draft)
      return Promise.resolve(good(null))
    },
    draft: () => Promise.resolve(good(drafts.current()))
  }
}
