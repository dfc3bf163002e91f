import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Failure, Result } from '../../../electron/contract/failure.ts'
import { isUnfinished, MAX_BATCH_SLIPS, type Batch } from '../../../electron/contract/slips.ts'
import { toAsciiDigits } from '../../../electron/contract/text.ts'
import { parsePoints } from '../format/numbers.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'

/** Returns how many codes of a batch are not printed: waiting, printing or failed. */
export const unprintedCount = ({ issued, printed, ended }: Batch): number => issued - printed - ended

/**
 * Batches of slips: the form of a new one, the batch on the screen with its progress, and the unfinished ones.
 */
export class Batches {
  readonly #bridge: Bridge
  /** the last action */
  readonly request: AsyncRequest
  readonly #reading: AsyncRequest
  /** Batches that are neither finished nor cancelled, newest first. */
  unfinished = $state.raw<readonly Batch[]>([])
  /** The form of a new batch; null while it is closed. */
  form = $state.raw<BatchForm | null>(null)
  /** The batch on the screen; null if there is none. */
  open = $state.raw<Batch | null>(null)
  /** ids of the batches that were started here, shown or dismissed: no banner for them */
  #acknowledgedIds = $state.raw<readonly string[]>([])

  constructor(bridge: Bridge, ipc: IpcClient) {
    this.#bridge = bridge
    this.request = new AsyncRequest(ipc)
    this.#reading = new AsyncRequest(ipc)
  }

  /** The newest unfinished batch of an earlier start or of another window that was not shown or dismissed yet. */
  get interrupted(): Batch | null {
    return this.unfinished.find(({ batchId }) => !this.#acknowledgedIds.includes(batchId)) ?? null
  }

  /** Reads the unfinished batches and follows the progress of all. Returns a function that stops. */
  start(): () => void {
    const stop = this.#bridge.onBatch((batch) => {
      this.#accept(batch)
    })
    void this.#read()
    return stop
  }

  /** Opens the form of a new batch. `oneJob` is its default from the settings. */
  openForm(oneJob: boolean): void {
    this.request.reset()
    this.open = null
    this.form = new BatchForm(oneJob)
  }

  /** Shows a batch. */
  show(batch: Batch): void {
    this.request.reset()
    this.form = null
    this.open = batch
    this.#acknowledge(batch)
  }

  /** Returns to the list of slips. A running batch continues. */
  close(): void {
    this.request.reset()
    this.form = null
    this.open = null
  }

  /** Hides the banner of an interrupted batch. The batch stays in the list of slips. */
  dismiss(batch: Batch): void {
    this.#acknowledge(batch)
  }

  /** Starts the batch that the form describes and the cashier confirmed. */
  async submit(): Promise<void> {
    const form = this.form
    if (!form?.request || this.request.running) return
    const { request } = form
    this.#acknowledgedIds = [...this.#acknowledgedIds, request.batchId]
    const batch = await this.request.run(() => this.#bridge.batches.start(request))
    if (!batch) return
    if (this.form === form) this.show(batch)
    this.#accept(batch)
  }

  pause(): Promise<void> {
    return this.#act(({ batchId }) => this.#bridge.batches.pause({ batchId }))
  }

  /** Resumes the batch. With `issueUnknownAgain`, slips with an unknown outcome are requested again. */
  resume(issueUnknownAgain: boolean): Promise<void> {
    return this.#act(({ batchId }) => this.#bridge.batches.resume({ batchId, issueUnknownAgain }))
  }

  /** Cancels the batch for good. */
  cancel(unprinted: 'print' | 'discard'): Promise<void> {
    return this.#act(({ batchId }) => this.#bridge.batches.cancel({ batchId, unprinted }))
  }

  /** Prints the codes of the batch that are not printed yet. */
  printRest(): Promise<void> {
    return this.#act(({ batchId }) => this.#bridge.batches.printRest({ batchId }))
  }

  async #act(call: (batch: Batch) => Promise<Result<Batch>>): Promise<void> {
    const batch = this.open
    if (!batch || this.request.running) return
    const changed = await this.request.run(() => call(batch))
    if (changed) this.#accept(changed)
  }

  async #read(): Promise<void> {
    const unfinished = await this.#reading.run(() => this.#bridge.batches.unfinished())
    if (unfinished) this.unfinished = unfinished
  }

  #acknowledge({ batchId }: Batch): void {
    if (!this.#acknowledgedIds.includes(batchId)) this.#acknowledgedIds = [...this.#acknowledgedIds, batchId]
  }

  #accept(batch: Batch): void {
    if (this.open?.batchId === batch.batchId) this.open = batch
    const others = this.unfinished.filter(({ batchId }) => batchId !== batch.batchId)
    const known = others.length < this.unfinished.length
    if (!isUnfinished(batch)) this.unfinished = others
    else if (!known) this.unfinished = [batch, ...others]
    else {
      this.unfinished = this.unfinished.map((one) => (one.batchId === batch.batchId ? batch : one))
    }
  }
}

/** A batch as the form describes it, once it is valid. */
export interface BatchRequest {
  readonly batchId: string
  /** points of each slip */
  readonly points: number
  readonly count: number
  readonly oneJob: boolean
}

/** Why the number of slips is invalid. `out-of-bounds`: not from 1 to `MAX_BATCH_SLIPS`. */
type CountFault = 'missing' | 'not-a-whole-number' | 'out-of-bounds'

/** The form of a new batch: points of each slip, number of slips, and the confirmation of the total. */
export class BatchForm {
  /** of what was confirmed last: pressing the button again refers to the same batch, other values are another one */
  batchId: string = crypto.randomUUID()
  #confirmed = ''
  /** points of each slip, as typed */
  points = $state('')
  /** number of slips, as typed */
  count = $state('')
  /** whether all slips are printed in one print job */
  oneJob = $state(false)
  pointsFailure = $state.raw<Failure | null>(null)
  countFault = $state<CountFault | null>(null)
  /** The validated batch that waits for confirmation; null while the form is edited. */
  request = $state.raw<BatchRequest | null>(null)

  /** `oneJob` is the default from the settings. */
  constructor(oneJob: boolean) {
    this.oneJob = oneJob
  }

  typePoints(text: string): void {
    this.points = text
    this.pointsFailure = null
  }

  typeCount(text: string): void {
    this.count = text
    this.countFault = null
  }

  /** Total points of all slips as typed now; null if the fields are invalid. */
  get total(): number | null {
    const points = parsePoints(this.points)
    const count = parseCount(this.count)
    return points.ok && count.ok ? points.value * count.value : null
  }

  /**
   * Validates the fields. If they are valid, `request` waits for confirmation. Returns whether they are valid.
   */
  check(): boolean {
    const points = parsePoints(this.points)
    const count = parseCount(this.count)
    this.pointsFailure = points.ok ? null : points.failure
    this.countFault = count.ok ? null : count.fault
    if (!points.ok || !count.ok) return false
    const values = { points: points.value, count: count.value, oneJob: this.oneJob }
    const confirmed = JSON.stringify(values)
    if (this.#confirmed !== '' && this.#confirmed !== confirmed) this.batchId = crypto.randomUUID()
    this.#confirmed = confirmed
    this.request = { batchId: this.batchId, ...values }
    return true
  }

  /** Returns to the fields, which keep their values. */
  back(): void {
    this.request = null
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
