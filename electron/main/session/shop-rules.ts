/** The rules of what earns points: the shop's, which the service tells with `rules/1`, or else the till's own. */
import { isDeepStrictEqual } from 'node:util'
import { earningRuleAt, type Expiry, type RulesAnswer } from '../../contract/earning-rules.ts'
import { offers } from '../../contract/operations.ts'
import { ownRule, type EarningRule } from '../../contract/points-calculation.ts'
import type { Settings } from '../settings/index.ts'
import type { Clock } from './reachability.ts'
import type { ServiceClock } from './service-clock.ts'
import type { Session } from './session.ts'

/** A change of the owner's is at the till within a minute; a bonus time begins and ends with the minute. */
const INTERVAL_MS = 60_000

export interface ShopRulesDependencies {
  readonly session: Pick<Session, 'business' | 'businessKey' | 'offlineSince' | 'askExtension'>
  readonly settings: Pick<Settings, 'values' | 'update'>
  readonly serviceClock: Pick<ServiceClock, 'aheadMs'>
  readonly clock: Clock
  /** called when another rule holds */
  readonly onChange: () => void
}

/**
 * Reads the shop's rules at the begin of each minute, and when another business is served. The last ones are kept on disk: the
 * till calculates with them also without a connection.
 */
export class ShopRules {
  readonly #dependencies: ShopRulesDependencies
  /** whose rules were read, or tried to be, last */
  #reader: string | null = null
  /** of the last call of `onChange` */
  #told: EarningRule | null = null
  #cancelTimer: (() => void) | null = null

  constructor(dependencies: ShopRulesDependencies) {
    this.#dependencies = dependencies
  }

  /** What bills earn with now by the shop's rules; null: it has none, and the till's own rule holds. */
  get ofShop(): EarningRule | null {
    const { serviceClock, clock } = this.#dependencies
    const answer = this.#answer
    return answer && earningRuleAt(answer, new Date(clock.now().getTime() - serviceClock.aheadMs))
  }

  /** When points end that are earned now; null: they do not. */
  get expiry(): Expiry | null {
    return this.#answer?.rules?.expiry ?? null
  }

  /** What the service of the business that is served told last; null: nothing. */
  get #answer(): RulesAnswer | null {
    const { session, settings } = this.#dependencies
    const { shopRules } = settings.values
    const isOwn = shopRules?.owner === session.businessKey && offers(session.business, 'rules/1')
    return isOwn ? shopRules.answer : null
  }

  /** What bills earn with now; null: the cashier types the points. */
  get current(): EarningRule | null {
    const { pointsRule } = this.#dependencies.settings.values
    return this.ofShop ?? (pointsRule && ownRule(pointsRule))
  }

  /** Starts to read. */
  start(): void {
    this.#cancelTimer?.()
    const { clock, serviceClock } = this.#dependencies
    const intoMinute = (clock.now().getTime() - serviceClock.aheadMs) % INTERVAL_MS
    this.#cancelTimer = clock.after(INTERVAL_MS - intoMinute, () => {
      this.start()
      this.#tell()
      void this.#read()
    })
  }

  /** Call when the state of the till changed: reads the rules of a business that is served from now on. */
  handleStateChange(): void {
    if (this.#cancelTimer !== null && this.#reader !== this.#dependencies.session.businessKey)
      void this.#read()
  }

  /** Stops the reads. */
  close(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = null
  }

  #tell(): void {
    const { ofShop } = this
    if (isDeepStrictEqual(ofShop, this.#told)) return
    this.#told = ofShop
    this.#dependencies.onChange()
  }

  async #read(): Promise<void> {
    const { session, settings } = this.#dependencies
    const { businessKey: owner } = session
    this.#reader = owner
    if (!offers(session.business, 'rules/1') || session.offlineSince !== null) return
    const answer = await session.askExtension((service) => service.earningRules())
    if (!answer.ok || session.businessKey !== owner) return
    const kept = { owner, answer: answer.value }
    if (!isDeepStrictEqual(settings.values.shopRules, kept)) settings.update({ shopRules: kept })
    this.#tell()
  }
}
