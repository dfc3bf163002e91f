/** The business that slips are issued for, and what of it a slip shows. */
import type { Account } from '../../contract/loyalty.ts'
import type { Scope } from './journal/journal.ts'
import type { Face } from './journal/row.ts'
import { isTimeZone } from './layout/words.ts'

/** Who the till serves when Print slip is pressed. */
export interface SlipBusiness {
  readonly id: string
  readonly name: string
  readonly address: Account['address']
  /** as the service says it; may be empty or unknown to this system */
  readonly timeZone: string
  readonly practice: boolean
  /** BCP 47, for numbers and dates on the slip */
  readonly locale: string
}

export const scopeOf = ({ id, practice }: SlipBusiness): Scope => ({ practice, businessId: id })

/**
 * What the slip will show of the business, now and for good. A time zone that this system does not know is
 * replaced by the till's own here, once, so that a later change of the till's clock settings changes no slip.
 */
export const faceOf = ({ name, address, timeZone, locale }: SlipBusiness): Face => ({
  name,
  address,
  timeZone: isTimeZone(timeZone) ? timeZone : Intl.DateTimeFormat().resolvedOptions().timeZone,
  locale
})
