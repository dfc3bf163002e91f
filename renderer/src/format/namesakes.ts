import type { Customer } from '../../../electron/contract/loyalty.ts'

/** A name as it is compared with others. */
export const nameKey = ({ name }: Customer): string => name.trim().toLocaleLowerCase()

/** The names that more than one of these customers has: their phones tell them apart. */
export function namesakes(customers: readonly Customer[]): ReadonlySet<string> {
  const seen = new Set<string>()
  const twice = new Set<string>()
  for (const customer of customers) {
    const name = nameKey(customer)
    if (seen.has(name)) twice.add(name)
    seen.add(name)
  }
  return twice
}
