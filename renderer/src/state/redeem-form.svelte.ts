import type { PricedReward } from '../../../electron/contract/affordable-rewards.ts'
import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Credit } from '../../../electron/contract/credits.ts'
import { isUndoOver, mapResult, type Failure } from '../../../electron/contract/failure.ts'
import type { Customer } from '../../../electron/contract/loyalty.ts'
import type { Redemption } from '../../../electron/contract/redemptions.ts'
import type { Return } from '../../../electron/contract/returns.ts'
import { AsyncRequest, isOutcomeOpen, type IpcClient } from './ipc-client.svelte.ts'
import { OperationSlip } from './operation-slip.svelte.ts'

/** A reward with its cost in points. */
type RedeemedReward = Pick<PricedReward, 'id' | 'name' | 'cost'>

/** What a form is opened for: a reward to redeem, or a redemption to undo. */
export type RedeemSubject =
  | { readonly customer: Pick<Customer, 'id' | 'name' | 'balance'>; readonly reward: RedeemedReward }
  | { readonly undo: Redemption }

/** What the dialog shows. */
export type RedeemStep =
  /** the question before redeeming, also after a refusal: see `failure` */
  | 'asking'
  | 'redeeming'
  | 'redeemed'
  /** the answer was lost: main asks again */
  | 'unknown'
  /** the question for the reason of an undo */
  | 'undoing'
  | 'undone'

/** Who is told what a customer has now. */
export interface RedeemListener {
  /** @param balance points after redeeming or undoing */
  readonly onBalance: (customerId: string, balance: number) => void
  /** whether the customer gets a printed slip */
  readonly printsSlip: () => boolean
}

const isDearer = (failure: Failure): boolean =>
  failure.kind === 'operation-refused' && failure.reason === 'price-changed'

/** Redeems one reward for one customer, and undoes it. Nothing counts as redeemed before main has the answer on disk. */
export class RedeemForm {
  readonly #bridge: Bridge
  readonly #listener: RedeemListener
  readonly request: AsyncRequest
  readonly slip: OperationSlip
  readonly customer: Pick<Customer, 'id' | 'name' | 'balance'>
  /** with its new cost after a refusal */
  reward = $state.raw<RedeemedReward>({ id: '', name: '', cost: 0 })
  /** the redemption, as main told last; null before its answer */
  redemption = $state.raw<Redemption | null>(null)
  reason = $state('')
  #undoing = $state(false)
  #isUnknown = $state(false)
  #intentId: string = crypto.randomUUID()

  constructor(bridge: Bridge, ipc: IpcClient, subject: RedeemSubject, listener: RedeemListener) {
    this.#bridge = bridge
    this.#listener = listener
    this.request = new AsyncRequest(ipc)
    this.slip = new OperationSlip(bridge, ipc)
    if ('undo' in subject) {
      const { undo } = subject
      this.customer = { id: undo.customer?.id ?? '', name: undo.customer?.name ?? '', balance: undo.balance }
      this.reward = { ...undo.reward, cost: undo.cost }
      this.redemption = undo
      this.#intentId = undo.intentId
      this.#undoing = true
    } else {
      this.customer = subject.customer
      this.reward = subject.reward
    }
  }

  /** Follows what main learns later. Returns a function that stops. */
  start(): () => void {
    return this.#bridge.onRedemption((redemption) => {
      if (redemption.intentId !== this.#intentId) return
      if (redemption.revision <= (this.redemption?.revision ?? -1)) return
      const wasUnknown = this.#isUnknown
      this.#accept(redemption)
      if (!wasUnknown || this.#isUnknown) return
      this.request.reset()
      if (redemption.state === 'refused' && redemption.failure) this.request.fail(redemption.failure)
    })
  }

