/** A business: who issues points. Every other record belongs to one. */
import { MAX_POINTS } from '../../contract/points-calculation.ts'
import { isTimeZone } from '../../contract/slip-numbers-and-dates.ts'

/** Key of a business in the store, which every other row refers to. Not shown to anyone. */
export type BusinessKey = number

/** What a business says of itself (interface document, part 2, Account), without links and counts. */
interface BusinessProfile {
  readonly name: string
  /** IANA name, such as `Europe/Athens` */
  readonly timeZone: string
  readonly currentPlan: string
  readonly currentPlanInterval: string
  readonly address: {
    readonly street: string
    readonly city: string
    readonly state: string
    readonly country: string
    readonly zipCode: string
  }
}

/** What a till may give by codes that it makes without a connection. */
export interface OfflineLimits {
  /** points of a code */
  readonly pointsOfCode: number
  /** points of a day of the shop */
  readonly pointsOfDay: number
  /** days after the one on which the service was reached last; 0: no such codes */
  readonly days: number
}

/** Those of a new business. */
export const OFFLINE_LIMITS: OfflineLimits = { pointsOfCode: 5000, pointsOfDay: 20_000, days: 3 }

export interface NewBusiness extends BusinessProfile {
  readonly id: string
  /** days that a new code can be collected */
  readonly codeValidityDays: number
  /** shortest time between two collects of a customer; 0: none */
  readonly collectPauseMinutes: number
  /** how long a till may undo a redemption or a credit */
  readonly reversalMinutes: number
  /** points that a till may credit on a day of the shop; null: any number */
  readonly creditLimit: number | null
  /** above which a manager approves each credit at the till; null: none does */
  readonly creditApprovalLimit: number | null
  readonly offlineLimits: OfflineLimits
  /** ISO 8601, UTC */
  readonly createdAt: string
}

export interface StoredBusiness extends NewBusiness {
  readonly key: BusinessKey
  /** name of its own logo, or null */
  readonly logo: string | null
  /** for a customer's first purchase, by its newest rules; 0: none */
  readonly welcomePoints: number
  /** customers of the business, without those that were erased or merged into another */
  readonly customers: number
}

/** Days that the codes of a new business can be collected. */
export const DEFAULT_CODE_VALIDITY_DAYS = 90

/** Days that a code can be valid, and minutes between two collects and for undoing: least and most. */
export const CODE_VALIDITY_DAYS = [1, 3650] as const
export const COLLECT_PAUSE_MINUTES = [0, 30 * 24 * 60] as const
export const REVERSAL_MINUTES = [0, 30 * 24 * 60] as const
/** Points that a till may credit on a day, 0 for any number: least and most. */
export const CREDIT_LIMIT = [0, 1_000_000_000] as const

/** Points that a till may give without a connection by a code and on a day, and for how many days: least and most. */
export const OFFLINE_POINTS_OF_CODE = [1, MAX_POINTS] as const
export const OFFLINE_POINTS_OF_DAY = [1, 1_000_000_000] as const
export const OFFLINE_DAYS = [0, 30] as const

/** Returns whether a text names a time zone: an offset, such as `+02:00`, has no summer time. */
export const isTimeZoneName = (text: string): boolean => !/^[+-]/.test(text) && isTimeZone(text)

/** What a new business says of itself before anybody says more. */
export const EMPTY_PROFILE = {
  name: '',
  timeZone: 'UTC',
  currentPlan: 'Own service',
  currentPlanInterval: '',
  address: { street: '', city: '', state: '', country: '', zipCode: '' },
  codeValidityDays: DEFAULT_CODE_VALIDITY_DAYS,
  collectPauseMinutes: 0,
  reversalMinutes: 60,
  creditLimit: null,
  creditApprovalLimit: null,
  offlineLimits: OFFLINE_LIMITS
}

/** How many points a till may credit on a day of the shop. */
export type CreditLimits = Pick<StoredBusiness, 'key' | 'timeZone' | 'creditLimit' | 'creditApprovalLimit'>
