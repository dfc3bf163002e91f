/** Which papers a slip gets, in which job, and when: first papers, the copies asked for with them, later copies. */
import type { Journal } from '../journal/journal.ts'
import type { JournalRow } from '../journal/row.ts'
import { canCopy, canPrint } from '../journal/states.ts'
import { createSharing } from '../work.ts'
import type { PrintQueue, Lane } from './print-queue.ts'
import type { createSheets, Sheet } from './sheets.ts'

export interface PapersParts {
  readonly journal: Journal
  readonly queue: PrintQueue
  readonly print: ReturnType<typeof createSheets>
  /** true: all papers of a slip are one job */
  readonly oneJob: () => boolean
}

/** Each method resolves when its papers are out or have failed, and throws as the journal does. */
export interface Papers {
  /**
   * Prints a slip that has a code and no paper, with the copies that were asked for; two calls share one print. A
   * slip that may not go to paper, or whose turn comes when the till closes, stays as it is.
   */
  first(intentId: string, lane: Lane): Promise<void>
  /** Prints one more copy; two calls at once share it. Gives the row with that copy as its newest, or null for none. */
  copy(intentId: string): Promise<JournalRow | null>
  /** Prints the first papers of many slips as one job named `title`. */
  together(intentIds: readonly string[], title: string): Promise<void>
}

/** Makes the papers. */
export function createPapers({ journal, queue, print, oneJob }: PapersParts): Papers {
  const firsts = createSharing<unknown>()
  const copies = createSharing<JournalRow | null>()
  const mayPrint = (intentId: string): JournalRow | null => {
    const row = journal.byIntent(intentId)
    return row !== null && canPrint(row.slip.state) ? row : null
  }
  const codeOf = ({ row, copy }: { readonly row: JournalRow; readonly copy: number }): string =>
    `${row.slip.code ?? row.slip.intentId}${copy === 0 ? '' : `-COPY-${String(copy)}`}`

  /** Looked up when the turn comes: meanwhile the slip may have been printed, given or discarded. */
  const printFirst = async (intentId: string): Promise<void> => {
    const row = mayPrint(intentId)
    if (row === null) return
    const others = Array.from({ length: Math.max(0, row.papers - 1 - row.slip.copies) }, (): Sheet => ({
      intentId,
      kind: 'copy'
    }))
    const first: Sheet = { intentId, kind: 'first' }
    if (oneJob()) {
      await print([first, ...others], codeOf)
      return
    }
    const [printed] = await print([first], codeOf)
    if (printed?.slip.state !== 'printed') return
    for (const copy of others) await print([copy], codeOf)
  }

  return {
    async first(intentId, lane) {
      await firsts.share(intentId, () => queue.add(lane, () => printFirst(intentId)))
    },
    copy: (intentId) =>
      copies.share(intentId, () =>
        queue.add('counter', async () => {
          const row = journal.byIntent(intentId)
          if (row === null || !canCopy(row.slip.state)) return null
          const [copied] = await print([{ intentId, kind: 'copy' }], codeOf)
          return copied ?? null
        })
      ),
    async together(intentIds, title) {
      await queue.add('batch', async () => {
        const sheets = intentIds
          .filter((intentId) => mayPrint(intentId) !== null)
          .map((intentId): Sheet => ({ intentId, kind: 'first' }))
        await print(sheets, () => title)
      })
    }
  }
}
