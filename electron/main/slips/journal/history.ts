/** Finding slips in a journal of any length: each search walks one index, newest first, and stops at its limit. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { SlipState } from '../../../contract/slips.ts'
import { prepareSlips, scopeValues, type JournalRow, type Scope, type SlipQuery } from './rows.ts'

/** What to find; all that is given must hold. */
export interface Search {
  /** the beginning of a code, in any case */
  readonly code?: string
  /** beginnings of words of the customer's name, as `searchTokens` gives them; together with `code`: either one */
  readonly words?: readonly string[]
  /** first moment, ISO 8601, UTC */
  readonly from?: string
  /** first moment that is too late */
  readonly until?: string
  readonly customerId?: string
  readonly cashierId?: string
  readonly states?: readonly SlipState[]
  readonly batchId?: string
}

/** Which part of what was found: after a row, or after a number of rows. */
export interface Part {
  readonly limit: number
  readonly offset?: number
  /** the last row of the part before */
  readonly after?: JournalRow
}

export interface History {
  /** The slips that a search finds, newest first. */
  find(scope: Scope, search: Search, part: Part): JournalRow[]
}

/** A condition with its values. */
interface Sql {
  readonly text: string
  readonly values: readonly SQLInputValue[]
}

/** Above so many codes with one beginning it is quicker to walk the newest slips than to sort what the index gives. */
const MANY_CODES = 2000
/** More kinds of search than cashiers ever ask for. */
const MOST_QUERIES = 100
/** Later than every other character: the end of a range of beginnings. */
const LAST_CHARACTER = '\u{10FFFF}'

const sql = (text: string, ...values: readonly SQLInputValue[]): Sql => ({ text, values })
const both = (...parts: readonly Sql[]): Sql => ({
  text: parts.map(({ text }) => text).join(' AND '),
  values: parts.flatMap(({ values }) => values)
})

const codeBegins = (code: string): Sql =>
  sql('code >= ? COLLATE NOCASE AND code < ? COLLATE NOCASE', code, code + LAST_CHARACTER)

/** Every word as the beginning of one; quoted, so that nothing in it is taken for an operator of FTS5. */
const matching = (words: readonly string[]): string => words.map((word) => `"${word}"*`).join(' ')

/** Conditions that each candidate is checked for, whatever index gave it. */
function filters(scope: Scope, search: Search, after: JournalRow | undefined): Sql {
  const parts = [sql('slips.training = ? AND slips.business_id = ?', ...scopeValues(scope))]
  if (search.from !== undefined) parts.push(sql('requested_at >= ?', search.from))
  if (search.until !== undefined) parts.push(sql('requested_at < ?', search.until))
  if (search.customerId !== undefined) parts.push(sql('customer_id = ?', search.customerId))
  if (search.cashierId !== undefined) parts.push(sql('cashier_id = ?', search.cashierId))
  if (search.batchId !== undefined) parts.push(sql('batch_id = ?', search.batchId))
  if (search.states !== undefined) {
    parts.push(sql(`slips.state IN (${search.states.map(() => '?').join(', ')})`, ...search.states))
  }
  if (after !== undefined && !isByTime(search)) parts.push(sql('slips.number < ?', after.number))
  if (after !== undefined && isByTime(search)) {
    parts.push(sql('(requested_at, slips.number) < (?, ?)', after.slip.requestedAt, after.number))
  }
  return both(...parts)
}

const isByText = ({ code, words }: Search): boolean => code !== undefined || words !== undefined

/** States that most slips end in: walking all of them is walking the journal. */
const COMMON: readonly SlipState[] = ['printed', 'shown']

const isByState = ({ states }: Search): boolean =>
  states !== undefined && !states.some((state) => COMMON.includes(state))

/** Days alone are searched along the clock; everything else in the order of the journal. */
const isByTime = (search: Search): boolean =>
  (search.from !== undefined || search.until !== undefined) &&
  !isByText(search) &&
  !isByState(search) &&
  search.customerId === undefined &&
  search.cashierId === undefined &&
  search.batchId === undefined

/** The index to walk where the text says nothing. */
function indexFor(search: Search): string {
  if (search.batchId !== undefined) return 'slips_batch'
  if (search.customerId !== undefined) return 'slips_customer'
  if (search.cashierId !== undefined) return 'slips_cashier'
  if (isByTime(search)) return 'slips_time'
  return 'slips_newest'
}

