/** Cashiers, the manager session and the lock, without PINs and their hashes. */

/** The number of digits of a PIN. */
export const PIN_DIGITS = { min: 4, max: 12 } as const

/** In characters. */
export const MAX_CASHIER_NAME_LENGTH = 40

export const MAX_CASHIERS = 50

/** Numbers are not given twice. The service knows no larger one. */
export const MAX_CASHIER_NUMBER = 9999

/** Returns whether a text is a valid PIN. */
export const isPinText = (text: string): boolean =>
  new RegExp(`^\\d{${PIN_DIGITS.min},${PIN_DIGITS.max}}$`, 'u').test(text)

export interface Cashier {
  /** created by the till; stored in the journal with the name at that time */
  readonly id: string
  readonly name: string
  readonly hasPin: boolean
}

/** Who serves. */
export interface ServingCashier extends Pick<Cashier, 'id' | 'name'> {
  /** by which the service tells the cashiers of a till apart; null: of a row from before there were numbers */
  readonly number: number | null
}

/** Access to the manager's functions: settings, batches, discarding, exports. */
export type ManagerAccess =
  /** there is no manager PIN */
  | 'open'
  /** requires the PIN */
  | 'locked'
  /** a manager session is open */
  | 'unlocked'

export interface StaffState {
  readonly manager: ManagerAccess
  readonly cashiers: readonly Cashier[]
  /** the current cashier, or null */
  readonly cashier: ServingCashier | null
  /** while it is locked, every call that requires a cashier fails */
  readonly locked: boolean
  /** whether there is a cashier or a manager PIN to unlock it with */
  readonly lockable: boolean
}

/** The staff of a new till, which never locks. */
export const NO_STAFF: StaffState = {
  manager: 'open',
  cashiers: [],
  cashier: null,
  locked: false,
  lockable: false
}
