import { attentionAction, type IssuedSlip, type Slip } from '../../../electron/contract/slips.ts'
import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Result, Failure } from '../../../electron/contract/failure.ts'
import type { Answers } from './answers.svelte.ts'

/** A slip of this counter that has something missing: its paper, or a copy of it. */
export interface Trouble {
  readonly slip: Slip
  readonly missing: 'paper' | 'copy'
  /** why the last try came to nothing; null when no try ended yet */
  readonly failure: Failure | null
  /** whether the paper may have come out, so that somebody has to look before printing again */
  readonly mayBeOnPaper: boolean
}

const troubleOf = (slip: Slip): Trouble | null => {
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
export class HandedOver {
  readonly #bridge: Bridge
  readonly #answers: Answers
  /** the slips of this counter by intent id, as last heard; null while nothing was */
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing on the screen depends on it
  readonly #followed = new Map<string, Slip | null>()
  /** one for each slip, the newest last */
  #troubles = $state.raw<readonly Trouble[]>([])
  #last = $state.raw<IssuedSlip | null>(null)
  #busy = $state(false)

  constructor(bridge: Bridge, answers: Answers) {
    this.#bridge = bridge
    this.#answers = answers
  }

  /** The slip that was issued last; null once the next one started. */
  get last(): IssuedSlip | null {
    return this.#last
  }

  /** The newest trouble; null when there is none. */
  get trouble(): Trouble | null {
    return this.#troubles.at(-1) ?? null
  }

  /** How many slips have trouble. */
  get troubles(): number {
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
    const heard = this.#followed.get(issued.slip.intentId)
    const slip = heard && heard.revision > issued.slip.revision ? heard : issued.slip
    this.#followed.set(slip.intentId, slip)
    this.#last = { ...issued, slip }
    this.#judge(slip)
  }

  /** The next one starts. */
  clear(): void {
    this.#last = null
  }

  /** Hears that a slip's row changed, in any order. */
  hear(slip: Slip): void {
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
    const trouble = this.trouble
    if (!trouble) return
    const { intentId } = trouble.slip
    await this.#act(trouble, async () => {
      const answer = await (trouble.missing === 'copy'
        ? this.#bridge.slips.reprint({ intentId })
        : this.#bridge.slips.print({ intentId }))
      return answer.ok ? { ok: true, value: answer.value.slip } : answer
    })
  }

  /** The customer has the slip in trouble, whatever the printer said. */
  async markGiven(): Promise<void> {
    const trouble = this.trouble
    if (!trouble) return
    await this.#act(trouble, () => this.#bridge.slips.markGiven({ intentId: trouble.slip.intentId }))
  }

  /** Speaks no more of the slip in trouble here; it still waits under Slips. */
  leave(): void {
    const trouble = this.trouble
    if (!trouble) return
    this.#followed.delete(trouble.slip.intentId)
    this.#forget(trouble.slip.intentId)
  }

  async #act(trouble: Trouble, call: () => Promise<Result<Slip>>): Promise<void> {
    if (this.#busy) return
    this.#busy = true
    const answer = await this.#answers.hear(call)
    this.#busy = false
    if (answer.ok) this.hear(answer.value)
    else this.#tell({ ...trouble, failure: answer.failure })
  }

  #judge(slip: Slip): void {
    const trouble = troubleOf(slip)
    const { intentId } = slip
    if (trouble) this.#tell(trouble)
    // While another try is on its way, the last word stands.
    else if (slip.state !== 'printing' && slip.lastCopy?.state !== 'printing') this.#forget(intentId)
  }

  /** Tells a slip's trouble in the place of what was told of it before. */
  #tell(trouble: Trouble): void {
    const { intentId } = trouble.slip
    const isKnown = this.#troubles.some(({ slip }) => slip.intentId === intentId)
    this.#troubles = isKnown
      ? this.#troubles.map((one) => (one.slip.intentId === intentId ? trouble : one))
      : [...this.#troubles, trouble]
  }

  #forget(intentId: string): void {
    this.#troubles = this.#troubles.filter(({ slip }) => slip.intentId !== intentId)
  }
}
