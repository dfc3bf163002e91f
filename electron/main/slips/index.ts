/** The life of a slip, from a press of Print slip to paper: what the rest of the till may use of it. */
import { err, ok, type Result } from '../../contract/failure.ts'
import { createBackups } from './backups/backups.ts'
import { isCheckedWhole } from './journal/check-ahead.ts'
import { createOpenSlips } from './open-slips.ts'
import { openForSlips } from './opening.ts'
import type { Slips, SlipsOptions } from './options.ts'
import { createLayOut } from './print-jobs/lay-out.ts'
import { createSamples } from './print-jobs/samples.ts'
import { NOT_SAVED } from './work.ts'

export { restoreJournal } from './backups/restore.ts'
export type { NotRestored, Restored } from './backups/restore.ts'
export type { SlipBusiness } from './business.ts'
export type { Press, Slips, SlipsOptions, SlipsSettings } from './options.ts'
export { drawQr } from '../slip-pdf/qr.ts'

/** What is left of the slips where there is no journal: nothing is issued, and nothing is there to read. */
function createClosedSlips(): Omit<Slips, 'notices' | 'samples' | 'backups'> {
  const notSaved = (): Promise<Result<never>> => Promise.resolve(err(NOT_SAVED))
  return {
    issue: notSaved,
    makeReady: () => undefined,
    print: notSaved,
    reprint: notSaved,
    reprintLast: notSaved,
    markGiven: () => err(NOT_SAVED),
    discard: () => err(NOT_SAVED),
    list: () => ok({ slips: [], hasMore: false }),
    exportTo: notSaved,
    report: () => err(NOT_SAVED),
    printReport: notSaved,
    attention: () => ok(0),
    attentionList: () => ok({ slips: [], hasMore: false }),
    byCode: () => null,
    numbers: () => null,
    batches: null,
    unfinishedBatches: () => ok([]),
    underWay: () => null,
    close: () => Promise.resolve()
  }
}

/**
 * The same, with the check of a journal that was not closed done ahead, in a thread: what else the till does goes on
 * meanwhile. Never rejects for a bad disk.
 */
export const openSlips = async (options: SlipsOptions): Promise<Slips> =>
  createSlips(options, await isCheckedWhole(options.journalFile, options.journalPatience))

/**
 * Opens the journal and ends what a stopped till left under way. Never throws for a bad disk: see `notices`.
 *
 * @param isChecked the journal was found whole just now
 */
export function createSlips(options: SlipsOptions, isChecked = false): Slips {
  const { backupsFolder: folder, layOut = createLayOut(options.fontsFolder) } = options
  const backups = folder === undefined ? null : createBackups({ ...options, folder })
  const { journal, notices } = openForSlips(options, backups?.newest() ?? null, isChecked)
  const slips = journal === null ? createClosedSlips() : createOpenSlips(options, journal, layOut)
  return {
    ...slips,
    notices,
    samples: createSamples(options, layOut.slips),
    // A journal that cannot be written is damaged or foreign: its copy would push a good one out.
    backups: journal === null ? null : backups,
    async close() {
      await backups?.stop()
      await slips.close()
    }
  }
}
