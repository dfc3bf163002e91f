/** What stands on the counter, kept in memory for a page that crashes. It is never on disk: it names customers. */
import type { CounterDraft } from '../../contract/draft.ts'

/** The draft of the page, one at a time. */
export interface Drafts {
  keep(draft: CounterDraft): void
  /** What was kept last, unless the till serves somebody else by now. */
  current(): CounterDraft | null
}

/**
 * @param served tells apart whom the till serves
 * @param onPoints hears that points are being typed
 */
export function createDrafts(served: () => string, onPoints: () => void): Drafts {
  let kept: { readonly served: string; readonly draft: CounterDraft } | null = null
  return {
    keep(draft) {
      kept = { served: served(), draft }
      if (draft.points !== '' || draft.bill !== '') onPoints()
    },
    current() {
      // Who is served again later begins with an empty counter.
      if (kept?.served !== served()) kept = null
      return kept?.draft ?? null
    }
  }
}
