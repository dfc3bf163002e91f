/** Points codes: what a slip carries, and what a customer collects once. */
import type { CalculatedWith } from './bills.ts'
import type { CashierKey } from './cashiers.ts'

/** A QR code without its links, which are derived from the code. Dates in ISO 8601, UTC. */
export interface StoredCode {
  readonly code: string
  readonly points: number
  /** whether an image was requested when the code was created */
  readonly image: boolean
  readonly createdAt: string
  readonly updatedAt: string
  /** the code cannot be collected from this moment on */
  readonly expiresAt: string
  /** null until the code is used */
  readonly usedAt: string | null
  /** points that went back with goods before it was collected; they are not in `points` */
  readonly returnedPoints: number
  /** null unless the shop cancelled the code */
  readonly cancelledAt: string | null
  /** id of the till that issued it */
  readonly till: string | null
  readonly cashier: CashierKey | null
  /** of the bill */
  readonly reference: string | null
  /** the day that it says, of one that a till made without a connection; null for any other */
  readonly offlineDay: string | null
}

/** A code as it is issued. */
export type NewCode = Omit<StoredCode, 'usedAt' | 'cancelledAt' | 'returnedPoints' | SaleField> &
  Partial<Pick<StoredCode, SaleField>> &
  CalculatedWith

/** What a till says of itself and of the sale. */
type SaleField = 'till' | 'cashier' | 'reference' | 'offlineDay'

export type CodeStatus = 'active' | 'used' | 'expired' | 'cancelled'

/** The state of a code at `now`. A used code stays used. */
export const codeStatus = (
  code: Pick<StoredCode, 'usedAt' | 'cancelledAt' | 'expiresAt'>,
  now: Date
): CodeStatus => {
  if (code.usedAt !== null) return 'used'
  if (code.cancelledAt !== null) return 'cancelled'
  return code.expiresAt > now.toISOString() ? 'active' : 'expired'
}

const DAY_MS = 86_400_000

/** Returns when a code that is created at `now` expires, in ISO 8601. */
export const expiryOfCode = (now: Date, validityDays: number): string =>
  new Date(now.getTime() + validityDays * DAY_MS).toISOString()

/** Codes are stored in capitals, and accepted in any case and with the spaces and dashes that people add. */
export const normalizeCode = (text: string): string => text.replaceAll(/[\s-]/g, '').toUpperCase()
