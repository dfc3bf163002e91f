/** Where a slip goes once it is laid out: the seam between the life of a slip and paper. */
import type { Answer } from '../../../contract/failure.ts'
import type { Slip } from '../../../contract/till.ts'

export interface Destination {
  /**
   * Takes `pdf` to its place and answers when it is there for good. Delivering the same slip again is harmless.
   * Answers with a failure when it is surely not there; never rejects.
   */
  deliver(slip: Slip, pdf: Uint8Array): Promise<Answer<Delivered>>
}

export interface Delivered {
  /** full path of the slip's PDF */
  readonly file: string
}
