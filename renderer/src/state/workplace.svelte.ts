import { createContext } from 'svelte'
import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Answers } from './answers.svelte.ts'
import { CodeCheck } from './code-check.svelte.ts'
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
  /** whether a new token is being asked for */
  reconnecting = $state(false)

  constructor({ bridge, answers }: House) {
    this.counter = new Counter(bridge, answers)
    this.customers = new CustomerList(bridge, answers)
    this.rewards = new Rewards(bridge, answers)
    this.slips = new Slips(bridge, answers)
    this.codeCheck = new CodeCheck(bridge, answers)
  }
}

export const [useHouse, provideHouse] = createContext<House>()
export const [useWorkplace, provideWorkplace] = createContext<Workplace>()
