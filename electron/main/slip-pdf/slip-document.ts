/** The content of a slip: all that its layout and its bytes depend on. */
import type { AffordableRewards } from '../../contract/affordable-rewards.ts'
import type { Account } from '../../contract/loyalty.ts'

export interface SlipDocument {
  readonly business: { readonly name: string; readonly address: Account['address'] }
  readonly points: number
  /** null: not printed */
  readonly customerName: string | null
  readonly code: string
  /** content of the QR code */
  readonly url: string
  /** ISO 8601, UTC */
  readonly issuedAt: string
  /** IANA name; an unknown one reads as UTC */
  readonly timeZone: string
  /** BCP 47; a malformed one reads as English */
  readonly locale: string
  /** true: marked all over as without value */
  readonly training: boolean
  /** 1 and up: marked as a copy with this number; 0: the original */
  readonly copy?: number
  /** above the points; empty: the default text */
  readonly headline?: string
  /** the last line; empty: none */
  readonly footer?: string
  /** empty: not printed */
  readonly tillName?: string
  /** what the customer's balance buys once the points are collected; null: not printed */
  readonly affordable?: AffordableRewards | null
  /** bytes of a PNG or JPEG; anything else is omitted */
  readonly logo?: Uint8Array | null
  /** content of the second QR code, an invitation to register; omitted when it could not be scanned */
  readonly joinUrl?: string | null
}

/** A slip without value, for warming the renderer up. The URL's domain is reserved (RFC 2606). */
export const SAMPLE_SLIP: SlipDocument = {
  business: {
    name: 'Tillpoints',
    address: { street: '', city: '', state: '', country: '', zipCode: '' }
  },
  points: 1250,
  customerName: 'Zoë Παπαδοπούλου',
  code: 'SAMPLE',
  url: 'https://points.example/q/SAMPLE',
  issuedAt: '2026-01-01T12:00:00.000Z',
  timeZone: 'UTC',
  locale: 'en-GB',
  training: true
}
