/** A slip without a code: what was redeemed, given, taken back or undone, for the customer. */
import type { AffordableRewards } from '../../contract/affordable-rewards.ts'
import type { SlipExpiry, Standing } from '../../contract/earning-rules.ts'
import { FALLBACK_LOCALE, slipDays, slipPoints } from '../../contract/slip-numbers-and-dates.ts'
import { Column, type PaperLayout } from './column.ts'
import { addAffordable, addExpiry } from './compose.ts'
import { type LaidOutPage, paginate } from './paginate.ts'
import { pointsEndText, momentText, readingDirection, slipWords } from './slip-document.ts'
import type { SlipText } from './text/slip-text.ts'

/** What a slip without a code says that was done. */
type PrintedOperation = 'redeemed' | 'redemption-undone' | 'credited' | 'credit-undone' | 'returned'

/** The content of a slip without a code: what came of an operation. */
export interface OperationDocument {
  readonly business: string
  readonly done: PrintedOperation
  /** the reward, or the number of points that were given or taken back */
  readonly subject: string
  /** points of the reward; null: `subject` has them */
  readonly cost: number | null
  /** points afterwards; null: not printed */
  readonly balance: number | null
  /** points that a purchase gave before some went back; null: not printed */
  readonly given: number | null
  /** of them, those that neither went back nor are on a slip; null: not printed */
  readonly left: number | null
  /** points that the code of an earlier slip still gives; null: not printed */
  readonly leftOnSlip: number | null
  /** points for a first purchase that came with those that were given; null: not printed */
  readonly welcome: number | null
  /** why points went back; null: not printed */
  readonly reason: string | null
  /** what the balance buys; null: not printed */
  readonly affordable: AffordableRewards | null
  /** when points end that are earned now; null: not printed */
  readonly expiry: SlipExpiry | null
  /** which points of the customer end next; null: not known, and `expiry` is printed */
  readonly ending: Standing['ending']
  /** null: not printed */
  readonly customerName: string | null
  /** null: not printed */
  readonly cashier: string | null
  /** when it was done; ISO 8601, UTC */
  readonly issuedAt: string
  /** IANA name */
  readonly timeZone: string
  /** BCP 47 */
  readonly locale: string
  /** empty: not printed */
  readonly tillName: string
  readonly training: boolean
}

/** Which points of the customer end next, or else when those that were given do. */
function endingText(
  { ending, locale }: Pick<OperationDocument, 'ending' | 'locale'>,
  expiry: SlipExpiry,
  text: SlipText
): string {
  if (ending === null) return pointsEndText(expiry, { locale })
  const { points, lastDay } = ending
  const local = slipDays(lastDay, lastDay, locale)
  return slipWords({ locale }).pointsEndOn({
    ...{ count: points, number: slipPoints(points, locale) },
    day: text.shows(local) ? local : slipDays(lastDay, lastDay, FALLBACK_LOCALE)
  })
}

/** Lays out what came of an operation. It has no code: it is worth nothing. */
export function layOutOperation(
  document: OperationDocument,
  layout: PaperLayout,
  text: SlipText
): LaidOutPage[] {
  const { locale, training, subject, cost, done } = document
  const words = slipWords({ locale })
  const headline = {
    redeemed: words.redeemed,
    'redemption-undone': words.redemptionUndone,
    credited: words.pointsAdded,
    'credit-undone': words.pointsTakenBack,
    returned: words.pointsTakenBack
  }[done]()
  const column = new Column(layout, text, readingDirection(document))
  column.space(layout.ends)
  if (training) {
    column.band(words.training())
    column.space(24)
  }
  column.centred(document.business, 'business', 3)
  column.space(8)
  column.centred(headline, 'headline', 2)
  column.space(14)
  if (cost === null) column.number(subject)
  else column.centred(subject, 'bestReward', 3)
  column.space(20)
  column.rule()
  column.space(16)
  const points: readonly (readonly [string, number | null])[] = [
    [done === 'redeemed' ? words.pointsTaken() : words.pointsGivenBack(), cost],
    [words.givenBefore(), document.given],
    [words.leftOfPurchase(), document.left],
    [words.leftOnSlip(), document.leftOnSlip],
    [words.welcomePoints(), document.welcome],
    [words.pointsLeft(), document.balance]
  ]
  for (const [label, count] of points) {
    if (count !== null) column.detail(label, slipPoints(count, locale), 1)
  }
  if (document.expiry !== null) addExpiry(column, endingText(document, document.expiry, text))
  addAffordable(column, document, words.canHaveNow())
  column.space(16)
  column.rule()
  column.mayBreak()
  column.space(16)
  if (document.reason !== null) column.detail(words.csvReason(), document.reason, 3)
  if (document.customerName !== null) column.detail(words.customer(), document.customerName, 3)
  column.detail(
    words.redemptionDate(),
    momentText({ ...document, at: document.issuedAt }, (moment) => text.shows(moment)),
    2
  )
  if (document.cashier !== null) column.detail(words.csvCashier(), document.cashier, 2)
  column.detail(words.till(), document.tillName, 2)
  if (training) {
    column.space(24)
    column.band(words.training())
  }
  column.space(layout.ends)
  const flow = { height: column.height, items: column.items, breaks: column.breaks, leftOut: [] }
  return paginate(flow, layout, { text, locale, title: subject })
}
