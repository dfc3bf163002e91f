import type { Failure } from '../../../electron/contract/failure.ts'
import { today } from '../format/days.ts'
import { Batches } from './batches.svelte.ts'
import { CodeCheck } from './code-check.svelte.ts'
import { ConnectionFormState } from './connection-form.svelte.ts'
import { CustomerList } from './customer-list.svelte.ts'
import type { Place } from './places.svelte.ts'
import { Report } from './report.svelte.ts'
import { Rewards } from './rewards.svelte.ts'
import { Slips } from './slips.svelte.ts'
import type { House, Workplace } from './workplace.svelte.ts'

/** Leaves something, if it is there to be left; gives whether it was. */
const leave = (isThere: boolean, step: () => void): boolean => {
  if (isThere) step()
  return isThere
}

/**
 * What was read and typed at the places other than the counter, for one business. It is no part of the first paint: the
 * workplace makes it when it is wanted.
 */
export class Elsewhere {
  readonly customers: CustomerList
  readonly rewards: Rewards
  readonly slips: Slips
  readonly batches: Batches
  readonly codeCheck: CodeCheck
  readonly report: Report
  readonly #house: House
  readonly #workplace: Workplace
  #reconnection = $state.raw<ConnectionFormState | null>(null)

  constructor(house: House, workplace: Workplace) {
    const { bridge, answers, till } = house
    this.#house = house
    this.#workplace = workplace
    this.customers = new CustomerList(bridge, answers)
    this.rewards = new Rewards(bridge, answers, () => workplace.counter.customer?.balance ?? null)
    this.slips = new Slips(bridge, answers)
    this.batches = new Batches(bridge, answers)
    this.codeCheck = new CodeCheck(bridge, answers)
    this.report = new Report(bridge, answers, () => today(till.timeZone))
  }

  /** Follows what main tells. Gives what ends the following. */
  start(): () => void {
    const stops = [this.customers, this.rewards, this.slips, this.batches].map((part) => part.start())
    return () => {
      for (const stop of stops) stop()
    }
  }

  /** Asks anew what failed in such a way. Reads only; what writes waits for a hand. */
  askAgain(failedSo: (failure: Failure | null) => boolean): void {
    const { find, rows } = this.customers
    if (failedSo(find.asking.failure)) void find.now()
    if (failedSo(rows.failure)) void rows.retry()
    if (failedSo(this.rewards.failure)) void this.rewards.read()
    if (failedSo(this.codeCheck.asking.failure) || this.codeCheck.checked?.qr === null) {
      void this.codeCheck.check()
    }
  }

  /** Leaves what is open at a place, innermost first. Gives false when there was nothing to leave. */
  stepBack(place: Place): boolean {
    const { batches, customers, slips } = this
    switch (place) {
      case 'slips':
        return (
          leave(batches.form !== null || batches.open !== null, () => {
            batches.close()
          }) ||
          leave(slips.chosen !== null, () => {
            slips.chosen = null
          })
        )
      case 'customers':
        return (
          leave(customers.find.text !== '', () => {
            customers.find.clear()
          }) ||
          leave(customers.chosen !== null, () => {
            customers.chosen = null
          })
        )
      case 'till':
      case 'rewards':
      case 'settings':
        return false
    }
  }

  /** The form that asks for a new token; null while it is closed. */
  get reconnection(): ConnectionFormState | null {
    return this.#reconnection
  }

  /** Asks for a new token, with the address kept. */
  reconnect(): void {
    const { bridge, answers, till } = this.#house
    this.#reconnection ??= new ConnectionFormState(bridge, answers, till, till.state?.baseUrl ?? null)
    this.#workplace.openSettings('general')
  }

  endReconnection(): void {
    this.#reconnection = null
  }
}
