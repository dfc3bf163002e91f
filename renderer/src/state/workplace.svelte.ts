import { createContext } from 'svelte'
import type { Bridge } from '../../../electron/contract/bridge.ts'
import { today } from '../format/days.ts'
import type { Failure } from '../../../electron/contract/failure.ts'
import { isLockedOut, isSilence } from './answers.svelte.ts'
import type { Answers } from './answers.svelte.ts'
import { Attention } from './attention.svelte.ts'
import { Batches } from './batches.svelte.ts'
import { CodeCheck } from './code-check.svelte.ts'
import { ConnectionForm } from './connection-form.svelte.ts'
import { Counter } from './counter.svelte.ts'
import { CustomerList } from './customer-list.svelte.ts'
import { Draft } from './draft.svelte.ts'
import { Focus } from './focus.svelte.ts'
import { Help } from './help.svelte.ts'
import type { Places } from './places.svelte.ts'
import { Report } from './report.svelte.ts'
import { Reprint } from './reprint.svelte.ts'
import { Rewards } from './rewards.svelte.ts'
import { Slips } from './slips.svelte.ts'
import type { Staff } from './staff.svelte.ts'
import type { Till } from './till.svelte.ts'
import { Tour } from './tour.svelte.ts'
import { Updating } from './updating.svelte.ts'

/** What outlives a change of business: the till itself, where the cashier is, and the way to main. */
export interface House {
  readonly bridge: Bridge
  readonly answers: Answers
  readonly till: Till
  readonly places: Places
  readonly staff: Staff
}

/** The parts of the settings, in the order they are shown. */
export const SETTINGS_PARTS = [
  'general',
  'screen',
  'staff',
  'printer',
  'slip',
  'display',
  'points',
  'about'
] as const
export type SettingsPart = (typeof SETTINGS_PARTS)[number]

/** Everything that was read for, or typed into, one business. Made anew when the till serves another. */
export class Workplace {
  /** where the cashier's hands go next */
  readonly focus: Focus
  readonly help = new Help()
  readonly tour: Tour
  readonly counter: Counter
  readonly customers: CustomerList
  readonly rewards: Rewards
  readonly slips: Slips
  readonly attention: Attention
  readonly batches: Batches
  readonly reprint: Reprint
  readonly codeCheck: CodeCheck
  readonly report: Report
  readonly updating: Updating
  readonly #draft: Draft
  readonly #house: House
  #settingsPart = $state<SettingsPart>('general')
  #reconnection = $state.raw<ConnectionForm | null>(null)

  constructor(house: House) {
    const { bridge, answers, till } = house
    this.#house = house
    this.tour = new Tour(till, house.places)
    this.focus = new Focus()
    const habits = {
      rule: () => till.state?.settings.pointsRule ?? null,
      clearCustomer: () => till.state?.settings.clearCustomer ?? true
    }
    this.counter = new Counter(bridge, answers, habits, this.focus)
    this.#draft = new Draft(bridge, answers, this.counter)
    this.customers = new CustomerList(bridge, answers)
    this.rewards = new Rewards(bridge, answers, () => this.counter.customer?.balance ?? null)
    this.slips = new Slips(bridge, answers)
    this.attention = new Attention(bridge, answers)
    this.batches = new Batches(bridge, answers)
    this.reprint = new Reprint(bridge, answers)
    this.codeCheck = new CodeCheck(bridge, answers)
    this.report = new Report(bridge, answers, () => today(till.timeZone))
    this.updating = new Updating(bridge, answers, till, () => this.counter.customer !== null)
  }

  /** Follows what main tells, and has it keep the counter. Gives what ends the following. */
  start(): () => void {
    const parts = [
      this.counter,
      this.#draft,
      this.customers,
      this.rewards,
      this.slips,
      this.attention,
      this.batches
    ]
    const stops = parts.map((part) => part.start())
    return () => {
      for (const stop of stops) stop()
    }
  }

  /** The service answers again: asks anew what it left without an answer. Reads only; what writes waits for a hand. */
  serviceIsBack(): void {
    this.#askAgain(isSilence)
  }

  /** The till is unlocked again: reads what was refused meanwhile, and what changed. */
  unlocked(): void {
    this.#askAgain(isLockedOut)
    void this.attention.catchUp()
  }

  #askAgain(failedSo: (failure: Failure | null) => boolean): void {
    for (const find of [this.counter.find, this.customers.find]) {
      if (failedSo(find.asking.failure)) void find.now()
    }
    if (failedSo(this.customers.rows.failure)) void this.customers.rows.retry()
    if (failedSo(this.rewards.failure)) void this.rewards.read()
    if (failedSo(this.codeCheck.asking.failure) || this.codeCheck.checked?.qr === null) {
      void this.codeCheck.check()
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
