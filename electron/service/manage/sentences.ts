/** What was done, and why something was not. */
import { MAX_IMPORT_LINES } from '../domain/import-columns.ts'
import { MIN_PASSWORD_LENGTH } from '../domain/staff.ts'
import type { RefusalReason } from '../domain/refusal.ts'
import type { ManageLocale } from './manage-locale.ts'

type Sentence = (m: ManageLocale['m']) => string

/** By the word that a page's address has after a form. */
const DONE = {
  saved: (m) => m.saved(),
  'signed-out': (m) => m.signedOut(),
  'session-ended': (m) => m.sessionEnded(),
  'password-changed': (m) => m.passwordChanged(),
  'reward-added': (m) => m.rewardAdded(),
  'reward-disabled': (m) => m.rewardDisabled(),
  'reward-enabled': (m) => m.rewardEnabled(),
  'till-revoked': (m) => m.tillRevoked(),
  'staff-removed': (m) => m.staffRemoved(),
  'staff-signed-out': (m) => m.staffSignedOut(),
  'points-changed': (m) => m.pointsChanged(),
  'entry-reversed': (m) => m.entryReversed(),
  'reward-redeemed': (m) => m.rewardRedeemed(),
  'customers-merged': (m) => m.customersMerged(),
  'device-linked': (m) => m.deviceLinked(),
  'device-unlinked': (m) => m.deviceUnlinked(),
  'customer-corrected': (m) => m.customerCorrected(),
  'customer-erased': (m) => m.customerErased(),
  'code-cancelled': (m) => m.codeCancelled(),
  'file-read': (m) => m.importRead(),
  'columns-chosen': (m) => m.importRead(),
  'import-started': (m) => m.importStarted(),
  'import-stopped': (m) => m.importStopped(),
  'import-discarded': (m) => m.importDiscarded(),
  'backup-started': (m) => m.backupStarted(),
  'backup-cancelled': (m) => m.backupCancelled()
} as const satisfies Readonly<Record<string, Sentence>>

/** What a page's address says was done. */
export type Done = keyof typeof DONE

/** The sentence for a word of an address, or null for another one. */
export const doneSentence = (word: string | undefined, { m }: ManageLocale): string | null =>
  word !== undefined && Object.hasOwn(DONE, word) ? DONE[word as Done](m) : null

const REFUSALS: Partial<Readonly<Record<RefusalReason, Sentence>>> = {
  'customer-unknown': (m) => m.refusedCustomerUnknown(),
  'customers-identical': (m) => m.refusedCustomersIdentical(),
  'phone-malformed': (m) => m.refusedPhone(),
  'phone-taken': (m) => m.refusedPhoneTaken(),
  'email-malformed': (m) => m.refusedEmail(),
  'reward-unknown': (m) => m.refusedRewardUnknown(),
  'reward-disabled': (m) => m.refusedRewardDisabled(),
  'price-changed': (m) => m.refusedPriceChanged(),
  'name-malformed': (m) => m.refusedName(),
  'country-missing': (m) => m.chooseCountry(),
  'logo-unsuitable': (m) => m.refusedLogo(),
  'code-unknown': (m) => m.refusedCodeUnknown(),
  'code-used': (m) => m.refusedCodeUsed(),
  'points-malformed': (m) => m.refusedPoints(),
  'points-too-few': (m) => m.refusedTooFewPoints(),
  'reason-missing': (m) => m.refusedReason(),
  'entry-unknown': (m) => m.refusedEntryUnknown(),
  'entry-reversed': (m) => m.refusedEntryReversed(),
  'entry-is-reversal': (m) => m.refusedEntryIsReversal(),
  'till-unknown': (m) => m.refusedTillUnknown(),
  'link-unknown': (m) => m.refusedDigits(),
  'device-unknown': (m) => m.refusedDeviceUnknown(),
  'staff-exists': (m) => m.refusedStaffExists(),
  'staff-unknown': (m) => m.refusedStaffUnknown(),
  'staff-removed': (m) => m.refusedStaffRemoved(),
  'owner-missing': (m) => m.refusedOwnerMissing(),
  'password-malformed': (m) => m.refusedPassword({ min: String(MIN_PASSWORD_LENGTH) }),
  'password-wrong': (m) => m.refusedPasswordWrong(),
  'passwords-differ': (m) => m.refusedPasswordsDiffer(),
  'file-missing': (m) => m.importNoFile(),
  'file-not-utf8': (m) => m.importNotUtf8(),
  'file-too-long': (m) => m.importTooLong({ max: String(MAX_IMPORT_LINES) }),
  'import-unknown': (m) => m.importUnknown(),
  'backup-running': (m) => m.backupRunning()
}

/** The sentence for a refusal. */
export const refusalSentence = (reason: RefusalReason, { m }: ManageLocale): string =>
  (REFUSALS[reason] ?? ((messages: ManageLocale['m']) => messages.refusedOther()))(m)
