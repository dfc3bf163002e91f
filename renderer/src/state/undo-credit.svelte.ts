import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Credit } from '../../../electron/contract/credits.ts'
import { isUndoOver } from '../../../electron/contract/failure.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'

/** Undoes one credit, with a reason. Nothing counts as undone before main has the answer on disk. */
export class UndoCreditForm {
  readonly #bridge: Bridge
  readonly #onBalance: (customerId: string, balance: number) => void
  readonly request: AsyncRequest
  /** as main told it last */
  credit: Credit
  reason = $state('')

  /** @param onBalance is told what the customer has afterwards */
  constructor(
    bridge: Bridge,
    ipc: IpcClient,
    credit: Credit,
    onBalance: (customerId: string, balance: number) => void
  ) {
    this.#bridge = bridge
    this.#onBalance = onBalance
    this.request = new AsyncRequest(ipc)
    this.credit = $state.raw(credit)
  }

  /** Follows what main learns later. Returns a function that stops. */
  start(): () => void {
    return this.#bridge.onCredit((credit) => {
      if (credit.intentId === this.credit.intentId) this.#accept(credit)
    })
  }

  get step(): 'asking' | 'unknown' | 'undone' {
    if (this.credit.state === 'undone') return 'undone'
    const isLost = this.request.failure?.kind === 'unknown-outcome' && this.credit.state === 'undo-unknown'
    return isLost ? 'unknown' : 'asking'
  }

  /** Takes the points back, with the reason that was typed. */
  async undo(): Promise<void> {
    const { credit } = this
    const reason = this.reason.trim()
    if (this.request.running || reason === '' || isUndoOver(this.request.failure)) return
    const undone = await this.request.run(() =>
      this.#bridge.credits.undo({ intentId: credit.intentId, reason })
    )
    if (undone) this.#accept(undone)
  }

  /** Takes over a newer state: an answer may come after the event of a later change. */
  #accept(credit: Credit): void {
    if (credit.revision < this.credit.revision) return
    this.credit = credit
    const { balance, customer, state } = credit
    if (state === 'undone' && balance !== null && customer) this.#onBalance(customer.id, balance)
  }
}
