import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Failure, Result } from '../../../electron/contract/failure.ts'
import type { AttentionSlip, Slip } from '../../../electron/contract/slips.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'

/** The slips that wait for a person: how many, which, and what was done about them. */
export class Attention {
  readonly #bridge: Bridge
  readonly #ipc: IpcClient
  readonly #request: AsyncRequest
  #count = $state(0)
  #list = $state.raw<readonly AttentionSlip[] | null>(null)
  #hasMore = $state(false)
  #busy = $state<string | null>(null)
  #failure = $state.raw<{ intentId: string; failure: Failure } | null>(null)
  #reading = false
  #stale = false

  constructor(bridge: Bridge, ipc: IpcClient) {
    this.#bridge = bridge
    this.#ipc = ipc
    this.#request = new AsyncRequest(ipc)
  }

  get count(): number {
    return this.#count
  }

  /** Newest first; null until they were read for the first time. */
  get list(): readonly AttentionSlip[] | null {
    return this.#list
  }

  get hasMore(): boolean {
    return this.#hasMore
  }

  get request(): AsyncRequest {
    return this.#request
  }

  /** The intent id of the slip that something is being done about. */
  get busy(): string | null {
    return this.#busy
  }

  /** Why the last press at this slip came to nothing. */
  failureOf(intentId: string): Failure | null {
    return this.#failure?.intentId === intentId ? this.#failure.failure : null
  }

  /** Counts what waits, and counts again as slips change. Gives what ends the following. */
  start(): () => void {
    const stop = this.#bridge.onSlip(() => void this.#refresh())
    void this.#refresh()
    return stop
  }

  /** Counts and reads again, after changes that could not be followed. */
  catchUp(): Promise<void> {
    return this.#refresh()
  }

  /** Reads the list; from then on it is kept in step. */
  async load(): Promise<void> {
    const read = await this.#request.run(() => this.#bridge.slips.attentionList({ offset: 0 }))
    if (!read) return
    this.#list = read.slips
    this.#hasMore = read.hasMore
  }

  async more(): Promise<void> {
    const before = this.#list ?? []
    const read = await this.#request.run(() => this.#bridge.slips.attentionList({ offset: before.length }))
    if (!read) return
    const isNew = ({ slip }: AttentionSlip): boolean =>
      before.every((known) => known.slip.intentId !== slip.intentId)
    this.#list = [...before, ...read.slips.filter(isNew)]
    this.#hasMore = read.hasMore
  }

  async print({ intentId }: Slip): Promise<void> {
    await this.#act(intentId, () => this.#bridge.slips.print({ intentId }))
  }

  /** The customer has it, whatever the printer said. */
  async markGiven({ intentId }: Slip): Promise<void> {
    await this.#act(intentId, () => this.#bridge.slips.markGiven({ intentId }))
  }

  /** Puts it away for good; `reason` is kept with it. Gives whether that went well. */
  discard({ intentId }: Slip, reason: string): Promise<boolean> {
    return this.#act(intentId, () => this.#bridge.slips.discard({ intentId, reason }))
  }

  /** Runs one thing at a time. The row stays where it is until its answer is there. */
  async #act(intentId: string, call: () => Promise<Result<unknown>>): Promise<boolean> {
    if (this.#busy) return false
    this.#busy = intentId
    this.#failure = null
    const answer = await this.#ipc.invoke(call)
    this.#busy = null
    if (!answer.ok) this.#failure = { intentId, failure: answer.failure }
    await this.#refresh()
    return answer.ok
  }

  /** Many slips change at once in a batch: what changes while main is asked is asked for once more, not each time. */
  async #refresh(): Promise<void> {
    this.#stale = true
    if (this.#reading) return
    this.#reading = true
    while (this.#stale) {
      this.#stale = false
      const answer = await this.#ipc.invoke(() => this.#bridge.slips.attention())
      if (answer.ok) this.#count = answer.value
      if (this.#list && !this.#busy) await this.#readAgain(this.#list.length)
    }
    this.#reading = false
  }

  /** Reads the pages that are in sight again, without a word if that fails: the next change tries again. */
  async #readAgain(wanted: number): Promise<void> {
    let slips: readonly AttentionSlip[] = []
    for (;;) {
      const offset = slips.length
      const answer = await this.#ipc.invoke(() => this.#bridge.slips.attentionList({ offset }))
      if (!answer.ok) return
      slips = [...slips, ...answer.value.slips]
      this.#hasMore = answer.value.hasMore
      if (slips.length >= wanted || !answer.value.hasMore || answer.value.slips.length === 0) break
    }
    this.#list = slips
  }
}
