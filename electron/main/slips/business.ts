/** The business that slips are issued for, and what of it a slip shows. */
import type { Account } from '../../contract/loyalty.ts'
import type { SlipSettings } from '../../contract/slip-settings.ts'
import type { Scope } from './journal/journal.ts'
import type { Face } from './journal/row.ts'
import { hashOf } from './journal/logos.ts'
import { isTimeZone } from '../../contract/slip-spelling.ts'

/** Who the till serves when Print slip is pressed. */
export interface SlipBusiness {
  readonly id: string
  readonly name: string
  readonly address: Account['address']
  /** as the service says it; may be empty or unknown to this system */
  readonly timeZone: string
  readonly training: boolean
  /** BCP 47, for numbers and dates on the slip */
  readonly locale: string
  /** what the business puts on its slips */
  readonly slip: SlipSettings
  /** where those go who are no customers yet */
  readonly getStartedLink: Account['getStartedLink']
  /** the bytes of its logo; null while there is none to be had */
  readonly logo: Uint8Array | null
}

export const scopeOf = ({ id, training }: SlipBusiness): Scope => ({ training, businessId: id })

/**
 * What the slip will show of the business, now and for good. A time zone that this system does not know is
 * replaced by the till's own here, once, so that a later change of the till's clock settings changes no slip.
 */
export const faceOf = ({
  name,
  address,
  timeZone,
  locale,
  slip,
  getStartedLink,
  logo
}: SlipBusiness): Face => ({
  name,
  address,
  timeZone: isTimeZone(timeZone) ? timeZone : Intl.DateTimeFormat().resolvedOptions().timeZone,
  locale,
  extras: {
    headline: slip.headline,
    footer: slip.footer,
    tillName: slip.tillName,
    customerName: slip.customerName,
    joinUrl: slip.joinUs ? getStartedLink : null,
    logo: slip.logo && logo !== null ? hashOf(logo) : null
  }
})
