import { isUnfinished, type Batch } from '../../../electron/contract/slips.ts'
import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Result } from '../../../electron/contract/failure.ts'
import type { Answers } from './answers.svelte.ts'
import { Asking } from './asking.svelte.ts'
import { BatchForm } from './batch-form.svelte.ts'

/** Codes of a batch that have no paper: on their way to it, waiting for it, or failed. */
export const withoutPaper = ({ issued, printed, ended }: Batch): number => issued - printed - ended

/** Many slips at once: the form, the batch in sight and how far it came, and those that were left unfinished. */
export class Batches {
  readonly #bridge: Bridge
  readonly #asking: Asking
  readonly #reading: Asking
  #unfinished = $state.raw<readonly Batch[]>([])
  #form = $state.raw<BatchForm | null>(null)
  #open = $state.raw<Batch | null>(null)
  #begunHere = $state.raw<readonly string[]>([])

  constructor(bridge: Bridge, answers: Answers) {
    this.#bridge = bridge
    this.#asking = new Asking(answers.hear)
    this.#reading = new Asking(answers.hear)
  }

  /** Batches that are neither finished nor cancelled, newest first. */
  get unfinished(): readonly Batch[] {
    return this.#unfinished
  }

  /** The newest batch that an earlier start, or another window, left unfinished and nobody looked at yet. */
  get leftBehind(): Batch | null {
    return this.#unfinished.find(({ batchId }) => !this.#begunHere.includes(batchId)) ?? null
  }

  /** The form of a new batch; null while it is closed. */
  get form(): BatchForm | null {
    return this.#form
  }

  /** The batch in sight; null when none is. */
  get open(): Batch | null {
    return this.#open
  }

  /** What the last press came to. */
  get asking(): Asking {
    return this.#asking
  }

  /** Reads what is unfinished, and follows every batch. Gives what ends the following. */
  start(): () => void {
    const stop = this.#bridge.onBatch((batch) => {
      this.#accept(batch)
    })
    void this.#read()
    return stop
  }

  /** Opens the form of a new batch. `oneJob` is what the settings say. */
  begin(oneJob: boolean): void {
    this.#asking.drop()
    this.#open = null
    this.#form = new BatchForm(oneJob)
  }

  /** Brings a batch into sight. */
  look(batch: Batch): void {
    this.#asking.drop()
    this.#form = null
    this.#open = batch
    this.#know(batch)
  }

  /** Back to the list of slips. A batch in sight goes on by itself. */
  close(): void {
    this.#asking.drop()
    this.#form = null
    this.#open = null
  }

  /** Speaks no more of a batch that was left behind; it stays under Slips. */
  leave(batch: Batch): void {
    this.#know(batch)
  }

  /** Starts what the form asks for and the cashier said yes to. */
  async submit(): Promise<void> {
    const form = this.#form
    if (!form?.wish || this.#asking.running) return
    const { wish } = form
    this.#begunHere = [...this.#begunHere, wish.batchId]
    const batch = await this.#asking.ask(() => this.#bridge.batches.start(wish))
    if (!batch) return
    if (this.#form === form) this.look(batch)
    this.#accept(batch)
  }

  pause(): Promise<void> {
    return this.#act(({ batchId }) => this.#bridge.batches.pause({ batchId }))
  }

  /** Goes on. `issueUnknownAgain`: slips whose outcome nobody knows are asked for anew. */
  resume(issueUnknownAgain: boolean): Promise<void> {
    return this.#act(({ batchId }) => this.#bridge.batches.resume({ batchId, issueUnknownAgain }))
  }

  /** Ends the batch in sight for good. */
  cancel(unprinted: 'print' | 'discard'): Promise<void> {
    return this.#act(({ batchId }) => this.#bridge.batches.cancel({ batchId, unprinted }))
  }

  /** Prints the codes of the batch in sight that have no paper. */
  printRest(): Promise<void> {
    return this.#act(({ batchId }) => this.#bridge.batches.printRest({ batchId }))
  }

  async #act(call: (batch: Batch) => Promise<Result<Batch>>): Promise<void> {
    const batch = this.#open
    if (!batch || this.#asking.running) return
    const changed = await this.#asking.ask(() => call(batch))
    if (changed) this.#accept(changed)
  }

  async #read(): Promise<void> {
    const unfinished = await this.#reading.ask(() => this.#bridge.batches.unfinished())
    if (unfinished) this.#unfinished = unfinished
  }

  #know({ batchId }: Batch): void {
    if (!this.#begunHere.includes(batchId)) this.#begunHere = [...this.#begunHere, batchId]
  }

  #accept(batch: Batch): void {
    if (this.#open?.batchId === batch.batchId) this.#open = batch
    const others = this.#unfinished.filter(({ batchId }) => batchId !== batch.batchId)
    const known = others.length < this.#unfinished.length
    if (!isUnfinished(batch)) this.#unfinished = others
    else if (!known) this.#unfinished = [batch, ...others]
    else {
      this.#unfinished = this.#unfinished.map((one) => (one.batchId === batch.batchId ? batch : one))
    }
  }
}
