import type { Account } from '../../../electron/contract/loyalty.ts'

export type Address = Account['address']

/** A postal address on at most two lines, as a slip carries it; parts the service left empty are left out. */
export const addressLines = ({ street, city, state, zipCode }: Address): string[] =>
  [street, [[zipCode, city].filter(Boolean).join(' '), state].filter(Boolean).join(', ')].filter(Boolean)
