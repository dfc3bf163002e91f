/** What a slip shows: the snapshot of the business in its row, and the document to lay out. */
import type { AffordableRewards } from '../../contract/affordable-rewards.ts'
import { isTimeZone } from '../../contract/slip-numbers-and-dates.ts'
import { pointsText, type SlipDocument, slipWords } from '../slip-pdf/slip-document.ts'
import { logoHash, type LogoTable } from './journal/journal.ts'
import type { BusinessSnapshot, JournalRow, Scope } from './journal/rows.ts'
import type { SlipBusiness } from './served-business.ts'

export const scopeOf = ({ id, training }: SlipBusiness): Scope => ({ training, businessId: id })

/**
 * Returns what a slip issued now shows of the business, and of what the customer's balance buys. A time zone that this system does not know is replaced by its
 * own, once: a later change of the system's time zone changes no slip.
 */
export const snapshotOf = (
  business: SlipBusiness,
  affordable: AffordableRewards | null = null
): BusinessSnapshot => {
  const { name, address, timeZone, locale, slip, getStartedLink, logo } = business
  return {
    name,
    address,
    timeZone: isTimeZone(timeZone) ? timeZone : Intl.DateTimeFormat().resolvedOptions().timeZone,
    locale,
    headline: slip.headline,
    footer: slip.footer,
    tillName: slip.tillName,
    customerName: slip.customerName,
    affordable: slip.rewards ? affordable : null,
    joinUrl: slip.joinUs ? getStartedLink : null,
    logo: slip.logo && logo !== null ? logoHash(logo) : null
  }
}

/**
 * Returns the document of a row, or null while it has no code. It depends on the journal and `copy` alone: the same
 * row gives the same bytes at any time.
 *
 * @param copy 0: the first printout, without a mark; from 1 on: marked COPY with this number
 */
export function documentOf(
  { slip, snapshot }: JournalRow,
  copy: number,
  logos: Pick<LogoTable, 'get'>
): SlipDocument | null {
  if (slip.code === null || slip.url === null || slip.issuedAt === null) return null
  const { name, address, timeZone, locale, headline, footer, tillName, affordable, joinUrl, logo } = snapshot
  return {
    business: { name, address },
    points: slip.points,
    customerName: snapshot.customerName ? (slip.customer?.name ?? null) : null,
    code: slip.code,
    url: slip.url,
    issuedAt: slip.issuedAt,
    timeZone,
    locale,
    training: slip.training,
    copy,
    headline,
    footer,
    tillName,
    affordable,
    joinUrl,
    logo: logo === null ? null : logos.get(logo)
  }
}

/**
 * Returns the lines with which a program prints a slip on its own receipt, before or after the QR code; null while there is
 * no code. In training mode the first and the last line say so, as on the till's own slips.
 */
export function receiptText({ slip, snapshot }: Pick<JournalRow, 'slip' | 'snapshot'>): string | null {
  if (slip.code === null || slip.url === null) return null
  const words = slipWords(snapshot)
  const mark = slip.training ? [words.training()] : []
  return [
    ...mark,
    snapshot.headline.trim() === '' ? words.headline() : snapshot.headline,
    pointsText({ points: slip.points, locale: snapshot.locale }),
    words.instruction(),
    slip.url,
    words.codeLabel(),
    slip.code,
    ...(snapshot.footer.trim() === '' ? [] : [snapshot.footer]),
    ...mark
  ].join('\n')
}