/** Prepares the reading of the history. */
export function createHistory(database: DatabaseSync): History {
  const countCodes = database.prepare(`
    SELECT count(*) AS count FROM (
      SELECT 1 FROM slips INDEXED BY slips_code
      WHERE training = ? AND business_id = ? AND ${codeBegins('').text} LIMIT ${String(MANY_CODES + 1)}
    )
  `)
  const isCommon = (scope: Scope, code: string): boolean =>
    Number(countCodes.get(...scopeValues(scope), ...codeBegins(code).values)?.['count']) > MANY_CODES

  /** Queries that each give row numbers, newest first, at most `most` of them; together all that may be found. */
  const sources = (scope: Scope, search: Search, after: JournalRow | undefined): readonly Sql[] => {
    const wanted = filters(scope, search, after)
    const walk = (index: string, ...extra: readonly Sql[]): Sql => {
      const where = both(wanted, ...extra)
      return sql(`SELECT slips.number FROM slips INDEXED BY ${index} WHERE ${where.text}`, ...where.values)
    }
    if (isByText(search)) {
      const found: Sql[] = []
      if (search.code !== undefined) {
        const begins = codeBegins(search.code)
        found.push(walk(isCommon(scope, search.code) ? 'slips_newest' : 'slips_code', begins))
      }
      if (search.words !== undefined && search.words.length > 0) {
        found.push(
          sql(
            `SELECT slips.number FROM slip_words CROSS JOIN slips ON slips.number = slip_words.rowid
             WHERE slip_words MATCH ? AND ${wanted.text}`,
            matching(search.words),
            ...wanted.values
          )
        )
      }
      return found
    }
    const { states, batchId, customerId } = search
    if (states !== undefined && isByState(search) && batchId === undefined && customerId === undefined) {
      return states.map((state) => walk('slips_state', sql('slips.state = ?', state)))
    }
    return [walk(indexFor(search))]
  }

  /** Each kind of search is prepared once: there are as many as combinations of what is asked for. */
  const queries = new Map<string, SlipQuery>()
  const prepared = (conditions: string): SlipQuery => {
    const known = queries.get(conditions)
    if (known !== undefined) return known
    const query = prepareSlips(database, conditions)
    if (queries.size >= MOST_QUERIES) queries.clear()
    queries.set(conditions, query)
    return query
  }
  const rows = (numbers: string, order: string, values: readonly SQLInputValue[]): JournalRow[] =>
    prepared(`WHERE slips.number IN (${numbers}) ORDER BY ${order}`).all(...values)

  return {
    find(scope, search, { limit, offset = 0, after }) {
      const found = sources(scope, search, after)
      if (found.length === 0) return []
      const byTime = isByTime(search)
      const order = byTime ? 'requested_at DESC, slips.number DESC' : 'slips.number DESC'
      const ordered = found.map(
        ({ text }) => `${text} ORDER BY ${order.replace('slips.number', numberOf(text))}`
      )
      const values = found.map((source) => source.values)
      const [only, ...others] = ordered
      if (only !== undefined && others.length === 0) {
        // The walk along the index skips by itself, and reads no row that it then drops.
        return rows(`${only} LIMIT ? OFFSET ?`, order, [...values.flat(), limit, offset])
      }
      // Each source stops as soon as it gave enough; a row that two of them give is one row.
      const union = ordered.map((text) => `SELECT * FROM (${text} LIMIT ?)`).join(' UNION ')
      const most = values.flatMap((some) => [...some, offset + limit])
      return rows(union, `${order} LIMIT ? OFFSET ?`, [...most, limit, offset])
    }
  }
}

/** FTS5 walks backwards only along its own `rowid`. */
const numberOf = (text: string): string => (text.includes('slip_words') ? 'slip_words.rowid' : 'slips.number')

/** The words that a customer's name is found by, whatever case and accents it was typed with. */

/** Letters that are not an accented other one, and are typed as others all the same. */
const TYPED_AS: Readonly<Record<string, string>> = {
  đ: 'd',
  ð: 'd',
  ø: 'o',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ς: 'σ'
}

/**
 * Accents of Latin, Greek and Cyrillic, vowel points of Hebrew and Arabic. The signs of Thai, Devanagari and Japanese
 * stay: there they make another word, not another spelling.
 */
const ACCENTS = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670]/g

/** Lower-case words without accents: "Μαρία  ÅSE-Øst" gives μαρια, ase, ost. */
export const searchTokens = (name: string): string[] =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(ACCENTS, '')
    .replaceAll(/[đðøłħıßæœþς]/g, (letter) => TYPED_AS[letter] ?? letter)
    .normalize('NFKC')
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== '')
