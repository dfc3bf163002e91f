/**
 * Codes that tills made without a connection. The service learns of one when a customer collects it, when the till reports it, or
 * when goods of it come back: whichever comes first admits it, once, and then it is a code like any other one.
 */
import * as v from 'valibot'
import { isProved, readOfflineCode, type UnprovedOfflineCode } from '../../codes/offline-code.ts'
import type { OfflineRefusal } from '../../contract/offline.ts'
import { memoized } from '../../contract/memoized.ts'
import type { BusinessKey, StoredBusiness } from '../domain/businesses.ts'
import type { CalculatedWith } from '../domain/bills.ts'
import type { CashierKey, NamedCashier } from '../domain/cashiers.ts'
import { expiryOfCode, type StoredCode } from '../domain/codes.ts'
import { dayOf, daysBetween } from '../domain/days.ts'
import { Refusal } from '../domain/refusal.ts'
import type { CountedAttempts } from './attempts.ts'
import { BUSINESS_COLUMNS, businessRow } from './businesses.ts'
import { CashierStore } from './cashiers.ts'
import { CodeStore, joinedAttemptsRow } from './codes.ts'
import type { Database, Queries } from './database.ts'
import type { SaleDetails } from './ledger.ts'
import { markAllowed, noteRefusals } from './offline-refusals.ts'

/** A code that is proved and not stored yet. */
export interface OpenedOfflineCode {
  readonly read: UnprovedOfflineCode
  readonly business: StoredBusiness
  /** whether the store has it: it may have changed since */
  readonly isStored: boolean
  /** as it would be stored now */
  readonly stored: StoredCode
  /** why it would not be taken now; null if it would be */
  readonly reason: OfflineRefusal | null
  /** what was tried at it; null: nothing */
  readonly attempts: CountedAttempts | null
}

/** What a till reports of a code that it made. */
export interface ReportedCode extends SaleDetails {
  readonly code: string
  /** ISO 8601, UTC */
  readonly issuedAt: string
}

/** How much later than the service's own clock a till's may be. */
const CLOCK_MINUTES = 10
/** Proves nothing: a code of an unknown key takes as long as one with a wrong proof. */
const NO_SECRET = new Uint8Array(32)

const keyRow = v.object({
  till: v.string(),
  secret: v.string(),
  confirmedDay: v.string(),
  lastDay: v.string(),
  isRevoked: v.number()
})
const takenRow = v.object({ dayPoints: v.number(), isStored: v.number() })
const pointsRow = v.object({ points: v.number() })

type OfflineKey = v.InferOutput<typeof keyRow> & { readonly business: StoredBusiness }

/** A code to be admitted, with what its till says of it. */
interface Admission extends CalculatedWith {
  readonly read: UnprovedOfflineCode
  /** null: the till's time is not that of the code; undefined: nothing is said of the sale */
  readonly issuedAt?: string | null
  readonly cashier?: CashierKey | null
  readonly reference?: string | null
  /** whether the owner has allowed it: above the limits, outside the days, of a key that was revoked */
  readonly isAllowed?: boolean
}

const endOfDay = memoized(
  (day: string, timeZone: string): string => daysBetween(day, day, timeZone)[0]?.end ?? `${day}T24:00Z`
)

/** What `keyRow` parses. */
const KEY_COLUMNS = `till, secret, confirmed_day AS "confirmedDay", last_day AS "lastDay",
  CASE WHEN revoked_at IS NULL AND EXISTS (
    SELECT 1 FROM tokens WHERE tokens.id = till AND tokens.revoked_at IS NULL AND offline_stopped_at IS NULL
  ) THEN 0 ELSE 1 END AS "isRevoked"`

/** A key with what was taken of a code's day, and tried at the code. */
interface FoundKey extends OfflineKey, v.InferOutput<typeof takenRow> {
  readonly attempts: CountedAttempts | null
}

/** Returns the key that a code names; null if there is none. @param attempts key of attempts that are read with it */
const findKey = async (
  queries: Queries,
  { key, day, code }: UnprovedOfflineCode,
  attempts = ''
): Promise<FoundKey | null> => {
  const [row] = await queries.read(
    `SELECT ${BUSINESS_COLUMNS}, ${KEY_COLUMNS},
       coalesce((
         SELECT points FROM offline_days WHERE offline_days.till = offline_keys.till AND offline_days.day = $2
       ), 0) AS "dayPoints",
       CASE WHEN EXISTS (SELECT 1 FROM codes WHERE codes.code = $3) THEN 1 ELSE 0 END AS "isStored",
       attempts.since AS since, attempts.count AS count
     FROM offline_keys JOIN businesses ON businesses.business = offline_keys.business
       LEFT JOIN attempts ON attempts.key = $4
     WHERE offline_keys.key = $1`,
    [key, day, code, attempts]
  )
  if (row === undefined) return null
  const business = v.parse(businessRow, row)
  return {
    ...{ ...v.parse(keyRow, row), ...v.parse(takenRow, row), business },
    attempts: v.parse(joinedAttemptsRow, row)
  }
}

