/** Who works at this till: its cashiers, the manager's PIN, and the lock. Never a PIN, and nothing made from one. */

/** Digits of a PIN. */
export const PIN_DIGITS = { least: 4, most: 12 } as const

/** Longest name of a cashier, in characters. */
export const MAX_CASHIER_NAME_LENGTH = 40

/** Most cashiers of one till. */
export const MAX_CASHIERS = 50

/** Whether a text can be a PIN. */
export const isPinText = (text: string): boolean =>
  new RegExp(`^\\d{${PIN_DIGITS.least},${PIN_DIGITS.most}}$`, 'u').test(text)

/** Somebody who serves at this till. */
export interface Cashier {
  /** made by the till; kept in the journal with the name of the time */
  readonly id: string
  readonly name: string
  /** whether this cashier is asked for a PIN */
  readonly hasPin: boolean
}

/** How the manager's work stands: settings, batches, discards, exports. */
export type ManagerAccess =
  /** the till has no manager PIN: everybody may do it */
  | 'open'
  /** the PIN is asked for */
  | 'locked'
  /** the PIN was given a short while ago */
  | 'unlocked'

/** How the till stands with its people. */
export interface StaffState {
  readonly manager: ManagerAccess
  readonly cashiers: readonly Cashier[]
  /** who serves now; null: nobody was chosen */
  readonly cashier: { readonly id: string; readonly name: string } | null
  /** whether the till is locked: until somebody unlocks it, no call of the counter is answered */
  readonly locked: boolean
  /** whether it can be locked: there is a cashier to choose, or a manager PIN to type */
  readonly lockable: boolean
}

/** A till whose people were never set up: nothing locks, and nothing asks. */
export const NO_STAFF: StaffState = {
  manager: 'open',
  cashiers: [],
  cashier: null,
  locked: false,
  lockable: false
}
