/** What a slip says, whoever asks for it: all that the layout knows, and all that its bytes depend on. */
import type { Account } from '../../../contract/loyalty.ts'

export interface SlipDocument {
  readonly business: { readonly name: string; readonly address: Account['address'] }
  readonly points: number
  /** printed when there is one */
  readonly customerName: string | null
  readonly code: string
  /** what the QR code holds */
  readonly url: string
  /** ISO 8601, UTC */
  readonly issuedAt: string
  /** IANA name; one that the system does not know reads as UTC */
  readonly timeZone: string
  /** BCP 47; one that is malformed reads as English */
  readonly locale: string
  /** true: marked all over as without value */
  readonly practice: boolean
}
