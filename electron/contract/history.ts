/** Searching what this till issued. */
import type { SlipState } from './till.ts'

/** All that is given must hold; an empty search finds every slip of the current business. */
export interface SlipSearch {
  /** the beginning of a code, or beginnings of words of the customer's name, in any case and with or without accents */
  readonly text?: string
  /** first day, `YYYY-MM-DD` in the business's time zone */
  readonly from?: string
  /** last day, included */
  readonly to?: string
  readonly customerId?: string
  readonly cashierId?: string
  readonly states?: readonly SlipState[]
  readonly batchId?: string
}

/** What an export came to. */
export interface Exported {
  /** full path of the file; null when the cashier closed the dialog, and nothing was written */
  readonly file: string | null
  /** slips in it */
  readonly slips: number
}
