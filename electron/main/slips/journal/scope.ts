/** Whose slips: practice and each business are kept apart. */
export interface Scope {
  readonly practice: boolean
  readonly businessId: string
}

/** The scope as statements take it, in the order of the indexes. */
export const scopeValues = ({ practice, businessId }: Scope): [number, string] => [
  Number(practice),
  businessId
]
