/** From a code on disk to the customer: on the customer display, on paper, or on both. */
import type { HandingOver, QrDrawing, Slip } from '../../contract/till.ts'
import type { Journal } from './journal/journal.ts'
import type { JournalRow } from './journal/row.ts'
import { drawQr } from '../slip-pdf/qr.ts'
import type { Papers } from './print-jobs/papers.ts'

export interface HandOverParts {
  readonly journal: Journal
  readonly papers: Papers
  /** Tells the customer display of a slip, with its code where the display is to show it. Gives whether one is open. */
  readonly display: (slip: Slip, qr: QrDrawing | null) => boolean
  readonly now: () => Date
  /** hears what kept the paper's steps from the journal */
  readonly paperFailed: (error: unknown) => void
}

/**
 * Makes the handing over of a slip that has a code, once: a row that is on its way already stays as it is. What the
 * display cannot show by then (it was unplugged, or the URL is too long for any code) is printed. Paper is on its way
 * when this returns; how it ends is told later, so that the next customer can be served. Throws as the journal does.
 */
export function createHandOver({ journal, papers, display, now, paperFailed }: HandOverParts) {
  return (asked: JournalRow, way: HandingOver): JournalRow => {
    const { intentId } = asked.slip
    const row = journal.byIntent(intentId) ?? asked
    const { state, url, shownAt } = row.slip
    if (state !== 'issued') return row
    const qr = way === 'print' || url === null ? null : drawQr(url)
    const isShown = display(row.slip, qr) && qr !== null
    if (isShown && way === 'show') return journal.step(intentId, 'shown', { shownAt: now().toISOString() })
    // A second press while the paper waits for its turn shows the code once more, and notes the first time.
    if (isShown && shownAt === null) journal.noteShown(intentId, now().toISOString())
    papers.first(intentId, 'counter').catch(paperFailed)
    return journal.byIntent(intentId) ?? row
  }
}
