/** A reward with the field names of the interface document (part 2). Cost in points; dates in ISO 8601, UTC. */
export interface StoredReward {
  readonly id: string
  readonly name: string
  readonly cost: number
  /** position in the catalogue, from 1 */
  readonly index: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly isEnable: boolean
}