/** Returns the key of a code if it proves the code. */
const proved = <Key extends OfflineKey>(code: UnprovedOfflineCode, key: Key | null): Key | null => {
  const isOwn = isProved(code, key === null ? NO_SECRET : Buffer.from(key.secret, 'base64url'))
  return isOwn && code.points > 0 ? key : null
}

/** Returns the key of a code that is proved; null for any other code. */
const provingKey = async (
  queries: Queries,
  code: UnprovedOfflineCode,
  attempts?: string
): Promise<FoundKey | null> => proved(code, await findKey(queries, code, attempts))

/** Why a code is not taken when so many points of its day are; null if it is. */
const reasonAgainst = (
  { points, day }: UnprovedOfflineCode,
  { business, isRevoked, confirmedDay, lastDay }: OfflineKey,
  taken: number,
  now: Date
): OfflineRefusal | null => {
  const { pointsOfCode, pointsOfDay } = business.offlineLimits
  const today = dayOf(new Date(now.getTime() + CLOCK_MINUTES * 60_000), business.timeZone)
  if (isRevoked === 1) return 'key-revoked'
  if (day < confirmedDay || day > lastDay || day > today) return 'day-not-allowed'
  if (points > pointsOfCode) return 'above-code-limit'
  return taken + points > pointsOfDay ? 'above-day-limit' : null
}

/** A code as it is stored when it is admitted. */
const storedAs = (
  {
    read: { code, points, day },
    issuedAt,
    cashier = null,
    reference = null,
    rules = null,
    bill = null,
    isAllowed = false
  }: Admission,
  { business, till }: OfflineKey,
  now: Date
): StoredCode & CalculatedWith => {
  const at = now.toISOString()
  // What is allowed may say any day.
  const from = isAllowed ? now : new Date(endOfDay(day, business.timeZone))
  const expiresAt = expiryOfCode(from, business.codeValidityDays)
  return {
    ...{
      code,
      points,
      image: false,
      createdAt: issuedAt ?? at,
      updatedAt: at,
      expiresAt,
      till,
      cashier,
      reference,
      offlineDay: day,
      rules,
      bill
    },
    ...{ usedAt: null, returnedPoints: 0, cancelledAt: null }
  }
}

export class OfflineCodeStore {
  readonly #database: Database
  readonly #now: () => Date

  constructor({ database, now }: { readonly database: Database; readonly now: () => Date }) {
    this.#database = database
    this.#now = now
  }