  get step(): RedeemStep {
    const state = this.redemption?.state
    if (state === 'undone') return 'undone'
    if (this.#isUnknown) return 'unknown'
    if (this.#undoing) return 'undoing'
    if (state === 'redeemed') return 'redeemed'
    return this.request.running ? 'redeeming' : 'asking'
  }

  /** Whether an answer is awaited that is not known to be lost. */
  get isAwaited(): boolean {
    return this.request.running && (this.step === 'redeeming' || this.step === 'undoing')
  }

  /** Whether the request is that of an undo. */
  get isUndo(): boolean {
    return this.#undoing
  }

  /** Why the last request failed; null if it did not, or if its answer was lost. */
  get failure(): Failure | null {
    return this.#isUnknown ? null : this.request.failure
  }

  /** The points after redeeming; null while the balance is not known. */
  get balanceAfter(): number | null {
    const { balance } = this.customer
    return this.redemption?.balance ?? (balance === null ? null : balance - this.reward.cost)
  }

  /** Whether the customer is known to have too few points. */
  get isTooDear(): boolean {
    const { balance } = this.customer
    return balance !== null && balance < this.reward.cost
  }

  /** Redeems the reward. What was refused is requested again as a new redemption. */
  async redeem(): Promise<void> {
    if (this.step !== 'asking' || this.isTooDear) return
    const { failure } = this.request
    if (failure && !isOutcomeOpen(failure)) this.#intentId = crypto.randomUUID()
    this.redemption = null
    const { customer, reward } = this
    const answer = await this.request.run(async () => {
      const redeemed = await this.#bridge.redemptions.redeem({
        intentId: this.#intentId,
        customer: { id: customer.id, name: customer.name },
        reward: { id: reward.id, name: reward.name },
        cost: reward.cost,
        balanceBefore: customer.balance
      })
      if (!redeemed.ok && isDearer(redeemed.failure)) await this.#readCost()
      return redeemed
    })
    if (answer) {
      this.#accept(answer)
      if (answer.state === 'redeemed' && this.#listener.printsSlip()) await this.print()
    } else this.#noteUnknown()
  }

  /** Gives the points back, with the reason that was typed. */
  async undo(): Promise<void> {
    const reason = this.reason.trim()
    if (this.request.running || reason === '' || isUndoOver(this.failure)) return
    const answer = await this.request.run(() =>
      this.#bridge.redemptions.undo({ intentId: this.#intentId, reason })
    )
    if (answer) this.#accept(answer)
    else this.#noteUnknown()
  }

  /** Asks for the lost answer now. */
  async askAgain(): Promise<void> {
    if (this.request.running) return
    await this.request.run(() => this.#bridge.operations.askAgain())
  }

  async print(): Promise<void> {
    await this.slip.print(this.#intentId)
  }

  /** Shows the question for the reason of an undo. */
  beginUndo(): void {
    this.request.reset()
    this.#undoing = true
  }

  /** Keeps a lost answer apart from a failure. */
  #noteUnknown(): void {
    if (this.request.failure?.kind === 'unknown-outcome') this.#isUnknown = true
  }

  /** Learns the new price of the reward, before the question is shown again. */
  async #readCost(): Promise<void> {
    const detail = await this.#bridge.rewards.detail({ id: this.reward.id })
    if (detail.ok && detail.value.cost !== null) this.reward = { ...this.reward, cost: detail.value.cost }
  }

  /** Takes over a newer state: an answer may come after the event of a later change. */
  #accept(redemption: Redemption): void {
    if (redemption.revision < (this.redemption?.revision ?? 0)) return
    this.redemption = redemption
    this.#isUnknown = redemption.state === 'unknown' || redemption.state === 'undo-unknown'
    const { balance, customer, state } = redemption
    if ((state === 'redeemed' || state === 'undone') && balance !== null && customer) {
      this.#listener.onBalance(customer.id, balance)
    }
  }
}

/** The redemptions and credits of a customer at this till, the newest first, kept up to date with main. */
export class CustomerOperations {
  readonly #bridge: Bridge
  readonly #request: AsyncRequest
  redemptions = $state.raw<readonly Redemption[]>([])
  credits = $state.raw<readonly Credit[]>([])

  constructor(bridge: Bridge, ipc: IpcClient) {
    this.#bridge = bridge
    this.#request = new AsyncRequest(ipc)
  }

  get isEmpty(): boolean {
    return this.redemptions.length + this.credits.length === 0
  }

  /** Reads those of a customer and follows them; null for none. Returns a function that stops. */
  follow(customerId: string | null): () => void {
    this.#request.reset()
    this.redemptions = []
    this.credits = []
    if (customerId === null) return () => undefined
    const read = async (): Promise<void> => {
      const found = await this.#request.run(async () => {
        const redemptions = await this.#bridge.redemptions.ofCustomer({ id: customerId })
        if (!redemptions.ok) return redemptions
        const credits = await this.#bridge.credits.ofCustomer({ id: customerId })
        return mapResult(credits, (list) => ({ redemptions: redemptions.value, credits: list }))
      })
      if (!found) return
      this.redemptions = found.redemptions
      this.credits = found.credits
    }
    void read()
    // The bill's reference of a return may stand for a credit of this customer.
    const onChange = ({ customer }: Redemption | Credit | Return): void => {
      if (customer === null || customer.id === customerId) void read()
    }
    const stops = [
      this.#bridge.onRedemption(onChange),
      this.#bridge.onCredit(onChange),
      this.#bridge.onReturn(onChange)
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }
}
