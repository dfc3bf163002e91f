/** What a slip says, whoever asks for it: all that the layout knows, and all that its bytes depend on. */
import type { Account } from '../../contract/loyalty.ts'

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
  readonly training: boolean
  /** 1 and up: marked as a copy with this number; 0: the first paper */
  readonly copy?: number
  /** above the points; empty: the slip's own words */
  readonly headline?: string
  /** the last line; empty: none */
  readonly footer?: string
  /** empty: not printed */
  readonly tillName?: string
  /** a PNG's or JPEG's bytes; what cannot be read as one is left out */
  readonly logo?: Uint8Array | null
  /** what the second QR code holds, for those who are no customers yet; one that cannot be scanned is left out */
  readonly joinUrl?: string | null
}
