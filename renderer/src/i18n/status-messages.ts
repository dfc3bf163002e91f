import type { Credit } from '../../../electron/contract/credits.ts'
import type { Standing } from '../../../electron/contract/earning-rules.ts'
import type { Failure } from '../../../electron/contract/failure.ts'
import type { LinkedBill } from '../../../electron/contract/local-interface.ts'
import {
  connectionName,
  type PrintDestination,
  type PrinterState
} from '../../../electron/contract/printing.ts'
import {
  BATCH_NOTES,
  collectionOf,
  type Batch,
  type CheckedCode,
  type ExportResult,
  type Slip
} from '../../../electron/contract/slips.ts'
import type { Notice } from '../../../electron/contract/till.ts'
import { isolateName } from '../../../electron/contract/text.ts'
import type { UpdateState } from '../../../electron/contract/updates.ts'
import { formatDate, formatDateTime, formatDuration, formatRecent, formatShort } from '../format/dates.ts'
import { formatAmount, formatNumber, formatPercent, pluralArguments } from '../format/numbers.ts'
import { failureMessage, type UserMessage } from './failure-messages.ts'
import { m } from './messages.ts'

/** Returns the message of a notice. */
export function noticeMessage(notice: Notice): UserMessage {
  switch (notice.kind) {
    case 'settings-quarantined':
      return { sentence: m.noticeSettingsQuarantined(), next: m.noticeSettingsQuarantinedNext(notice) }
    case 'settings-partly-read':
      return { sentence: m.noticeSettingsPartlyRead(), next: m.noticeSettingsPartlyReadNext(notice) }
    case 'settings-not-saved':
      return { sentence: m.noticeSettingsNotSaved(), next: m.noticeFolderNext() }
    case 'journal-quarantined':
      return {
        sentence: m.noticeJournalQuarantined(),
        next: [
          m.noticeJournalQuarantinedNext(notice),
          ...(notice.backup === null ? [] : [m.noticeJournalBackup({ backup: notice.backup })])
        ].join(' ')
      }
    case 'journal-not-saved':
      return { sentence: m.noticeJournalNotSaved(), next: m.noticeFolderNext() }
    case 'journal-damaged':
      return { sentence: m.noticeJournalDamaged(), next: m.noticeJournalDamagedNext() }
    case 'journal-missing':
      return { sentence: m.noticeJournalMissing(), next: m.noticeJournalBackup(notice) }
    case 'journal-in-use':
      return { sentence: m.noticeJournalInUse(), next: m.noticeJournalInUseNext() }
    case 'keyring-locked':
      return { sentence: m.noticeKeyringLocked(), next: m.noticeKeyringLockedNext() }
    case 'token-unreadable':
      return { sentence: m.noticeTokenUnreadable(), next: m.noticeTokenUnreadableNext() }
    case 'token-not-kept':
      return { sentence: m.noticeTokenNotStored(), next: m.noticeTokenNotStoredNext() }
    case 'clock-differs': {
      const difference = formatDuration(Math.abs(notice.minutesAhead))
      return {
        sentence:
          notice.minutesAhead > 0 ? m.noticeClockAhead({ difference }) : m.noticeClockBehind({ difference }),
        next: m.noticeClockNext()
      }
    }
    case 'time-zone-differs':
      return { sentence: m.noticeTimeZone(notice), next: m.noticeTimeZoneNext() }
    case 'bill-link-refused':
      return {
        sentence: m.noticeBillRefused(),
        next: `${m.billLinkFault({ fault: notice.fault })} ${m.noticeBillRefusedNext()}`
      }
    case 'bill-replaced':
      return {
        sentence:
          notice.reference === null
            ? m.noticeUnnumberedBillReplaced()
            : m.noticeBillReplaced({ reference: notice.reference })
      }
    case 'policy-ignored':
      return {
        sentence:
          notice.reason === 'unreadable' ? m.noticePolicyUnreadable(notice) : m.noticePolicyUnsafe(notice),
        next: m.noticePolicyNext()
      }
    case 'policy-broken':
      return {
        sentence: m.noticePolicyBroken({ file: notice.file, line: formatNumber(notice.line) }),
        next: m.noticePolicyNext()
      }
    case 'policy-mistakes': {
      const { file, name, line } = notice
      return {
        sentence:
          line === null
            ? m.noticePolicyMistake({ file, name })
            : m.noticePolicyMistakeInLine({ file, name, line: formatNumber(line) }),
        next: m.noticePolicyNext()
      }
    }
    case 'provisioning-failed': {
      const { sentence, next } = failureMessage(notice.failure)
      return {
        sentence: `${m.noticeProvisioningFailed()} ${sentence}`,
        ...(next === undefined ? {} : { next })
      }
    }
  }
}

