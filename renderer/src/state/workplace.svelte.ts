import { createContext } from 'svelte'
import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Answers } from './answers.svelte.ts'
import { Attention } from './attention.svelte.ts'
import { Batches } from './batches.svelte.ts'
import { CodeCheck } from './code-check.svelte.ts'
import { ConnectionForm } from './connection-form.svelte.ts'
import { Counter } from './counter.svelte.ts'
import { CustomerList } from './customer-list.svelte.ts'
import type { Places } from './places.svelte.ts'
import { Reprint } from './reprint.svelte.ts'
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

/** The parts of the settings, in the order they are shown. */
export const SETTINGS_PARTS = ['general', 'printer', 'slip', 'points'] as const
export type SettingsPart = (typeof SETTINGS_PARTS)[number]

/** Everything that was read for, or typed into, one business. Made anew when the till serves another. */
export class Workplace {
  readonly counter: Counter
  readonly customers: CustomerList
  readonly rewards: Rewards
  readonly slips: Slips
  readonly attention: Attention
  readonly batches: Batches
  readonly reprint: Reprint
  readonly codeCheck: CodeCheck
  readonly #house: House
  #settingsPart = $state<SettingsPart>('general')
  #reconnection = $state.raw<ConnectionForm | null>(null)

  constructor(house: House) {
    const { bridge, answers, till } = house
    this.#house = house
    this.counter = new Counter(bridge, answers, () => till.state?.settings.pointsRule ?? null)
    this.customers = new CustomerList(bridge, answers)
    this.rewards = new Rewards(bridge, answers)
    this.slips = new Slips(bridge, answers)
    this.attention = new Attention(bridge, answers)
    this.batches = new Batches(bridge, answers)
    this.reprint = new Reprint(bridge, answers)
    this.codeCheck = new CodeCheck(bridge, answers)
  }

  /** Follows what main tells of slips and batches. Gives what ends the following. */
  start(): () => void {
    const stops = [this.counter, this.slips, this.attention, this.batches].map((part) => part.start())
    return () => {
      for (const stop of stops) stop()
    }
  }

  /** Which part of the settings is in sight. */
  get settingsPart(): SettingsPart {
    return this.#settingsPart
  }

  set settingsPart(part: SettingsPart) {
    this.#settingsPart = part
  }

  /** Goes to a part of the settings. */
  openSettings(part: SettingsPart): void {
    this.#settingsPart = part
    this.#house.places.go('settings')
  }

  /** The form that asks for a new token; null while it is closed. */
  get reconnection(): ConnectionForm | null {
    return this.#reconnection
  }

  /** Asks for a new token, with the address kept. */
  reconnect(): void {
    const { bridge, answers, till } = this.#house
    this.#reconnection ??= new ConnectionForm(bridge, answers, till, till.state?.baseUrl ?? null)
    this.openSettings('general')
  }

  endReconnection(): void {
    this.#reconnection = null
  }
}

export const [useHouse, provideHouse] = createContext<House>()
export const [useWorkplace, provideWorkplace] = createContext<Workplace>()
