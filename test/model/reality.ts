/** What really happened, recorded outside of the till: at the service, at the printer, and in the cashier's hands. */
import type { Slip } from '../../electron/contract/slips.ts'
import type { MadeCode, Printout } from '../support/journal-invariants.ts'

/** One printed page. */
export interface Paper extends Printout {
  readonly points: number
  readonly training: boolean
}

/** A code of the service, and what it said of it. */
interface AnsweredCode extends MadeCode {
  /** the service said that it was used already */
  readonly isUsed: boolean
}

/** A batch that a cashier started. */
interface StartedBatch {
  readonly batchId: string
  readonly count: number
}

/** Each intent of the counter and each batch has its own number of points, by which requests are told apart. */
export class Reality {
  /** POST requests that were sent, by points */
  readonly posts = new Map<number, number>()
  /** codes of the service */
  readonly made = new Map<string, AnsweredCode>()
  /** pages that a printer printed; files are read from the folder */
  readonly papers: Paper[] = []
  /** codes that were on the customer display */
  readonly shown = new Set<string>()
  /** codes that were reported as stored, by intent */
  readonly stored = new Map<string, string>()
  /** intents that were reported as requested, by points */
  readonly requested = new Map<number, Set<string>>()
  readonly batches = new Map<number, StartedBatch>()
  /** printouts that were requested with a slip, by points */
  readonly copies = new Map<number, number>()
  /** last reported state, by intent; empty after a restart */
  readonly states = new Map<string, Slip['state']>()
  /** transitions that were reported, as `from --> to` */
  readonly transitions = new Set<string>()
  /** codes that the journal listed when each backup was begun, by its file name */
  readonly listedBefore = new Map<string, ReadonlySet<string>>()
  /** number of papers when a backup was last restored: the journal does not know of the copies among them */
  papersBeforeRestore = 0
  /** violations that can be seen at one moment only */
  readonly violations: string[] = []
  /** codes that were not in the journal yet when the restored backup was made: it does not list them */
  readonly forgotten = new Set<string>()

  /** Records a change that a till reported. */
  report(slip: Slip): void {
    const { intentId, points, state, code } = slip
    const before = this.states.get(intentId)
    if (state === 'requested') {
      this.requested.set(points, (this.requested.get(points) ?? new Set()).add(intentId))
    }
    if (before !== undefined && before !== state) this.transitions.add(`${before} --> ${state}`)
    this.states.set(intentId, state)
    if (code !== null) this.stored.set(intentId, code)
  }

  addPost(points: number): void {
    this.posts.set(points, (this.posts.get(points) ?? 0) + 1)
  }
}
