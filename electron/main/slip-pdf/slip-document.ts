/** The content of a slip: all that its layout and its bytes depend on, and its translated text, numbers and dates. */
import { messagesByLanguage } from '../../../generated/messages/slip/all.js'
import type { AffordableRewards } from '../../contract/affordable-rewards.ts'
import { codeHost } from '../../contract/code-host.ts'
import type { SlipExpiry } from '../../contract/earning-rules.ts'
import { directionOf, type Language, languageOf } from '../../contract/language.ts'
import type { Account } from '../../contract/loyalty.ts'
import type { CollectionGroup, CollectionGrouping } from '../../contract/slip-report.ts'
import { FALLBACK_LOCALE, slipMoment, slipPoints } from '../../contract/slip-numbers-and-dates.ts'

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
  /** from when the code cannot be collected, ISO 8601, UTC; null: not printed */
  readonly expiresAt?: string | null
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
  /** when the points end; null: not printed */
  readonly expiry?: SlipExpiry | null
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

/** The messages of slips in one language. */
type SlipWords = (typeof messagesByLanguage)[Language]

/** The messages for a slip in `locale` (BCP 47); English for a language without translation. */
export const slipWords = ({ locale }: Pick<SlipDocument, 'locale'>): SlipWords =>
  messagesByLanguage[languageOf(locale) ?? 'en']

/** The lines above the code; where it can be typed in, the host has a line of its own, which a hyphen does not split. */
export const codeLabelLines = ({
  locale,
  url,
  expiresAt = null,
  training
}: Pick<SlipDocument, 'locale' | 'url' | 'expiresAt' | 'training'>): readonly string[] => {
  const words = slipWords({ locale })
  const host = codeHost({ url, expiresAt, training })
  if (host === null) return [words.codeLabel()]
  const [before = '', after = ''] = words.codeLabelAt({ host }).split(host)
  return [before.trim(), host, after.trim()].filter((line) => line !== '')
}

/** When points end that are earned now, as a sentence. */
export const pointsEndText = (
  { months, since }: SlipExpiry,
  { locale }: Pick<SlipDocument, 'locale'>
): string => {
  const words = slipWords({ locale })
  const counted = { count: months, number: slipPoints(months, locale) }
  return since === 'earned' ? words.pointsEndAfterCollecting(counted) : words.pointsEndAfterVisit(counted)
}

/** Reading direction of the messages for `locale`. */
export const readingDirection = ({ locale }: Pick<SlipDocument, 'locale'>): 'ltr' | 'rtl' =>
  directionOf(languageOf(locale) ?? 'en')

/** The points in Latin digits, grouped as in the slip's locale. */
export const pointsText = ({ points, locale }: Pick<SlipDocument, 'points' | 'locale'>): string =>
  slipPoints(points, locale)

/**
 * Day and time in the business's time zone and locale; in English when the fonts cannot show that, which
 * `isShown` decides.
 */
export function momentText(
  { at, timeZone, locale }: Pick<SlipDocument, 'timeZone' | 'locale'> & { readonly at: string },
  isShown: (text: string) => boolean
): string {
  const moment = new Date(at)
  const local = slipMoment(moment, timeZone, locale)
  return isShown(local) ? local : slipMoment(moment, timeZone, FALLBACK_LOCALE)
}

/** Returns the name of a group. `format` formats the start (ISO 8601, UTC) of a period or of a batch. */
export function collectionGroupName(
  { kind, label }: Pick<CollectionGroup, 'kind' | 'label'>,
  by: CollectionGrouping,
  words: SlipWords,
  format: (start: string) => string
): string {
  if (kind === 'removed') return words.reportRemoved()
  if (kind === 'none') return words.reportNone({ by })
  return by === 'time' || by === 'batch' ? format(label) : label
}
