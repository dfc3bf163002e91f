/** Welcome points of a credit, without the schemas of credits: the customer display needs none. */
import type { Credit } from './credits.ts'

/** Returns the points that a customer got with a credit for a first purchase, by its balances; 0: none, or they are not known. */
export const welcomePointsOf = ({
  points,
  balanceBefore,
  balance
}: Pick<Credit, 'points' | 'balanceBefore' | 'balance'>): number =>
  balanceBefore === null || balance === null ? 0 : Math.max(0, balance - balanceBefore - points)
