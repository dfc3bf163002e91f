import type { LinkedBill } from '../../../electron/contract/local-interface.ts'
import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Slip } from '../../../electron/contract/slips.ts'
import type { Checkout } from './checkout.svelte.ts'
import type { IpcClient } from './ipc-client.svelte.ts'
import type { Router } from './navigation.svelte.ts'

/** A bill that the cashier decides about. */
interface BillQuestion {
  readonly bill: LinkedBill
  /** whether it would replace a slip that is not printed yet */
  readonly replaces: boolean
  /** the newest slip with its reference */
  readonly issued: Slip | null
}

/**
 * Fills in the till with the bills that other programs send by a link. It asks before it replaces anything, and if
 * the bill has a slip already.
 */
export class BillLinks {
  readonly #bridge: Bridge
  readonly #ipc: IpcClient
  readonly #router: Router
  readonly #checkout: Checkout
  /** The open question; null if there is none. */
  question = $state.raw<BillQuestion | null>(null)
  /** not reactive: a call that failed is repeated only when the state of the till changed */
  #taking = false

  constructor(bridge: Bridge, ipc: IpcClient, router: Router, checkout: Checkout) {
    this.#bridge = bridge
    this.#ipc = ipc
    this.#router = router
    this.#checkout = checkout
  }

  /** Whether a waiting bill can be taken: no question is open, and no slip is being issued or has an unknown outcome. */
  get ready(): boolean {
    const { running, unknown } = this.#checkout.form
    return !this.#taking && this.question === null && !running && unknown === null
  }

  /** Takes the bill that waits in the main process. While the till is locked, it stays there. */
  async take(): Promise<void> {
    this.#taking = true
    const answer = await this.#ipc.invoke(() => this.#bridge.billLinks.take())
    this.#taking = false
    const taken = answer.ok ? answer.value : null
    if (taken === null) return
    const { bill, issued } = taken
    this.#router.navigate('till')
    const replaces = this.#checkout.isReplacedBy(bill)
    if (replaces || issued !== null) this.question = { bill, replaces, issued }
    else await this.#checkout.fillIn(bill)
  }

  /** Fills in the bill. */
  async use(): Promise<void> {
    const question = this.question
    this.question = null
    if (question) await this.#checkout.fillIn(question.bill)
  }

  /** Drops the bill. */
  keep(): void {
    this.question = null
  }
}
