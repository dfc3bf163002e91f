import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Failure, Result } from '../../../electron/contract/failure.ts'
import type { DeliveryMethod } from '../../../electron/contract/settings.ts'
import { attentionAction, type IssuedSlip, type Slip } from '../../../electron/contract/slips.ts'
import type { TillState } from '../../../electron/contract/till.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'

/** Slips that are followed. A till may stay open for months; the print jobs of a slip end long before so many later ones. */
const MAX_TRACKED = 100

/** A slip that was issued here and is not printed, or a copy of it that is not. */
interface PrintProblem {
  readonly slip: Slip
  /** what to print: the slip itself, or a copy of it */
  readonly missing: 'slip' | 'copy'
  /** why the last attempt failed; null while none has ended */
  readonly failure: Failure | null
  /** whether the slip may be printed, so that the printer is to be checked before printing again */
  readonly mayBePrinted: boolean
}

const printProblemOf = (slip: Slip): PrintProblem | null => {
  const action = attentionAction(slip)
  if (action === 'print' || action === 'mark-given') {
    return { slip, missing: 'slip', failure: slip.failure, mayBePrinted: action === 'mark-given' }
  }
  const copy = slip.lastCopy
  return copy?.state === 'print-failed'
    ? { slip, missing: 'copy', failure: copy.failure, mayBePrinted: false }
    : null
}

/**
 * The slips that this page issued: the last one, shown until the next one starts, and those that were not printed,
 * shown until the cashier acts on them.
 */
export class IssuedSlips {
  readonly #bridge: Bridge
  readonly #ipc: IpcClient
  /** the slips by intent id, as last reported; null before the first report */
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- the screen shows #last and #problems, never this map
  readonly #tracked = new Map<string, Slip | null>()
  /** one for each slip, the newest last */
  #problems = $state.raw<readonly PrintProblem[]>([])
  /** The slip that was issued last; null once the next one is started. */
  last = $state.raw<IssuedSlip | null>(null)
  /** Whether an action on a problem is running. */
  busy = $state(false)
  #cancelledJob = $state<string | null>(null)

  constructor(bridge: Bridge, ipc: IpcClient) {
    this.#bridge = bridge
    this.#ipc = ipc
  }

  /** The newest problem; null if there is none. */
  get problem(): PrintProblem | null {
    return this.#problems.at(-1) ?? null
  }

  /** The number of slips with a problem. */
  get problemCount(): number {
    return this.#problems.length
  }

  /** Follows a slip from its request on: its print job may end before the request is answered. */
  track(intentId: string): void {
    this.#tracked.set(intentId, null)
    for (const oldest of this.#tracked.keys()) {
      if (this.#tracked.size <= MAX_TRACKED) break
      if (this.#problems.every(({ slip }) => slip.intentId !== oldest)) this.#tracked.delete(oldest)
    }
  }

  /** Adds a slip that was just issued. */
  add(issued: IssuedSlip): void {
    const known = this.#tracked.get(issued.slip.intentId)
    const slip = known && known.revision > issued.slip.revision ? known : issued.slip
    this.#tracked.set(slip.intentId, slip)
    this.last = { ...issued, slip }
    // It waits for the printer, behind another slip: that is no problem yet.
    if (slip.state !== 'issued') this.#updateProblem(slip)
  }

  /** Clears the last slip. */
  clear(): void {
    this.last = null
  }

  /** Updates a slip. Revisions may arrive in any order. */
  update(slip: Slip): void {
    // An issued slip is not printed for a moment: that is no problem yet.
    const known = this.#tracked.get(slip.intentId)
    if (known === undefined || slip.state === 'issued') return
    if (known && known.revision > slip.revision) return
    this.#tracked.set(slip.intentId, slip)
    if (this.last?.slip.intentId === slip.intentId) this.last = { ...this.last, slip }
    this.#updateProblem(slip)
  }

  /** Prints what is missing of the newest problem. */
  async print(): Promise<void> {
    const problem = this.problem
    if (!problem) return
    const { intentId } = problem.slip
    await this.#act(problem, async () => {
      const answer = await (problem.missing === 'copy'
        ? this.#bridge.slips.reprint({ intentId })
        : this.#bridge.slips.print({ intentId }))
      return answer.ok ? { ok: true, value: answer.value.slip } : answer
    })
  }

  /** Whether a print job was cancelled that may not have ended yet. */
  isCancelled(jobId: string): boolean {
    return this.#cancelledJob === jobId
  }

  /** Cancels a print job that something delays; see `TillState.hinderedPrint`. */
  async cancelPrint(jobId: string): Promise<void> {
    this.#cancelledJob = jobId
    const answer = await this.#ipc.invoke(() => this.#bridge.slips.cancelPrint({ jobId }))
    if (!answer.ok && this.#cancelledJob === jobId) this.#cancelledJob = null
  }

  /** Records that the customer has the slip, whatever the print job's outcome was. */
  async markGiven(): Promise<void> {
    const problem = this.problem
    if (!problem) return
    await this.#act(problem, () => this.#bridge.slips.markGiven({ intentId: problem.slip.intentId }))
  }

  /** Hides the newest problem here. The slip stays in the list of slips that need attention. */
  dismiss(): void {
    const problem = this.problem
    if (!problem) return
    this.#tracked.delete(problem.slip.intentId)
    this.#removeProblem(problem.slip.intentId)
  }

  async #act(problem: PrintProblem, call: () => Promise<Result<Slip>>): Promise<void> {
    if (this.busy) return
    this.busy = true
    const answer = await this.#ipc.invoke(call)
    this.busy = false
    if (answer.ok) this.update(answer.value)
    else {
      // Not one that was dismissed or solved meanwhile.
      const shown = this.#problems.find(({ slip }) => slip.intentId === problem.slip.intentId)
      if (shown) this.#showProblem({ ...shown, failure: answer.failure })
    }
  }

  #updateProblem(slip: Slip): void {
    const problem = printProblemOf(slip)
    const { intentId } = slip
    if (problem) this.#showProblem(problem)
    // During another attempt the last outcome stays.
    else if (slip.state !== 'printing' && slip.lastCopy?.state !== 'printing') this.#removeProblem(intentId)
  }

