/** What was done, and why something was not. */
import type { Context } from 'hono'
import { MAX_IMPORT_LINES } from '../domain/import-columns.ts'
import { MIN_PASSWORD_LENGTH } from '../domain/staff.ts'
import type { Refusal, RefusalReason } from '../domain/refusal.ts'
import { noticeOf, type FoundForm } from '../html/kept-forms.ts'
import { countOf } from '../html/locale.ts'
import { TypedForm, type FormFault } from '../html/typed-form.ts'
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
  'offline-stopped': (m) => m.offlineStopped(),
  'offline-resumed': (m) => m.offlineResumed(),
  'offline-allowed': (m) => m.offlineAllowed(),
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
  'activity-explained': (m) => m.activityExplained(),
  'file-read': (m) => m.importRead(),
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

/** Refusals of these pages alone. */
type PageRefusal = 'sign-in-refused'

/** What the first page after signing in says was done: nothing, but it shows whether the browser keeps cookies. */
export const SIGNED_IN = 'signed-in'

const REFUSALS: Partial<Readonly<Record<RefusalReason | PageRefusal, Sentence>>> = {
  'sign-in-refused': (m) => m.refusedSignIn(),
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
  'points-expired': (m) => m.refusedPointsExpired(),
  'reason-missing': (m) => m.refusedReason(),
  'entry-unknown': (m) => m.refusedEntryUnknown(),
  'entry-reversed': (m) => m.refusedEntryReversed(),
  'entry-is-reversal': (m) => m.refusedEntryIsReversal(),
  'offline-code-refused': (m) => m.refusedCodeUnknown(),
  'purchase-returned': (m) => m.refusedEntryIsReversal(),
  'request-over': (m) => m.refusedOver(),
  'till-unknown': (m) => m.refusedTillUnknown(),
  'activity-unknown': (m) => m.refusedActivityUnknown(),
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

/** Which field a refusal is about, where the form does not say it. */
const FIELDS: Partial<Readonly<Record<RefusalReason | PageRefusal, string>>> = {
  'phone-malformed': 'phone',
  'phone-taken': 'phone',
  'email-malformed': 'email',
  'name-malformed': 'name',
  'country-missing': 'place',
  'logo-unsuitable': 'logo',
  'points-malformed': 'points',
  'points-too-few': 'points',
  'reason-missing': 'reason',
  'link-unknown': 'digits',
  'staff-exists': 'name',
  'staff-removed': 'name',
  'password-malformed': 'password',
  'password-wrong': 'current',
  'passwords-differ': 'repeated',
  'file-missing': 'file',
  'file-not-utf8': 'file',
  'file-too-long': 'file',
  'sign-in-refused': 'password'
}

/** Which form was refused: the first word of what it leaves. The others are the reason and the field. */
const REFUSED = 'refused'

/** What a refused form leaves. @param names of the form's fields */
export const refusedOutcome = (
  reason: Refusal['reason'] | PageRefusal,
  names: readonly string[],
  field: string | undefined = FIELDS[reason]
): string => [REFUSED, reason, ...(field !== undefined && names.includes(field) ? [field] : [])].join(' ')

const sentenceOf = (reason: string, m: ManageLocale['m']): string =>
  Object.hasOwn(REFUSALS, reason)
    ? (REFUSALS[reason as keyof typeof REFUSALS] ?? ((all) => all.refusedOther()))(m)
    : m.refusedOther()

/** The outcome of a form that came without a session. */
export const UNSENT = 'unsent'

/** What was typed, and what is wrong with it, of what a form has left for a page. */
export const typedFormOf = (left: FoundForm, { m }: ManageLocale): TypedForm => {
  const [kind, reason = '', field] = left.outcome.split(' ')
  if (kind === UNSENT) return new TypedForm(left.texts, { field: null, text: m.refusedUnsent() })
  const fault: FormFault | null =
    kind === REFUSED ? { field: field ?? null, text: sentenceOf(reason, m) } : null
  return new TypedForm(left.texts, fault)
}

/** Returns what a page says of a form that was not taken, or null. */
export const noticeText = (c: Context, locale: ManageLocale): string | null => {
  const { m } = locale
  const notice = noticeOf(c)
  if (typeof notice === 'number') return m.tooManyAttempts(countOf(notice, locale))
  switch (notice) {
    case 'no-cookies':
      // A browser that sends a cookie keeps them by now.
      return c.req.header('cookie') === undefined ? m.noCookies() : null
    case 'forged':
      return m.forgedText()
    case 'too-large':
      return m.tooLargeText()
    case 'failed':
      return m.refusedFailed()
    case null:
      return null
  }
}
