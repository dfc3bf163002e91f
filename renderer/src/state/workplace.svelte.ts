import { createContext } from 'svelte'
import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Answers } from './answers.svelte.ts'
import { CodeCheck } from './code-check.svelte.ts'
import { ConnectionForm } from './connection-form.svelte.ts'
import { Counter } from './counter.svelte.ts'
import { CustomerList } from './customer-list.svelte.ts'
import type { Places } from './places.svelte.ts'
import { Rewards } from './rewards.svelte.ts'
import { Slips } from './slips.svelte.ts'
import type { Till } from './till.svelte.ts'

/** What outlives a change of business: the till itself, where the cashier is, and the way to main. */
export interface House {
  readonly bridge: Bridge
  readonly answers: Answers
  readonly till: Till
  readonly places: Places
}

/** Everything that was read for, or typed into, one business. Made anew when the till serves another. */
export class Workplace {
  readonly counter: Counter
  readonly customers: CustomerList
  readonly rewards: Rewards
  readonly slips: Slips
  readonly codeCheck: CodeCheck
  readonly #house: House
  #reconnection = $state.raw<ConnectionForm | null>(null)

  constructor(house: House) {
    const { bridge, answers } = house
    this.#house = house
    this.counter = new Counter(bridge, answers)
    this.customers = new CustomerList(bridge, answers)
    this.rewards = new Rewards(bridge, answers)
    this.slips = new Slips(bridge, answers)
    this.codeCheck = new CodeCheck(bridge, answers)
  }

  /** The form that asks for a new token; null while it is closed. */
  get reconnection(): ConnectionForm | null {
    return this.#reconnection
  }

  /** Asks for a new token, with the address kept. */
  reconnect(): void {
    const { bridge, answers, till, places } = this.#house
    this.#reconnection ??= new ConnectionForm(bridge, answers, till, till.state?.baseUrl ?? null)
    places.go('settings')
  }

  endReconnection(): void {
    this.#reconnection = null
  }
}

export const [useHouse, provideHouse] = createContext<House>()
export const [useWorkplace, provideWorkplace] = createContext<Workplace>()
