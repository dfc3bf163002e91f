/** Searches slips in a journal of any length: each search walks one index, newest first, and stops at its limit. */
import { normalizeForSearch } from '../../contract/text.ts'
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import * as v from 'valibot'
import { ATTENTION_STATES, type SEARCHED_STATES } from '../../contract/slips.ts'
import {
  IS_WAITING,
  IS_WORTHLESS,
  scopeValues,
  SEARCHED_STATE,
  SlipQuery,
  type JournalRow,
  type Scope
} from './rows.ts'

/** Returns the words of a name in lower case without accents: "Μαρία  ÅSE-Øst" gives μαρια, ase, ost. */
export const searchTokens = (name: string): string[] =>
  normalizeForSearch(name)
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== '')

type SearchedState = (typeof SEARCHED_STATES)[number]

/** What to find. All given conditions must hold. */
export interface SlipCriteria {
  /** beginning of a code, in any case */
  readonly code?: string
  /** beginning of a bill's reference, as typed, in capitals or in small letters; given together with `code`, either may match */
  readonly referenceStart?: string
  /** the customer whose phone was typed; given together with `code`, either may match */
  readonly phoneOwnerId?: string
  /** beginnings of words of the customer's name, from `searchTokens`; given together with `code`, either may match */
  readonly tokens?: readonly string[]
  /** first moment, ISO 8601, UTC */
  readonly from?: string
  /** first moment after the range */
  readonly until?: string
  readonly customerId?: string
  readonly cashierId?: string
  /** as `SEARCHED_STATE` */
  readonly states?: readonly SearchedState[]
  readonly batchId?: string
  /** only slips that need attention; with no other condition */
  readonly needsAttention?: true
  /** of a bill, exactly */
  readonly reference?: string
}

/** The part of the result to return: after a row, or after a number of rows. */
export interface PageOptions {
  readonly limit: number
  readonly offset?: number
  /** the last row of the previous page */
  readonly after?: JournalRow
}

/** An SQL condition or query with its values. */
interface Sql {
  readonly text: string
  readonly values: readonly SQLInputValue[]
}

/** With more codes than this, walking the newest slips is quicker than sorting the rows of the index. */
const MAX_CODES_TO_SORT = 2000
const MAX_CACHED_QUERIES = 100
/** Sorts after every other character: the end of a range of prefixes. */
const LAST_CHARACTER = '\u{10FFFF}'

const sql = (text: string, ...values: readonly SQLInputValue[]): Sql => ({ text, values })
const both = (...parts: readonly Sql[]): Sql => ({
  text: parts.map(({ text }) => text).join(' AND '),
  values: parts.flatMap(({ values }) => values)
})

const codeStartsWith = (code: string): Sql =>
  sql('code >= ? COLLATE NOCASE AND code < ? COLLATE NOCASE', code, code + LAST_CHARACTER)

const referenceStartsWith = (start: string): Sql =>
  sql('reference >= ? AND reference < ?', start, start + LAST_CHARACTER)

/** An FTS5 query for words that begin with the tokens; quoted, so that no token is read as an operator. */
const ftsQuery = (tokens: readonly string[]): string => tokens.map((token) => `"${token}"*`).join(' ')

/** Conditions on each row, whatever index it is read from. */
function filters(scope: Scope, search: SlipCriteria, after: JournalRow | undefined): Sql {
  const parts = [sql('slips.training = ? AND slips.business_id = ?', ...scopeValues(scope))]
  if (search.from !== undefined) parts.push(sql('requested_at >= ?', search.from))
  if (search.until !== undefined) parts.push(sql('requested_at < ?', search.until))
  if (search.customerId !== undefined) parts.push(sql('customer_id = ?', search.customerId))
  if (search.cashierId !== undefined) parts.push(sql('cashier_id = ?', search.cashierId))
  if (search.reference !== undefined) parts.push(sql('reference = ?', search.reference))
  if (search.batchId !== undefined) parts.push(sql('batch_id = ?', search.batchId))
  if (search.states !== undefined) {
    parts.push(sql(`${SEARCHED_STATE} IN (${search.states.map(() => '?').join(', ')})`, ...search.states))
  }
  if (after !== undefined && !isByTime(search)) parts.push(sql('slips.number < ?', after.number))
  if (after !== undefined && isByTime(search)) {
    parts.push(sql('(requested_at, slips.number) < (?, ?)', after.slip.requestedAt, after.number))
  }
  return both(...parts)
}

