/** The shop's rules of what earns points: each change is a version, which is never changed or deleted. */
import * as v from 'valibot'
import { earningRulesSchema, type EarningRules, type RulesAnswer } from '../../contract/earning-rules.ts'
import type { BusinessKey } from '../domain/businesses.ts'
import { identifierOfRequest } from '../domain/identifiers.ts'
import { expiryText } from '../domain/last-days.ts'
import type { Database, Queries } from './database.ts'

const rulesColumn = v.nullable(v.pipe(v.string(), v.parseJson(), earningRulesSchema))

const currentRow = v.object({
  version: v.pipe(
    v.nullable(v.number()),
    v.transform((version) => version ?? 0)
  ),
  timeZone: v.string(),
  rules: rulesColumn
})
const versionRow = v.object({ version: v.number(), rules: rulesColumn, at: v.string(), by: v.string() })
const savedRow = v.object({ rules: v.nullable(v.string()) })

/** One version: when it was made (ISO 8601, UTC) and by whom. Its rules are null where they were switched off. */
export type RulesVersion = v.InferOutput<typeof versionRow>

/** A change of the rules, and the form that asks for it. */
interface RulesChange {
  /** null switches them off: tills use rules of their own */
  readonly rules: EarningRules | null
  /** random id of the form: sent twice, it makes one version */
  readonly request: string
  readonly at: string
  readonly by: string
}

const expiryColumn = v.object({
  rules: v.pipe(v.string(), v.parseJson(), v.pick(earningRulesSchema, ['expiry']))
})

/** Returns when points end by the rules that a business has or had, each once, as their entries have it. */
export const expiriesOf = async (
  queries: Pick<Queries, 'read'>,
  business: BusinessKey
): Promise<readonly string[]> => {
  const rows = await queries.read(
    `SELECT rules FROM earning_rules WHERE business = $1 AND rules LIKE '%"expiry":{%'`,
    [business]
  )
  const expiries = rows.map((row) => v.parse(expiryColumn, row).rules.expiry)
  return [...new Set(expiries.flatMap((expiry) => (expiry === null ? [] : [expiryText(expiry)])))]
}

export class RulesStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** Returns what tills calculate with now: version 0 before any rules were saved. */
  async current(business: BusinessKey): Promise<RulesAnswer> {
    const [row] = await this.#database.read(
      `SELECT version, time_zone AS "timeZone", rules
       FROM businesses LEFT JOIN earning_rules ON earning_rules.business = businesses.business
       WHERE businesses.business = $1 ORDER BY version DESC LIMIT 1`,
      [business]
    )
    return v.parse(currentRow, row)
  }

  /** Returns the newest versions, the newest first. */
  async newest(business: BusinessKey, limit: number): Promise<readonly RulesVersion[]> {
    const rows = await this.#database.read(
      `SELECT version, rules, created_at AS "at", made_by AS "by" FROM earning_rules
       WHERE business = $1 ORDER BY version DESC LIMIT $2`,
      [business, limit]
    )
    return rows.map((row) => v.parse(versionRow, row))
  }

  /** Adds a version, once for each form. Adds none for rules that the newest one has. */
  save(business: BusinessKey, { rules, request, at, by }: RulesChange): Promise<void> {
    const text = rules === null ? null : JSON.stringify(rules)
    const id = identifierOfRequest('rul', business, request, text)
    return this.#database.transaction(async (queries) => {
      // Versions follow each other: of two changes at once the second one sees the first.
      await queries.write('UPDATE businesses SET name = name WHERE business = $1', [business])
      const [newest] = await queries.read(
        'SELECT rules FROM earning_rules WHERE business = $1 ORDER BY version DESC LIMIT 1',
        [business]
      )
      if ((newest === undefined ? null : v.parse(savedRow, newest).rules) === text) return
      const added = await queries.write(
        `INSERT INTO earning_rules (business, version, id, rules, created_at, made_by)
         SELECT CAST($1 AS BIGINT), coalesce(max(version), 0) + 1, CAST($2 AS TEXT), CAST($3 AS TEXT),
           CAST($4 AS TEXT), CAST($5 AS TEXT)
         FROM earning_rules WHERE business = $1 ON CONFLICT (id) DO NOTHING RETURNING version`,
        [business, id, text, at, by]
      )
      // The form of an older version, sent again: the newest one stays.
      if (added.length === 0) return
      await queries.write('UPDATE businesses SET expiry = $2, welcome_points = $3 WHERE business = $1', [
        business,
        rules?.expiry ? expiryText(rules.expiry) : null,
        rules?.welcomePoints ?? 0
      ])
    })
  }
}
