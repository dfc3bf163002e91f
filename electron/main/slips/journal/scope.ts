/** Whose slips: training and each business are kept apart. */
export interface Scope {
  readonly training: boolean
  readonly businessId: string
}

/** The scope as statements take it, in the order of the indexes. */
export const scopeValues = ({ training, businessId }: Scope): [number, string] => [
  Number(training),
  businessId
]
