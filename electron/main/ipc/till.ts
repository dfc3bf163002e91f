/** How the till stands, and its settings. */
import { err, ok } from '../../contract/failure.ts'
import type { Answers } from '../platform/ipc.ts'
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
  session: { startTraining(): Promise<void>; leaveTraining(): Promise<void> },
  drafts: Drafts,
  drawn: () => void
): Answers['till'] {
  return {
    state: () => Promise.resolve(ok(standing.state())),
    drawn() {
      drawn()
      return Promise.resolve(ok(null))
    },
    async startTraining() {
      await session.startTraining()
      return ok(standing.state())
    },
    async leaveTraining() {
      await session.leaveTraining()
      return ok(standing.state())
    },
    set(change) {
      settings.update(change)
      standing.changed()
      return Promise.resolve(ok(standing.state()))
    },
    dismissNotice({ index }) {
      const dismissed = standing.dismiss(index)
      return Promise.resolve(
        dismissed
          ? ok(standing.state())
          : err({ kind: 'invalid-input', field: 'setting', fault: 'malformed' })
      )
    },
    keepDraft(draft) {
      drafts.keep(draft)
      return Promise.resolve(ok(null))
    },
    draft: () => Promise.resolve(ok(drafts.current()))
  }
}