const isByText = ({ code, tokens }: SlipCriteria): boolean => code !== undefined || tokens !== undefined

/** States that most slips end in: their index is as long as the journal. */
const COMMON_STATES: readonly SearchedState[] = ['printed', 'shown']

const isByState = ({ states }: SlipCriteria): boolean =>
  states !== undefined && !states.some((state) => COMMON_STATES.includes(state))

/** Days alone are searched in the order of time, everything else in the order of the row ids. */
const isByTime = (search: SlipCriteria): boolean =>
  (search.from !== undefined || search.until !== undefined) &&
  !isByText(search) &&
  !isByState(search) &&
  search.reference === undefined &&
  search.customerId === undefined &&
  search.cashierId === undefined &&
  search.batchId === undefined

/** Returns the index to walk for a search without text. */
function indexFor(search: SlipCriteria): string {
  if (search.reference !== undefined) return 'slips_reference'
  if (search.batchId !== undefined) return 'slips_batch'
  if (search.customerId !== undefined) return 'slips_customer'
  if (search.cashierId !== undefined) return 'slips_cashier'
  if (isByTime(search)) return 'slips_time'
  return 'slips_newest'
}

/** FTS5 walks backwards only along its own `rowid`. */
const rowIdColumn = (query: string): string =>
  query.includes('slip_search') ? 'slip_search.rowid' : 'slips.number'

/** How many of the newest slips are looked at for their customers. */
const MAX_RECENT_SLIPS = 500

const servedSchema = v.object({ id: v.string(), name: v.string() })

/** Reads the history of slips. Throws as SQLite does when the disk fails. */
export class SlipHistory {
  readonly #database: DatabaseSync
  readonly #countCodes: StatementSync
  readonly #served: StatementSync
  /** by conditions: there are as many as combinations of criteria */
  readonly #queries = new Map<string, SlipQuery>()

