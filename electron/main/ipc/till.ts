/** How the till stands, and its settings. */
import { err, ok } from '../../contract/failure.ts'
import type { CheckoutDraft } from '../../contract/till.ts'
import type { Answers } from '../platform/ipc.ts'
import type { Settings } from '../settings/index.ts'
import type { Standing } from './app-state.ts'

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
    saveDraft(draft) {
      drafts.keep(draft)
      return Promise.resolve(ok(null))
    },
    draft: () => Promise.resolve(ok(drafts.current()))
  }
}

/* from drafts.ts: What stands on the counter, kept in memory for a page that crashes. It is never on disk: it names customers. */

/** The draft of the page, one at a time. */
interface Drafts {
  keep(draft: CheckoutDraft): void
  /** What was kept last, unless the till serves somebody else by now. */
  current(): CheckoutDraft | null
}

/**
 * @param served identifies the connected service: a draft of another one is dropped
 */
export function createDrafts(served: () => string): Drafts {
  let kept: { readonly served: string; readonly draft: CheckoutDraft } | null = null
  return {
    keep(draft) {
      kept = { served: served(), draft }
    },
    current() {
      // Who is served again later begins with an empty counter.
      if (kept?.served !== served()) kept = null
      return kept?.draft ?? null
    }
  }
}