  /** Adds a problem, or replaces the one of the same slip. */
  #showProblem(problem: PrintProblem): void {
    const { intentId } = problem.slip
    const isKnown = this.#problems.some(({ slip }) => slip.intentId === intentId)
    this.#problems = isKnown
      ? this.#problems.map((one) => (one.slip.intentId === intentId ? problem : one))
      : [...this.#problems, problem]
  }

  #removeProblem(intentId: string): void {
    this.#problems = this.#problems.filter(({ slip }) => slip.intentId !== intentId)
  }
}

/**
 * Returns how the next slip is delivered: as in the settings while the customer display is open, otherwise printed.
 */
export const currentDeliveryMethod = ({ customerDisplayOpen, settings }: TillState): DeliveryMethod =>
  customerDisplayOpen ? settings.deliveryMethod : 'print'

/** Whether the settings use a customer display that is not open. */
export const isDisplayMissing = ({ customerDisplayOpen, settings }: TillState): boolean =>
  !customerDisplayOpen && settings.deliveryMethod !== 'print'

/** The intent id of a slip, or `last` for the slip that was issued last. */
type Target = string

/** Prints copies of slips, one at a time. */
export class Reprint {
  readonly #bridge: Bridge
  readonly #request: AsyncRequest
  #target = $state<Target | null>(null)
  #done = $state.raw<Slip | null>(null)

  constructor(bridge: Bridge, ipc: IpcClient) {
    this.#bridge = bridge
    this.#request = new AsyncRequest(ipc)
  }

  get running(): boolean {
    return this.#request.running
  }

  /** What was printed last, or is being printed; null: nothing yet. */
  get target(): Target | null {
    return this.#target
  }

  /** Whether a copy of this slip is being printed. */
  isRunning(target: Target): boolean {
    return this.#request.running && this.#target === target
  }

  /** Returns why the last copy of this slip failed; null if it did not. */
  failureOf(target: Target): Failure | null {
    return this.#target === target ? this.#request.failure : null
  }

  /** Returns the slip after its last copy was printed; null before, and after a failure. */
  doneFor(target: Target): Slip | null {
    return this.#target === target ? this.#done : null
  }

  /** Prints a copy. Does nothing while another one is running. */
  async print(target: Target): Promise<void> {
    if (this.#request.running) return
    this.clear()
    this.#target = target
    const { slips } = this.#bridge
    const issued = await this.#request.run(() =>
      target === 'last' ? slips.reprintLast() : slips.reprint({ intentId: target })
    )
    this.#done = issued?.slip ?? null
  }

  /** Clears the outcome of the last copy. */
  clear(): void {
    if (this.#request.running) return
    this.#request.reset()
    this.#target = null
    this.#done = null
  }
}
