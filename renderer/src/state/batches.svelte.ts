import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Failure, Result } from '../../../electron/contract/failure.ts'
import { isUnfinished, MAX_BATCH_SLIPS, type Batch } from '../../../electron/contract/slips.ts'
import { toAsciiDigits, parsePoints } from '../format/numbers.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'

/** Codes of a batch that have no paper: on their way to it, waiting for it, or failed. */
export const withoutPaper = ({ issued, printed, ended }: Batch): number => issued - printed - ended

/** Many slips at once: the form, the batch in sight and how far it came, and those that were left unfinished. */
export class Batches {
  readonly #bridge: Bridge
  readonly #request: AsyncRequest
  readonly #reading: AsyncRequest
  #unfinished = $state.raw<readonly Batch[]>([])
  #form = $state.raw<BatchForm | null>(null)
  #open = $state.raw<Batch | null>(null)
  #begunHere = $state.raw<readonly string[]>([])

  constructor(bridge: Bridge, ipc: IpcClient) {
    this.#bridge = bridge
    this.#request = new AsyncRequest(ipc)
    this.#reading = new AsyncRequest(ipc)
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
  get request(): AsyncRequest {
    return this.#request
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
    this.#request.reset()
    this.#open = null
    this.#form = new BatchForm(oneJob)
  }

  /** Brings a batch into sight. */
  look(batch: Batch): void {
    this.#request.reset()
    this.#form = null
    this.#open = batch
    this.#know(batch)
  }

  /** Back to the list of slips. A batch in sight goes on by itself. */
  close(): void {
    this.#request.reset()
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
    if (!form?.wish || this.#request.running) return
    const { wish } = form
    this.#begunHere = [...this.#begunHere, wish.batchId]
    const batch = await this.#request.run(() => this.#bridge.batches.start(wish))
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
    if (!batch || this.#request.running) return
    const changed = await this.#request.run(() => call(batch))
    if (changed) this.#accept(changed)
  }

  async #read(): Promise<void> {
    const unfinished = await this.#reading.run(() => this.#bridge.batches.unfinished())
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

/** What a batch form asks for, once it can be asked. */
export interface BatchRequest {
  readonly batchId: string
  /** points on each slip */
  readonly points: number
  readonly count: number
  readonly oneJob: boolean
}

/** Why the number of slips is none: not a whole number, or not from 1 to `MAX_BATCH_SLIPS`. */
type CountFault = 'missing' | 'not-a-whole-number' | 'out-of-bounds'

/** Many slips at once: how many points, how many slips, and the cashier's yes to the total. */
export class BatchForm {
  /** made when the form opens: however often the button is pressed, it is one batch */
  readonly batchId: string = crypto.randomUUID()
  #points = $state('')
  #count = $state('')
  #oneJob = $state(false)
  #pointsFailure = $state.raw<Failure | null>(null)
  #countFault = $state<CountFault | null>(null)
  #wish = $state.raw<BatchRequest | null>(null)

  /** `oneJob` is what the settings say. */
  constructor(oneJob: boolean) {
    this.#oneJob = oneJob
  }

  /** Points on each slip, as typed. */
  get points(): string {
    return this.#points
  }

  set points(text: string) {
    this.#points = text
    this.#pointsFailure = null
  }

  /** How many slips, as typed. */
  get count(): string {
    return this.#count
  }

  set count(text: string) {
    this.#count = text
    this.#countFault = null
  }

  /** Whether all slips are one print job. */
  get oneJob(): boolean {
    return this.#oneJob
  }

  set oneJob(oneJob: boolean) {
    this.#oneJob = oneJob
  }

  get pointsFailure(): Failure | null {
    return this.#pointsFailure
  }

  get countFault(): CountFault | null {
    return this.#countFault
  }

  /** What was checked and waits for the cashier's yes; null while the form is being filled in. */
  get wish(): BatchRequest | null {
    return this.#wish
  }

  /** All points of all slips as they are typed now; null while they cannot be reckoned. */
  get total(): number | null {
    const points = parsePoints(this.#points)
    const count = parseCount(this.#count)
    return points.ok && count.ok ? points.value * count.value : null
  }

  /** Checks what was typed; good, it waits for a yes. Gives whether it is good. */
  check(): boolean {
    const points = parsePoints(this.#points)
    const count = parseCount(this.#count)
    this.#pointsFailure = points.ok ? null : points.failure
    this.#countFault = count.ok ? null : count.fault
    if (!points.ok || !count.ok) return false
    this.#wish = {
      batchId: this.batchId,
      points: points.value,
      count: count.value,
      oneJob: this.#oneJob
    }
    return true
  }

  /** Back to the fields, which still hold what was typed. */
  back(): void {
    this.#wish = null
  }
}

type Count =
  { readonly ok: true; readonly value: number } | { readonly ok: false; readonly fault: CountFault }

function parseCount(text: string): Count {
  const digits = toAsciiDigits(text)
  if (digits === '') return { ok: false, fault: 'missing' }
  if (!/^\d+$/u.test(digits)) return { ok: false, fault: 'not-a-whole-number' }
  const value = Number(digits)
  return value >= 1 && value <= MAX_BATCH_SLIPS ? { ok: true, value } : { ok: false, fault: 'out-of-bounds' }
}
