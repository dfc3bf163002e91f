import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Failure, Result } from '../../../electron/contract/failure.ts'
import type { DeliveryMethod } from '../../../electron/contract/settings.ts'
import { attentionAction, type IssuedSlip, type Slip } from '../../../electron/contract/slips.ts'
import type { TillState } from '../../../electron/contract/till.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'

/** A slip of this counter that has something missing: its paper, or a copy of it. */
interface PrintProblem {
  readonly slip: Slip
  readonly missing: 'paper' | 'copy'
  /** why the last try came to nothing; null when no try ended yet */
  readonly failure: Failure | null
  /** whether the paper may have come out, so that somebody has to look before printing again */
  readonly mayBeOnPaper: boolean
}

const printProblemOf = (slip: Slip): PrintProblem | null => {
  const action = attentionAction(slip)
  if (action === 'print' || action === 'mark-given') {
    return { slip, missing: 'paper', failure: slip.failure, mayBeOnPaper: action === 'mark-given' }
  }
  const copy = slip.lastCopy
  return copy?.state === 'print-failed'
    ? { slip, missing: 'copy', failure: copy.failure, mayBeOnPaper: false }
    : null
}

/**
 * The slips that this counter issued: the last one, in sight until the next one starts, and those whose paper did not
 * come out, which are told until somebody acts, whoever is served by then.
 */
export class IssuedSlips {
  readonly #bridge: Bridge
  readonly #ipc: IpcClient
  /** the slips of this counter by intent id, as last heard; null while nothing was */
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing on the screen depends on it
  readonly #followed = new Map<string, Slip | null>()
  /** one for each slip, the newest last */
  #troubles = $state.raw<readonly PrintProblem[]>([])
  #last = $state.raw<IssuedSlip | null>(null)
  #busy = $state(false)

  constructor(bridge: Bridge, ipc: IpcClient) {
    this.#bridge = bridge
    this.#ipc = ipc
  }

  /** The slip that was issued last; null once the next one started. */
  get last(): IssuedSlip | null {
    return this.#last
  }

  /** The newest trouble; null when there is none. */
  get problem(): PrintProblem | null {
    return this.#troubles.at(-1) ?? null
  }

  /** How many slips have trouble. */
  get problemCount(): number {
    return this.#troubles.length
  }

  /** Whether a press on one of the trouble's buttons is under way. */
  get busy(): boolean {
    return this.#busy
  }

  /** Listens for a slip from when it is asked for: its print may end before the answer is here. */
  expect(intentId: string): void {
    this.#followed.set(intentId, null)
  }

  /** Takes a slip that was issued just now. */
  take(issued: IssuedSlip): void {
    const known = this.#followed.get(issued.slip.intentId)
    const slip = known && known.revision > issued.slip.revision ? known : issued.slip
    this.#followed.set(slip.intentId, slip)
    this.#last = { ...issued, slip }
    this.#judge(slip)
  }

  /** The next one starts. */
  clear(): void {
    this.#last = null
  }

  /** Hears that a slip's row changed, in any order. */
  update(slip: Slip): void {
    // Between its code and its first paper a slip stands as issued for a moment: no trouble yet.
    const known = this.#followed.get(slip.intentId)
    if (known === undefined || slip.state === 'issued') return
    if (known && known.revision > slip.revision) return
    this.#followed.set(slip.intentId, slip)
    if (this.#last?.slip.intentId === slip.intentId) this.#last = { ...this.#last, slip }
    this.#judge(slip)
  }

  /** Prints what is missing of the slip in trouble. */
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

  /** The customer has the slip in trouble, whatever the printer said. */
  async markGiven(): Promise<void> {
    const problem = this.problem
    if (!problem) return
    await this.#act(problem, () => this.#bridge.slips.markGiven({ intentId: problem.slip.intentId }))
  }

  /** Speaks no more of the slip in trouble here; it still waits under Slips. */
  leave(): void {
    const problem = this.problem
    if (!problem) return
    this.#followed.delete(problem.slip.intentId)
    this.#forget(problem.slip.intentId)
  }

  async #act(problem: PrintProblem, call: () => Promise<Result<Slip>>): Promise<void> {
    if (this.#busy) return
    this.#busy = true
    const answer = await this.#ipc.invoke(call)
    this.#busy = false
    if (answer.ok) this.update(answer.value)
    else this.#tell({ ...problem, failure: answer.failure })
  }

  #judge(slip: Slip): void {
    const problem = printProblemOf(slip)
    const { intentId } = slip
    if (problem) this.#tell(problem)
    // While another try is on its way, the last word stands.
    else if (slip.state !== 'printing' && slip.lastCopy?.state !== 'printing') this.#forget(intentId)
  }

  /** Tells a slip's trouble in the place of what was told of it before. */
  #tell(problem: PrintProblem): void {
    const { intentId } = problem.slip
    const isKnown = this.#troubles.some(({ slip }) => slip.intentId === intentId)
    this.#troubles = isKnown
      ? this.#troubles.map((one) => (one.slip.intentId === intentId ? problem : one))
      : [...this.#troubles, problem]
  }

  #forget(intentId: string): void {
    this.#troubles = this.#troubles.filter(({ slip }) => slip.intentId !== intentId)
  }
}

/** How the next slip reaches its customer: as the settings say while the customer display is open, else on paper. */
export const currentDeliveryMethod = ({ customerDisplayOpen, settings }: TillState): DeliveryMethod =>
  customerDisplayOpen ? settings.deliveryMethod : 'print'

/** Whether the settings count on a customer display that is not open. */
export const isDisplayMissing = ({ customerDisplayOpen, settings }: TillState): boolean =>
  !customerDisplayOpen && settings.deliveryMethod !== 'print'

/** What a reprint is of: one slip by its intent id, or `last`, whichever was issued last. */
type Target = string

/** Prints codes again, marked COPY, one at a time. */
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

  /** Whether this is what is being printed again now. */
  isRunning(target: Target): boolean {
    return this.#request.running && this.#target === target
  }

  /** Why this did not come out at the last try. */
  failureOf(target: Target): Failure | null {
    return this.#target === target ? this.#request.failure : null
  }

  /** The slip as it stands after the last try for this came out; null before, and after a failure. */
  doneFor(target: Target): Slip | null {
    return this.#target === target ? this.#done : null
  }

  /** Prints a slip again. A press while one is under way changes nothing. */
  async print(target: Target): Promise<void> {
    if (this.#request.running) return
    this.#target = target
    this.#done = null
    const { slips } = this.#bridge
    const issued = await this.#request.run(() =>
      target === 'last' ? slips.reprintLast() : slips.reprint({ intentId: target })
    )
    this.#done = issued?.slip ?? null
  }

  /** Takes away what was said of the last try. */
  clear(): void {
    if (this.#request.running) return
    this.#request.reset()
    this.#target = null
    this.#done = null
  }
}