  /**
   * Returns a code that is proved, as it would be admitted now; null for any other one.
   *
   * @param code in capitals
   * @param attempts key of attempts that are read with it, as a statement costs more than a row
   */
  async open(code: string, attempts?: string): Promise<OpenedOfflineCode | null> {
    const read = readOfflineCode(code)
    const key = read === null ? null : await provingKey(this.#database, read, attempts)
    if (read === null || key === null) return null
    const now = this.#now()
    return {
      ...{ read, business: key.business, isStored: key.isStored === 1, attempts: key.attempts },
      stored: storedAs({ read }, key, now),
      reason: reasonAgainst(read, key, key.dayPoints, now)
    }
  }

  /**
   * Stores a code, unless it is stored, in a transaction that has written nothing yet. Throws a `Refusal` for one that is not
   * taken.
   */
  async admit(
    queries: Queries,
    business: BusinessKey,
    code: string,
    { isAllowed = false }: Pick<Admission, 'isAllowed'> = {}
  ): Promise<void> {
    const read = readOfflineCode(code)
    const key = read === null ? null : await provingKey(queries, read)
    const isOwn = key?.business.key === business
    await this.#admitOne(queries, isOwn ? key : null, read === null ? null : { read, isAllowed })
  }

  /** As `admit`, for a code that was opened before: what may have changed since is its key. */
  async admitOpened(queries: Queries, { read, business }: OpenedOfflineCode): Promise<void> {
    const [row] = await queries.read(`SELECT ${KEY_COLUMNS} FROM offline_keys WHERE key = $1`, [read.key])
    await this.#admitOne(queries, { ...v.parse(keyRow, row), business }, { read })
  }

  async #admitOne(queries: Queries, key: OfflineKey | null, admission: Admission | null): Promise<void> {
    const reason =
      key === null || admission === null
        ? 'key-unknown'
        : (await this.#admitDay(queries, key, [admission])).get(admission.read.code)
    if (reason !== undefined) throw new Refusal('offline-code-refused', `The code is not taken: ${reason}.`)
  }

  /** Admits a code that was refused before, because the owner allows it. Rejects with a `Refusal` for one of no till of the business. */
  allow(business: BusinessKey, code: string, by: string): Promise<void> {
    const at = this.#now().toISOString()
    return this.#database.transaction(async (queries) => {
      await this.admit(queries, business, code, { isAllowed: true })
      await markAllowed(queries, code, { by, at })
    })
  }

  /** Admits what a till reports, as often as it does. Returns why a code is not taken, for each that is not. */
  report(
    business: BusinessKey,
    reported: readonly ReportedCode[]
  ): Promise<ReadonlyMap<string, OfflineRefusal>> {
    const now = this.#now()
    return this.#database.transaction(async (queries) => {
      const reasons = new Map<string, OfflineRefusal>()
      const days = new Map<
        string,
        { readonly key: OfflineKey; readonly day: string; readonly codes: ReportedCode[] }
      >()
      // A report has hundreds of codes of one key.
      const keys = new Map<string, OfflineKey | null>()
      for (const each of reported) {
        const read = readOfflineCode(each.code)
        const keyName = `${read?.key ?? ''} ${read?.day ?? ''}`
        if (read !== null && !keys.has(keyName)) keys.set(keyName, await findKey(queries, read))
        const key = read === null ? null : proved(read, keys.get(keyName) ?? null)
        if (read === null || key?.business.key !== business) {
          reasons.set(each.code, 'key-unknown')
          continue
        }
        const name = `${key.till} ${read.day} ${read.key}`
        const day = days.get(name) ?? { key, day: `${key.till} ${read.day}`, codes: [] }
        day.codes.push(each)
        days.set(name, day)
      }
      // In one order: two reports do not wait for each other. Of two keys of a day the one that is reported first has its limit first.
      for (const { key, codes } of [...days.values()].toSorted((one, other) =>
        one.day.localeCompare(other.day)
      )) {
        const admissions = await this.#admissions(queries, key, codes, now)
        const refused = await this.#admitDay(queries, key, admissions)
        const noted = admissions.flatMap(({ read }) => {
          const reason = refused.get(read.code)
          return reason === undefined ? [] : [{ ...read, reason }]
        })
        for (const { code, reason } of noted) reasons.set(code, reason)
        await noteRefusals(queries, { business, till: key.till, by: 'report', at: now, codes: noted })
      }
      return reasons
    })
  }

  /** What a till says of codes, as it is stored. A time that is not on the code's day is that of a wrong clock. */
  async #admissions(
    queries: Queries,
    { business }: OfflineKey,
    codes: readonly ReportedCode[],
    now: Date
  ): Promise<readonly Admission[]> {
    const cashiers = new CashierStore(queries)
    const known = new Map<string, CashierKey>()
    const keyOf = async (cashier: NamedCashier): Promise<CashierKey> => {
      const name = `${String(cashier.number)} ${cashier.name}`
      const key = known.get(name) ?? (await cashiers.keyOf(business.key, cashier))
      known.set(name, key)
      return key
    }
    const admissions: Admission[] = []
    for (const { code, issuedAt, cashier, ...sale } of codes) {
      const read = readOfflineCode(code)
      if (read === null) continue
      const isTime =
        dayOf(new Date(issuedAt), business.timeZone) === read.day && issuedAt <= now.toISOString()
      admissions.push({
        ...{ ...sale, read, issuedAt: isTime ? issuedAt : null },
        cashier: cashier === null ? null : await keyOf(cashier)
      })
    }
    return admissions
  }

  /** Admits codes of one day of a till, and adds what it says to those that are stored. Returns why others are not taken. */
  async #admitDay(
    queries: Queries,
    key: OfflineKey,
    admissions: readonly Admission[]
  ): Promise<ReadonlyMap<string, OfflineRefusal>> {
    const now = this.#now()
    const { till, business } = key
    const day = admissions[0]?.read.day ?? ''
    const asked = admissions.reduce((sum, { read }) => sum + read.points, 0)
    // The row stays locked before any code is written: of two that admit a code at once, the second one finds it stored. Mostly
    // all are taken, so their points are added already.
    const [row] = await queries.write(
      `INSERT INTO offline_days (till, day, points) VALUES ($1, $2, $3)
       ON CONFLICT (till, day) DO UPDATE SET points = offline_days.points + excluded.points RETURNING points`,
      [till, day, asked]
    )
    const before = v.parse(pointsRow, row).points - asked
    const codes = new CodeStore(queries)
    const refused = new Map<string, OfflineRefusal>()
    let points = before
    for (const admission of admissions) {
      const { read, issuedAt, cashier = null, reference = null, isAllowed = false } = admission
      const { rules = null, bill = null } = admission
      const reason = isAllowed ? null : reasonAgainst(read, key, points, now)
      if (reason === null && (await codes.insert(business.key, storedAs(admission, key, now)))) {
        points += read.points
      } else if (reason !== null && (await codes.find(business.key, read.code)) === null) {
        refused.set(read.code, reason)
      } else if (issuedAt !== undefined) {
        await codes.complete(business.key, read.code, {
          createdAt: issuedAt,
          cashier,
          reference,
          rules,
          bill
        })
      }
    }
    if (points !== before + asked) {
      await queries.write('UPDATE offline_days SET points = $3 WHERE till = $1 AND day = $2', [
        till,
        day,
        points
      ])
    }
    return refused
  }
}
