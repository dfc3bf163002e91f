import type { Bridge } from '../../../electron/contract/bridge.ts'
import { mapResult, type Failure, type Result } from '../../../electron/contract/failure.ts'
import type { UnansweredOperation } from '../../../electron/contract/operations.ts'
import type { AttentionSlip, Slip } from '../../../electron/contract/slips.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'
import { newRows } from './paged-list.svelte.ts'

/** The slips that need attention: their number, their list, and the actions on them. */
export class Attention {
  readonly #bridge: Bridge
  readonly #ipc: IpcClient
  readonly request: AsyncRequest
  count = $state(0)
  /** The listed slips, newest first; null until the first read. */
  list = $state.raw<readonly AttentionSlip[] | null>(null)
  hasMore = $state(false)
  /** The intent id of the slip with an action in progress; null if there is none. */
  busy = $state<string | null>(null)
  #failure = $state.raw<{ intentId: string; failure: Failure } | null>(null)
  #reading = false
  #stale = false
  /** counts what changed a slip: a page that was asked for before may be outdated */
  #changes = 0
  /** how many rows are listed after the next refresh, if more than now */
  #wanted = 0

  constructor(bridge: Bridge, ipc: IpcClient) {
    this.#bridge = bridge
    this.#ipc = ipc
    this.request = new AsyncRequest(ipc)
  }

  /** Returns why the last action on a slip failed; null if it did not. */
  failureOf(intentId: string): Failure | null {
    return this.#failure?.intentId === intentId ? this.#failure.failure : null
  }

  /** Reads the number of slips and updates it when a slip changes. Returns a function that stops. */
  start(): () => void {
    const stop = this.#bridge.onSlip(() => void this.#refresh())
    void this.#refresh()
    return stop
  }

  /** Reads the number, and the list if it was loaded, again. */
  refresh(): Promise<void> {
    return this.#refresh()
  }

  /** Reads the first page of the list and the number. From then on the list is updated when a slip changes. */
  async load(): Promise<void> {
    const changes = this.#changes
    const read = await this.request.run(async () => {
      const list = await this.#bridge.slips.attentionList({ offset: 0 })
      return list.ok
        ? mapResult(await this.#bridge.slips.attention(), (count) => ({ ...list.value, count }))
        : list
    })
    if (!read) return
    this.count = read.count
    this.list = read.slips
    this.hasMore = read.hasMore
    if (this.#changes !== changes) await this.#refresh()
  }

  async more(): Promise<void> {
    const before = this.list ?? []
    const read = await this.request.run(() => this.#bridge.slips.attentionList({ offset: before.length }))
    if (!read) return
    // The rows changed meanwhile, so the page may begin elsewhere.
    if (this.list !== before) {
      await this.#refresh(before.length + read.slips.length)
      return
    }
    this.list = [...before, ...newRows(before, read.slips, keyOf)]
    this.hasMore = read.hasMore
  }

  async print({ intentId }: Slip): Promise<void> {
    await this.#act(intentId, () => this.#bridge.slips.print({ intentId }))
  }

  /** Records that the customer has the slip, whatever the print job's outcome was. */
  async markGiven({ intentId }: Slip): Promise<void> {
    await this.#act(intentId, () => this.#bridge.slips.markGiven({ intentId }))
  }

  /** Discards a slip for good and stores `reason` with it. Resolves with whether that succeeded. */
  discard({ intentId }: Slip, reason: string): Promise<boolean> {
    return this.#act(intentId, () => this.#bridge.slips.discard({ intentId, reason }))
  }

  /** Runs one action at a time. The row stays in the list until the action is done. */
  async #act(intentId: string, call: () => Promise<Result<unknown>>): Promise<boolean> {
    if (this.busy) return false
    this.busy = intentId
    this.#failure = null
    const answer = await this.#ipc.invoke(call)
    this.busy = null
    if (!answer.ok) this.#failure = { intentId, failure: answer.failure }
    await this.#refresh()
    return answer.ok
  }

  /**
   * Coalesces refreshes: a batch changes many slips at once, and changes during a read cause only one further read. The
   * number and the list change together; while an action runs, neither does. A locked till tells the number only. A failure
   * is not shown: the next change reads again.
   */
  async #refresh(wanted = 0): Promise<void> {
    this.#changes++
    this.#wanted = Math.max(this.#wanted, wanted)
    this.#stale = true
    if (this.#reading) return
    this.#reading = true
    while (this.#stale) {
      this.#stale = false
      const count = await this.#ipc.invoke(() => this.#bridge.slips.attention())
      const list = this.list && (await this.#readAgain(Math.max(this.list.length, this.#wanted)))
      if (!count.ok || (this.list && this.busy !== null)) continue
      this.count = count.value
      if (list) {
        this.list = list.slips
        this.hasMore = list.hasMore
      }
    }
    this.#wanted = 0
    this.#reading = false
  }

  /** Reads the listed pages again; null if that failed. */
  async #readAgain(
    wanted: number
  ): Promise<{ readonly slips: readonly AttentionSlip[]; readonly hasMore: boolean } | null> {
    let slips: readonly AttentionSlip[] = []
    let offset = 0
    for (;;) {
      const from = offset
      const answer = await this.#ipc.invoke(() => this.#bridge.slips.attentionList({ offset: from }))
      if (!answer.ok) return null
      const { slips: page, hasMore } = answer.value
      slips = [...slips, ...newRows(slips, page, keyOf)]
      offset += page.length
      if (slips.length >= wanted || !hasMore || page.length === 0) return { slips, hasMore }
    }
  }
}

const keyOf = ({ slip }: AttentionSlip): string => slip.intentId

/** The operations whose answer was lost: main asks again by itself, and a person can ask now, or end one without an answer. */
export class UnansweredOperations {
  readonly #bridge: Bridge
  readonly #reading: AsyncRequest
  /** asking again, or ending one */
  readonly request: AsyncRequest
  count = $state(0)
  /** newest first, at most 50; null until it is loaded */
  list = $state.raw<readonly UnansweredOperation[] | null>(null)

  constructor(bridge: Bridge, ipc: IpcClient) {
    this.#bridge = bridge
    this.#reading = new AsyncRequest(ipc)
    this.request = new AsyncRequest(ipc)
  }

  /** Reads the number and updates it when an operation changes. Returns a function that stops. */
  start(): () => void {
    const stop = this.#bridge.onOperation(() => void this.refresh())
    void this.refresh()
    return stop
  }

  /** Reads the number, and the list if it was loaded, again. A failure is not shown: the next change reads again. */
  async refresh(): Promise<void> {
    const read = await this.#reading.run(async () => {
      const count = await this.#bridge.operations.attention()
      const list = count.ok && this.list ? await this.#bridge.operations.attentionList() : null
      return mapResult(count, (number) => ({ count: number, list: list?.ok ? list.value : null }))
    })
    if (!read) return
    this.count = read.count
    this.list = read.list ?? this.list
  }

  /** Reads the list and the number. From then on the list is updated, too. */
  load(): Promise<void> {
    this.list ??= []
    return this.refresh()
  }

  async askAgain(): Promise<void> {
    await this.request.run(() => this.#bridge.operations.askAgain())
    await this.refresh()
  }

  /** Ends one without an answer and stores why. Resolves with whether that succeeded. */
  async discard(asked: { readonly key: string; readonly reason: string }): Promise<boolean> {
    const discarded = await this.request.run(() => this.#bridge.operations.discard(asked))
    await this.refresh()
    return discarded !== undefined
  }
}
