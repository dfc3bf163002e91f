import type { Bridge } from '../../../electron/contract/bridge.ts'
import { ok, err, mapResult, type Failure, type Result } from '../../../electron/contract/failure.ts'
import { THE_REST, type Return, type TakeBackRequest } from '../../../electron/contract/returns.ts'
import { parseAmount, parseDecimal, parsePoints } from '../format/numbers.ts'
import { AsyncRequest, isOutcomeOpen, type IpcClient } from './ipc-client.svelte.ts'
import { OperationSlip } from './operation-slip.svelte.ts'

/** The purchase of which points go back, as the till knows it. */
export interface ReturnSubject extends Pick<TakeBackRequest, 'purchase' | 'customer'> {
  /** points that the purchase gave; null: not known to this till */
  readonly given: number | null
  /** points that did not go back yet; null: not known to this till */
  readonly remaining: number | null
}

/** Who is told that points went back. */
export interface ReturnListener {
  readonly onReturned: () => void
  /** whether the customer gets a printed slip */
  readonly printsSlip: () => boolean
  /** of the shop's bills (ISO 4217); null: not known */
  readonly currency: () => string | null
}

/** How the cashier says what goes back. */
export const RETURN_PARTS = ['all', 'amount', 'points'] as const
export type ReturnPartKind = (typeof RETURN_PARTS)[number]

const malformed = err({ kind: 'invalid-input', field: 'amount', fault: 'malformed' })

/** Takes points of one purchase back. Nothing counts as taken back before main has the answer on disk. */
export class ReturnForm {
  readonly #bridge: Bridge
  readonly #listener: ReturnListener
  readonly request: AsyncRequest
  readonly slip: OperationSlip
  readonly subject: ReturnSubject
  part = $state<ReturnPartKind>('all')
  /** as typed */
  points = $state('')
  returned = $state('')
  total = $state('')
  reason = $state('')
  /** as main told it last; null before its answer */
  done = $state.raw<Return | null>(null)
  #intentId: string = crypto.randomUUID()

  constructor(bridge: Bridge, ipc: IpcClient, subject: ReturnSubject, listener: ReturnListener) {
    this.#bridge = bridge
    this.#listener = listener
    this.request = new AsyncRequest(ipc)
    this.slip = new OperationSlip(bridge, ipc)
    this.subject = subject
  }

  /** Follows what main learns later. Returns a function that stops. */
  start(): () => void {
    return this.#bridge.onReturn((returned) => {
      if (returned.intentId !== this.#intentId || this.request.running) return
      if (returned.state === 'refused' && returned.failure) this.request.fail(returned.failure)
      this.#accept(returned)
    })
  }

  get step(): 'asking' | 'unknown' | 'returned' {
    if (this.done?.state === 'returned') return 'returned'
    return this.request.failure?.kind === 'unknown-outcome' ? 'unknown' : 'asking'
  }

  /** Takes the points back. What was refused is requested again as a new return. */
  async take(): Promise<void> {
    const reason = this.reason.trim()
    if (this.request.running || this.step !== 'asking' || reason === '') return
    const { failure } = this.request
    if (failure && !isOutcomeOpen(failure)) this.#intentId = crypto.randomUUID()
    const part = this.#parsedPart()
    if (!part.ok) {
      this.request.fail(part.failure)
      return
    }
    const { purchase, customer, remaining } = this.subject
    const returned = await this.request.run(() =>
      this.#bridge.returns.take({
        ...{ intentId: this.#intentId, purchase, part: part.value, customer, reason },
        atMost: remaining
      })
    )
    if (returned) this.#accept(returned)
  }

  #parsedPart(): Result<TakeBackRequest['part']> {
    switch (this.part) {
      case 'all':
        return ok(THE_REST)
      case 'points':
        return mapResult(parsePoints(this.points), (points) => ({ points }))
      case 'amount': {
        const [returned, total] = [this.#parsedAmount(this.returned), this.#parsedAmount(this.total)]
        const isValid = returned !== null && total !== null && Number(returned) > 0
        if (!isValid || Number(total) < Number(returned)) return malformed
        return ok({ amount: { returned, total } })
      }
    }
  }

  /** As an amount of a bill: `1.250` is refused where it can be read in two ways. */
  #parsedAmount(text: string): string | null {
    const currency = this.#listener.currency()
    if (currency === null) return parseDecimal(text)
    const amount = parseAmount(text, currency)
    return amount.ok ? amount.value : null
  }

  /** Takes over a newer state: an answer may come after the event of a later change. */
  #accept(returned: Return): void {
    if (returned.revision < (this.done?.revision ?? 0)) return
    const wasDone = this.step === 'returned'
    this.done = returned
    if (this.step !== 'returned' || wasDone) return
    this.#listener.onReturned()
    if (this.#listener.printsSlip()) void this.print()
  }

  /** Prints the slip of the return for the customer. */
  async print(): Promise<void> {
    await this.slip.print(this.#intentId)
  }
}

/** Returns the points that remain of a purchase whose return was refused; null for another failure. */
export const remainingOf = (failure: Failure | null): number | null =>
  failure?.kind === 'operation-refused' ? (failure.remaining ?? null) : null