/** Returns the progress of an update. `timeZone` is the business's, for the time of the last check. */
export function updateMessage(update: UpdateState, timeZone: string | undefined): UserMessage {
  switch (update.kind) {
    case 'off':
      return { sentence: m.updateOff() }
    case 'unsupported':
      return { sentence: m.updateUnsupported(), next: m.updateUnsupportedNext() }
    case 'unchecked':
      return { sentence: m.updateNotChecked() }
    case 'checking':
      return { sentence: m.updateChecking() }
    case 'newest':
      return { sentence: m.updateUpToDate({ time: formatRecent(update.checkedAt, new Date(), timeZone) }) }
    case 'downloading':
      return {
        sentence: m.updateDownloading({ version: update.version, percent: formatPercent(update.percent) })
      }
    case 'ready':
      return { sentence: m.updateReady(update), next: m.updateReadyNext() }
    case 'installing':
      return { sentence: m.updateInstalling(update) }
    case 'failed':
      return { sentence: m.updateFault(update), next: m.updateFaultNext(update) }
  }
}

/** Returns the state of a printer. */
export function printerStateLabel(state: PrinterState): string {
  switch (state.kind) {
    case 'ready':
      return m.printerReady()
    case 'printing':
      return m.printerPrinting()
    case 'hindered':
      return m.printFault({ fault: state.fault })
    case 'unknown':
      return m.printerUnknown()
  }
}

/** Returns where a slip was printed: the folder, a queue's name, or a printer's address or device. */
export function destinationLabel(destination: PrintDestination): string {
  switch (destination.kind) {
    case 'folder':
      return m.folder()
    case 'queue':
      return destination.name
    case 'receipt-printer':
      return connectionName(destination.connection)
  }
}

/**
 * Returns whether the cashier is told why a slip was not printed or saved: what hinders a printer or folder that is no longer
 * selected is not said. `destination` is where it went; null: not known.
 */
export const isSaid = (
  failure: Failure,
  destination: PrintDestination | null,
  selected: PrintDestination
): boolean =>
  (failure.kind !== 'not-printed' && !(failure.kind === 'not-saved' && failure.what === 'slip')) ||
  destination === null ||
  destinationLabel(destination) === destinationLabel(selected)

/** Returns a note on a slip: as typed, or the translation of a note that the till made. */
export function noteText(note: string): string {
  switch (note) {
    case BATCH_NOTES.again:
      return m.noteIssuedAgain()
    case BATCH_NOTES.cancelled:
      return m.noteBatchCancelled()
    default:
      return note
  }
}

/** `Bill R-1042 · €12.50` */
export const billLabel = ({ reference, amount, points }: LinkedBill): string =>
  [
    reference === null ? m.billUnnumbered() : m.billNumber({ reference }),
    ...(amount ? [formatAmount(amount.value, amount.currency)] : []),
    ...(points === null ? [] : [m.points(pluralArguments(points))])
  ].join(' · ')

/** `250 points for Zoé`; `250 points` without a customer, and for one without a name. */
export const slipTitle = ({ points, customer }: Pick<Slip, 'points' | 'customer'>): string =>
  customer?.name
    ? m.pointsFor({ ...pluralArguments(points), name: customer.name })
    : m.points(pluralArguments(points))

/** Returns whether a code was used, and when. `timeZone` is the business's. */
export function codeVerdict({ qr, used }: CheckedCode, timeZone: string | undefined): string {
  if (!qr) return m.usedNotChecked()
  if (used === null) return m.usedUnknown()
  if (!used) return m.notUsed()
  return qr.usedDate ? m.usedOn({ date: formatDateTime(qr.usedDate, timeZone) }) : m.used()
}

