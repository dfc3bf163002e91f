import type { Account } from '../../../electron/contract/loyalty.ts'

export type Address = Account['address']

const filled = (parts: readonly string[], separator: string): string =>
  parts
    .map((part) => part.trim())
    .filter(Boolean)
    .join(separator)

/** A postal address on at most two lines, as the slip carries it; parts the service left empty are left out. */
export const addressLines = ({ street, city, state, country, zipCode }: Address): string[] =>
  [street.trim(), filled([filled([zipCode, city], ' '), state, country], ', ')].filter(Boolean)