  constructor(database: DatabaseSync) {
    this.#database = database
    this.#countCodes = database.prepare(`
      SELECT count(*) AS count FROM (
        SELECT 1 FROM slips INDEXED BY slips_code
        WHERE training = ? AND business_id = ? AND ${codeStartsWith('').text} LIMIT ${String(MAX_CODES_TO_SORT + 1)}
      )
    `)
    // max() takes the name from the newest row (sqlite.org/lang_select.html, "bare columns").
    this.#served = database.prepare(`
      SELECT customer_id AS id, coalesce(customer_name, '') AS name, max(number) AS number
      FROM (
        SELECT number, code, customer_id, customer_name FROM slips INDEXED BY slips_newest
        WHERE training = ? AND business_id = ? ORDER BY number DESC LIMIT ${String(MAX_RECENT_SLIPS)}
      )
      WHERE customer_id IS NOT NULL AND code IS NOT NULL
      GROUP BY customer_id ORDER BY max(number) DESC LIMIT ?
    `)
  }

  /** Returns the customers of the newest slips with a code, each once, the last one first. */
  served(scope: Scope, limit: number): { readonly id: string; readonly name: string }[] {
    return this.#served.all(...scopeValues(scope), limit).map((row) => v.parse(servedSchema, row))
  }

  /** Returns a page of the slips that match, newest first. */
  find(scope: Scope, search: SlipCriteria, { limit, offset = 0, after }: PageOptions): JournalRow[] {
    const sources = this.#sources(scope, search, after)
    const order = isByTime(search) ? 'requested_at DESC, slips.number DESC' : 'slips.number DESC'
    const ordered = sources.map(
      ({ text }) => `${text} ORDER BY ${order.replace('slips.number', rowIdColumn(text))}`
    )
    const [only, ...others] = ordered
    if (only === undefined) return []
    if (others.length === 0) {
      // The walk along the index skips the offset itself, and reads no row that is dropped.
      const values = sources.flatMap((source) => source.values)
      return this.#rows(`${only} LIMIT ? OFFSET ?`, order, [...values, limit, offset])
    }
    // Each source stops when it has enough rows; UNION drops a row that two sources return.
    const union = ordered.map((text) => `SELECT * FROM (${text} LIMIT ?)`).join(' UNION ')
    const values = sources.flatMap((source) => [...source.values, offset + limit])
    return this.#rows(union, `${order} LIMIT ? OFFSET ?`, [...values, limit, offset])
  }

  /** Returns queries of row ids, newest first; their union holds every match. */
  #sources(scope: Scope, search: SlipCriteria, after: JournalRow | undefined): readonly Sql[] {
    const wanted = filters(scope, search, after)
    const walk = (index: string, ...extra: readonly Sql[]): Sql => {
      const where = both(wanted, ...extra)
      return sql(`SELECT slips.number FROM slips INDEXED BY ${index} WHERE ${where.text}`, ...where.values)
    }
    const { code, tokens, referenceStart, phoneOwnerId, states, reference, batchId, customerId } = search
    if (search.needsAttention)
      return [
        ...ATTENTION_STATES.map((state) =>
          walk('slips_state', sql('slips.state = ?', state), sql(IS_WAITING))
        ),
        walk('slips_refusal', sql(IS_WORTHLESS))
      ]
    if (isByText(search)) {
      const sources: Sql[] = []
      if (code !== undefined) {
        sources.push(walk(this.#isCommon(scope, code) ? 'slips_newest' : 'slips_code', codeStartsWith(code)))
      }
      if (referenceStart !== undefined) {
        const spellings = [referenceStart, referenceStart.toUpperCase(), referenceStart.toLowerCase()]
        for (const start of new Set(spellings))
          sources.push(walk('slips_reference', referenceStartsWith(start)))
      }
      if (phoneOwnerId !== undefined) {
        sources.push(walk('slips_customer', sql('customer_id = ?', phoneOwnerId)))
      }
      if (tokens !== undefined && tokens.length > 0) {
        sources.push(
          sql(
            `SELECT slips.number FROM slip_search CROSS JOIN slips ON slips.number = slip_search.rowid
             WHERE slip_search MATCH ? AND ${wanted.text}`,
            ftsQuery(tokens),
            ...wanted.values
          )
        )
      }
      return sources
    }
    const isNarrower = [reference, batchId, customerId].some((id) => id !== undefined)
    if (states !== undefined && isByState(search) && !isNarrower) {
      const rowStates = new Set(states.map((state) => (state === 'not-sent' ? 'refused' : state)))
      return [...rowStates].map((state) => walk('slips_state', sql('slips.state = ?', state)))
    }
    return [walk(indexFor(search))]
  }

  #isCommon(scope: Scope, code: string): boolean {
    const row = this.#countCodes.get(...scopeValues(scope), ...codeStartsWith(code).values)
    return Number(row?.['count']) > MAX_CODES_TO_SORT
  }

  #rows(rowIds: string, order: string, values: readonly SQLInputValue[]): JournalRow[] {
    const conditions = `WHERE slips.number IN (${rowIds}) ORDER BY ${order}`
    let query = this.#queries.get(conditions)
    if (query === undefined) {
      query = new SlipQuery(this.#database, conditions)
      if (this.#queries.size >= MAX_CACHED_QUERIES) this.#queries.clear()
      this.#queries.set(conditions, query)
    }
    return query.all(...values)
  }
}
