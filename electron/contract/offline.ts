/** Slips whose codes the till makes without a connection (`offline-codes/1`). */
import * as v from 'valibot'

/** Why the service does not take a code that the till made without a connection. */
export const OFFLINE_REFUSALS = [
  'key-unknown',
  'key-revoked',
  'above-code-limit',
  'above-day-limit',
  'day-not-allowed'
] as const
export type OfflineRefusal = (typeof OFFLINE_REFUSALS)[number]

/** What the service said of a code that the till made without a connection. */
export interface OfflineReport {
  /** when the service took it, ISO 8601, UTC; null: it was not told yet, or refused it */
  readonly reportedAt: string | null
  /** null: not refused */
  readonly refusal: OfflineRefusal | null
}

/** What the till can issue while the service cannot be reached. */
export interface OfflineSlips {
  /** points that are left for today */
  readonly pointsLeft: number
  /** the most points of the next slip */
  readonly pointsOfSlip: number
  /** why nothing can be issued; null: it can */
  readonly obstacle: 'no-key' | 'key-ended' | 'day-limit' | null
}

const isKnownZone = (timeZone: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const whole = v.pipe(v.number(), v.integer(), v.minValue(0))

/** The key of a till and its limits, as the service gives them. Amounts are points. */
export const offlineKeyEntries = {
  key: v.pipe(v.string(), v.regex(/^[0-9A-HJKMNP-TV-Z]{6}$/)),
  /** that the till shows when it asks next */
  ticket: v.pipe(v.string(), v.nonEmpty(), v.maxLength(200)),
  /** what stands before a code in its QR code */
  address: v.pipe(v.string(), v.url(), v.maxLength(200)),
  pointsOfCode: whole,
  pointsOfDay: whole,
  /** that the key counts after its day */
  days: v.pipe(whole, v.maxValue(366)),
  codeValidityDays: v.pipe(whole, v.maxValue(36_600)),
  /** IANA name */
  timeZone: v.pipe(v.string(), v.check(isKnownZone)),
  /** of the shop, from which the key counts */
  day: v.pipe(v.string(), v.isoDate()),
  /** ISO 8601 */
  renewAfter: v.string()
}

/** The answer to `POST /ext/offline-keys`. `secret`: of a new key, 32 bytes in base64url. */
export const offlineKeyAnswerSchema = v.object({
  ...offlineKeyEntries,
  secret: v.optional(v.pipe(v.string(), v.regex(/^[\w-]{43}$/)))
})
export type OfflineKeyAnswer = v.InferOutput<typeof offlineKeyAnswerSchema>

/** The answer to `POST /ext/offline-codes`. A reason of a later version reads as `key-unknown`. */
export const offlineReportAnswerSchema = v.object({
  data: v.array(
    v.pipe(
      v.object({
        code: v.string(),
        status: v.picklist(['taken', 'refused']),
        reason: v.fallback(v.picklist(OFFLINE_REFUSALS), 'key-unknown')
      }),
      v.transform(({ code, status, reason }) => ({ code, refusal: status === 'taken' ? null : reason }))
    )
  )
})
export type OfflineReportAnswer = v.InferOutput<typeof offlineReportAnswerSchema>