/** Returns where slips were exported to; null before, and when the dialog was cancelled. */
export const exportedSentence = (saved: ExportResult | null): string | null =>
  saved?.file ? m.exported({ ...pluralArguments(saved.slips), file: saved.file }) : null

/** The name of a customer for a sentence; `No name` without one. */
export const nameIn = (customer: { readonly name: string } | null): string =>
  isolateName(customer === null || customer.name === '' ? m.noName() : customer.name)

/** `María has received 250 points`, or that they were taken back. */
export const creditTitle = ({ state, customer, points }: Credit): string =>
  state === 'undone'
    ? m.undoneCreditTitle({ points: pointsLabel(points) })
    : m.pointsGiven({ points: pointsLabel(points), name: nameIn(customer) })

/** The state of a credit in a few words. */
export function creditState({ state }: Pick<Credit, 'state'>): string {
  if (state === 'credited') return m.pointsGivenState()
  return state === 'requested' ? m.givingPoints() : m.redemptionState({ state })
}

/** `120 points`, or `Not known` for points that the service did not send. */
export const pointsLabel = (points: number | null): string =>
  points === null ? m.notKnown() : m.points(pluralArguments(points))

/** `120 points`, or in a sentence what is owed. */
export const balanceLabel = (balance: number): string =>
  balance < 0 ? m.owesPoints({ points: pointsLabel(-balance) }) : pointsLabel(balance)

/** `20 points taken back, 30 points left`; empty while nothing of a slip went back. */
export const returnedLabel = ({ points, remaining }: Pick<Slip, 'points' | 'remaining'>): string =>
  remaining === null || remaining === points
    ? ''
    : m.returnedMark({ points: pointsLabel(points - remaining), left: pointsLabel(remaining) })

/**
 * Returns what a purchase gave, and once some of it went back, how many points did before and how many are left. Null: not
 * known. @param now points that go back now
 */
export const purchaseFacts = (
  given: number | null,
  remaining: number | null,
  now: number | null = 0
): readonly { readonly label: string; readonly text: string }[] => {
  const before = given === null || remaining === null ? 0 : given - remaining - (now ?? 0)
  return [
    ...(given === null ? [] : [{ label: m.returnGiven(), text: pointsLabel(given) }]),
    ...(before > 0 ? [{ label: m.returnedBefore(), text: pointsLabel(before) }] : []),
    ...(remaining === null || remaining === given
      ? []
      : [{ label: m.returnLeft(), text: pointsLabel(remaining) }])
  ]
}

/**
 * `Collected 24 Nov, 14:05`, `Not collected yet`; empty while that is not known. `asOf` is `TillState.collectionsAsOf`,
 * `timeZone` the business's.
 */
export function collectionLabel(slip: Slip, asOf: string | null, timeZone: string | undefined): string {
  const at = (moment: string | null): string => formatShort(moment ?? '', new Date(), timeZone)
  switch (collectionOf(slip, asOf)) {
    case 'collected':
      return m.collectedAt({ time: at(slip.collectedAt) })
    case 'taken-back':
      return m.takenBackAt({ time: at(slip.takenBackAt) })
    case 'not-collected':
      return m.notCollected()
    case null:
      return ''
  }
}

/** `25 slips of 100 points`. */
export const batchTitle = ({ count, points }: Pick<Batch, 'count' | 'points'>): string =>
  m.batchTitle({ ...pluralArguments(count), points: m.points(pluralArguments(points)) })

/** `10 of 25 slips issued`. */
export const batchProgress = ({ count, issued }: Pick<Batch, 'count' | 'issued'>): string =>
  m.batchOf({ ...pluralArguments(count), issued: formatNumber(issued) })

/** Returns what a customer has by the shop's rules: the level, the next points that end, and what the next level needs. */
export const standingText = ({ level, ending, next }: Standing): string =>
  [
    level && isolateName(level.name),
    ending && m.pointsEndOn({ ...pluralArguments(ending.points), day: formatDate(ending.lastDay, 'UTC') }),
    next && m.nextLevel({ ...pluralArguments(next.missing), name: isolateName(next.name) })
  ]
    .filter((part) => part !== null)
    .join(' · ')
