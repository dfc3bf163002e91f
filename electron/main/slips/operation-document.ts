/** What a slip without a code says of an operation. */
import { welcomePointsOf } from '../../contract/welcome-points.ts'
import type { Standing } from '../../contract/earning-rules.ts'
import { slipPoints } from '../../contract/slip-numbers-and-dates.ts'
import type { Journal } from '../journal/journal.ts'
import type { OperationRow } from '../journal/operation-row.ts'
import { creditOf } from '../operations/credits.ts'
import { redemptionOf } from '../operations/redemptions.ts'
import { returnOf } from '../operations/returns.ts'
import type { RewardCatalogue } from '../rewards/reward-catalogue.ts'
import type { snapshotOf } from '../session/current-business.ts'
import type { OperationDocument } from '../slip-pdf/operation-slip.ts'

interface DocumentContext {
  readonly journal: Journal
  readonly catalogue: Pick<RewardCatalogue, 'affordable'>
  /** of the business, whose operation it is */
  readonly snapshot: ReturnType<typeof snapshotOf>
  /** of the customer; null: not known */
  readonly standing: Standing | null
}

type Told = Pick<OperationDocument, 'done' | 'subject' | 'balance' | 'issuedAt'> & Partial<OperationDocument>

/** What each kind says; null for one that has no slip of its own. */
function toldOf({ journal, catalogue, snapshot, standing }: DocumentContext, row: OperationRow): Told | null {
  const points = (count: number): string => slipPoints(count, snapshot.locale)
  const undo = journal.operations.lastUndo(row.key)
  switch (row.kind) {
    case 'redeem': {
      const { state, reward, cost, balance, undoneAt, doneAt } = redemptionOf(row, undo)
      const done = state === 'undone' ? 'redemption-undone' : 'redeemed'
      return { done, subject: reward.name, cost, balance, issuedAt: undoneAt ?? doneAt ?? row.requestedAt }
    }
    case 'credit': {
      const credit = creditOf(journal, row, undo)
      const { state, points: given, balance, undoneAt, doneAt } = credit
      const told = { subject: points(given), balance, issuedAt: undoneAt ?? doneAt ?? row.requestedAt }
      if (state === 'undone') return { ...told, done: 'credit-undone' }
      return {
        ...told,
        done: 'credited',
        welcome: welcomePointsOf(credit) || null,
        affordable: balance === null ? null : catalogue.affordable(balance),
        expiry: snapshot.expiry,
        ending: standing?.ending ?? null
      }
    }
    case 'return': {
      const { points: returned, balance, given, remaining, codeStatus, doneAt } = returnOf(row)
      const isOnSlip = codeStatus === 'active'
      return {
        ...{ done: 'returned', subject: points(returned ?? 0), balance, given, reason: row.reason },
        ...(isOnSlip ? { leftOnSlip: remaining } : { left: remaining }),
        issuedAt: doneAt ?? row.requestedAt
      }
    }
    default:
      return null
  }
}

/** Returns the slip of an operation; null before its answer, and for one that undoes another. */
export function operationDocument(context: DocumentContext, row: OperationRow): OperationDocument | null {
  const told = row.answer === null ? null : toldOf(context, row)
  if (told === null) return null
  const { name, timeZone, locale, tillName, customerName } = context.snapshot
  return {
    ...{ cost: null, given: null, left: null, leftOnSlip: null, welcome: null },
    ...{ reason: null, affordable: null, expiry: null, ending: null },
    ...told,
    business: name,
    customerName: customerName ? (row.customer?.name ?? null) : null,
    cashier: row.cashier?.name ?? null,
    ...{ timeZone, locale, tillName, training: row.training }
  }
}
