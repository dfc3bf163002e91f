import { createContext } from 'svelte'
import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Failure } from '../../../electron/contract/failure.ts'
import { isLockedOut, isSilence, type Answers } from './answers.svelte.ts'
import { Attention } from './attention.svelte.ts'
import { Counter } from './counter.svelte.ts'
import { Draft } from './draft.svelte.ts'
import type { Elsewhere } from './elsewhere.svelte.ts'
import { Focus } from './focus.svelte.ts'
import { Help } from './help.svelte.ts'
import type { Places } from './places.svelte.ts'
import { Reprint } from './reprint.svelte.ts'
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
  readonly attention: Attention
  readonly reprint: Reprint
  readonly updating: Updating
  readonly #draft: Draft
  readonly #house: House
  /** whether the business is entered, and not left yet */
  #following = false
  #reaching: Promise<Elsewhere> | null = null
  #elsewhere = $state.raw<Elsewhere | null>(null)
  #leaveElsewhere: (() => void) | null = null
  #settingsPart = $state<SettingsPart>('general')

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
    this.attention = new Attention(bridge, answers)
    this.reprint = new Reprint(bridge, answers)
    this.updating = new Updating(bridge, answers, till, () => this.counter.customer !== null)
  }

  /**
   * Follows what main tells of the counter, and has it keep that. Gives what ends the following. The slips that wait for a
   * person (`attention`) are followed by themselves: to count them main opens its journal.
   */
  start(): () => void {
    this.#following = true
    // Whoever reached for it hears that it cannot be fetched.
    void this.#reaching?.then(
      (elsewhere) => this.#follow(elsewhere),
      () => undefined
    )
    const stops = [this.counter, this.#draft].map((part) => part.start())
    return () => {
      for (const stop of stops) stop()
      this.#following = false
      this.#leaveElsewhere?.()
      this.#leaveElsewhere = null
    }
  }

  /** What belongs to the other places; null while it was not wanted yet. */
  get elsewhere(): Elsewhere | null {
    return this.#elsewhere
  }

  /** Makes what belongs to the other places, unless it is there, and follows what main tells of it. */
  reachElsewhere(): Promise<Elsewhere> {
    this.#reaching ??= this.#makeElsewhere()
    return this.#reaching
  }

  async #makeElsewhere(): Promise<Elsewhere> {
    const { Elsewhere } = await import('./elsewhere.svelte.ts')
    const elsewhere = new Elsewhere(this.#house, this)
    this.#follow(elsewhere)
    this.#elsewhere = elsewhere
    return elsewhere
  }

  #follow(elsewhere: Elsewhere): void {
    if (this.#following) this.#leaveElsewhere ??= elsewhere.start()
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
    const { find } = this.counter
    if (failedSo(find.asking.failure)) void find.now()
    this.#elsewhere?.askAgain(failedSo)
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
}

export const [useHouse, provideHouse] = createContext<House>()
export const [useWorkplace, provideWorkplace] = createContext<Workplace>()

/** What belongs to the other places, for components that are only drawn once it is there. */
export function useElsewhere(): Elsewhere {
  const { elsewhere } = useWorkplace()
  if (!elsewhere) throw new Error('Drawn before what belongs to it was there')
  return elsewhere
}
