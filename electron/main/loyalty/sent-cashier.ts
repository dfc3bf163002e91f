/** Cashiers, as the service is told of them. */
import type { Calculation } from '../../contract/points-calculation.ts'
import type { ServingCashier } from '../../contract/staff.ts'

/** Who used the till. The numbers of each till are its own. */
export interface SentCashier {
  readonly number: number
  readonly name: string
}

/** A code that the till made without a connection, with what a request for one would say. */
export interface ReportedOfflineCode extends Partial<Calculation> {
  readonly code: string
  /** ISO 8601 */
  readonly issuedAt: string
  readonly reference: string | null
  readonly cashier: SentCashier | null
}

/** Returns the cashier of a request; null in training mode, without one, and for one without a number. */
export const sentCashierOf = ({
  cashier,
  training
}: {
  readonly cashier: ServingCashier | null
  readonly training: boolean
}): SentCashier | null =>
  training || typeof cashier?.number !== 'number' ? null : { number: cashier.number, name: cashier.name }
