/** Makes codes while the service cannot be reached, within the limits of the till's key. */
import { randomInt } from 'node:crypto'
import { CODE_ALPHABET, writeOfflineCode } from '../../codes/offline-code.ts'
import { offers } from '../../contract/operations.ts'
import type { OfflineSlips } from '../../contract/offline.ts'
import type { Journal } from '../journal/journal.ts'
import type { TransitionDetails } from '../journal/slip-table.ts'
import { dayStart, localTimes } from '../reports/time-buckets.ts'
import { type CurrentBusiness, scopeOf, type SlipBusiness } from '../session/current-business.ts'
import type { OfflineKey, OfflineKeys } from './offline-keys.ts'

const DAY_MS = 24 * 60 * 60_000
const SERIAL_LENGTH = 10

export interface OfflineIssuerDependencies {
  readonly journal: Pick<Journal, 'slips'>
  readonly business: Pick<CurrentBusiness, 'current' | 'isServed'>
  readonly offlineKeys: Pick<OfflineKeys, 'current' | 'isOffline' | 'spend'>
  readonly now: () => Date
}

/** Whether the service takes such codes. A slip whose answer is lost must have a key, by which it gets its own code. */
const offersOfflineCodes = (business: SlipBusiness): boolean =>
  offers(business, 'offline-codes/1') && offers(business, 'codes/1')

/** A key on a day of the shop, with what it still may issue. */
interface OpenDay {
  readonly key: OfflineKey
  readonly now: Date
  readonly day: string
  readonly spent: number
}

/** Each method throws as the journal does. */
export class OfflineIssuer {
  readonly #dependencies: OfflineIssuerDependencies

  constructor(dependencies: OfflineIssuerDependencies) {
    this.#dependencies = dependencies
  }

  /** See `TillState.offlineSlips`. */
  get state(): OfflineSlips | null {
    const { business, offlineKeys } = this.#dependencies
    const current = business.current()
    if (!offlineKeys.isOffline || current === null || !offersOfflineCodes(current)) return null
    const none = { pointsLeft: 0, pointsOfSlip: 0 }
    if (offlineKeys.current === null) return { ...none, obstacle: 'no-key' }
    const open = this.#openDay(current)
    if (open === null) return { ...none, obstacle: 'key-ended' }
    const { key, spent } = open
    const pointsLeft = Math.max(0, key.pointsOfDay - spent)
    return {
      pointsLeft,
      pointsOfSlip: Math.min(pointsLeft, key.pointsOfCode),
      obstacle: pointsLeft === 0 ? 'day-limit' : null
    }
  }

  /** Whether it is known that the service cannot be reached, and a code with these points can be made. */
  isNeeded(points: number, business: SlipBusiness): boolean {
    return this.#dependencies.offlineKeys.isOffline && this.#dayFor(points, business) !== null
  }

  /**
   * Returns a new code, as the row of its slip has it; null if none can be made. Call only for a slip that was certainly not
   * asked for, and write the row before another call: what it issued today counts.
   */
  issue(points: number, business: SlipBusiness): TransitionDetails | null {
    const open = this.#dayFor(points, business)
    if (open === null) return null
    const { key, now, day, spent } = open
    const serial = Array.from({ length: SERIAL_LENGTH }, () =>
      CODE_ALPHABET.charAt(randomInt(CODE_ALPHABET.length))
    ).join('')
    const code = writeOfflineCode({ key: key.key, serial, points, day }, key.secret)
    this.#dependencies.offlineKeys.spend(day, spent + points)
    const end = Date.parse(dayStart(day, key.timeZone, 1)) + key.codeValidityDays * DAY_MS
    return {
      code,
      url: key.address + code,
      issuedAt: now.toISOString(),
      expiresAt: new Date(end).toISOString(),
      offlineDay: day
    }
  }

  #dayFor(points: number, business: SlipBusiness): OpenDay | null {
    if (business.training || !offersOfflineCodes(business)) return null
    if (!this.#dependencies.business.isServed(business)) return null
    const open = this.#openDay(business)
    const isWithin =
      open !== null && points <= open.key.pointsOfCode && open.spent + points <= open.key.pointsOfDay
    return isWithin ? open : null
  }

  /** Returns today; null without a key that counts today. */
  #openDay(business: SlipBusiness): OpenDay | null {
    const { offlineKeys, journal } = this.#dependencies
    const key = offlineKeys.current
    if (key === null) return null
    const now = new Date(this.#dependencies.now().getTime() - key.aheadMs)
    const day = localTimes(key.timeZone)(now.toISOString()).slice(0, 10)
    const lastDay = new Date(Date.parse(key.day) + key.days * DAY_MS).toISOString().slice(0, 10)
    if (day < key.day || day > lastDay) return null
    const known = key.spent?.day === day ? key.spent.points : 0
    return { key, now, day, spent: Math.max(known, journal.slips.offlinePoints(scopeOf(business), day)) }
  }
}
