/** What a file of another system brings: customers with their points, or rewards. */
import { setImmediate } from 'node:timers/promises'
import { parseE164 } from '../../contract/phone.ts'
import type { CsvRow } from './csv.ts'
import type { CustomerIdentity } from './customers.ts'
import {
  cellAt,
  guessColumns,
  IMPORT_FIELDS,
  looksLikePoints,
  readTable,
  type ColumnChoice,
  type ImportField,
  type ImportKind,
  type ImportTable
} from './import-columns.ts'
import { wholeNumberReader, type ReadWholeNumber } from './import-numbers.ts'
import { MAX_ADJUSTMENT } from './ledger.ts'
import { nameFault } from './names.ts'
import { MAX_COST, type RewardTerms, type StoredReward } from './rewards.ts'

/** Lines that are parsed at a time: some 5 ms. */
const SLICE = 250

/** Why a line is refused. */
export const LINE_FAULTS = [
  'line-unreadable',
  'line-cut',
  'line-repeated',
  'phone-malformed',
  'email-malformed',
  'balance-malformed',
  'number-ambiguous',
  'lifetime-malformed',
  'cost-malformed',
  'name-missing',
  'name-too-long',
  'name-malformed',
  'customer-erased'
] as const
export type LineFault = (typeof LINE_FAULTS)[number]

export interface RefusedLine {
  /** as a spreadsheet numbers its rows */
  readonly line: number
  readonly fault: LineFault
  /** the earlier line with the same phone or name; null for another fault */
  readonly sameAs: number | null
  /** what the line has, to be corrected */
  readonly cells: readonly string[]
}

interface ParsedLine {
  readonly line: number
  readonly cells: readonly string[]
}

export interface ImportedCustomer extends Omit<CustomerIdentity, 'id'>, ParsedLine {
  /** the id that the customer had where the file was exported */
  readonly exportedId: string | null
  readonly balance: number
  /** at least the balance */
  readonly lifetimePoints: number
}

export interface ImportedReward extends RewardTerms, Pick<StoredReward, 'isEnable'>, ParsedLine {}

/** What can be imported of a file, and what cannot. */
export type ParsedImport = {
  readonly refused: readonly RefusedLine[]
  /** the names of the file's columns, and which of them is what */
  readonly columns: readonly string[]
  readonly choice: ColumnChoice
  /** the columns that are not read though they have something, and those of them that may have points */
  readonly unused: readonly string[]
  readonly unusedPoints: readonly string[]
  /** lines with a phone that its country has changed since */
  readonly renumbered: number
} & (
  | { readonly kind: 'customers'; readonly rows: readonly ImportedCustomer[] }
  | { readonly kind: 'rewards'; readonly rows: readonly ImportedReward[] }
)

class LineRefusal extends Error {
  readonly fault: LineFault
  readonly sameAs: number | null

  constructor(fault: LineFault, sameAs: number | null = null) {
    super(fault)
    this.fault = fault
    this.sameAs = sameAs
  }
}

/** How the cells of a table are read. */
class LineReader {
  /** phones that were old numbers so far */
  renumbered = 0
  readonly #country: string
  readonly #choice: ColumnChoice
  readonly #exportedId: number | undefined
  readonly #numbers: Readonly<Partial<Record<ImportField, ReadWholeNumber>>>

  constructor({ columns, rows }: ImportTable, choice: ColumnChoice, country: string) {
    const numbersIn = (field: ImportField): ReadWholeNumber =>
      wholeNumberReader(rows.values().map((row) => cellAt(row, choice[field])))
    this.#country = country
    this.#choice = choice
    this.#exportedId = exportedIdColumn({ columns, rows })
    this.#numbers = {
      balance: numbersIn('balance'),
      lifetimePoints: numbersIn('lifetimePoints'),
      points: numbersIn('points')
    }
  }

  customer(row: CsvRow): ImportedCustomer {
    const phone = this.#phone(this.#cell(row, 'phone')) ?? this.#phone(this.#cell(row, 'otherPhone'))
    if (phone === null) throw new LineRefusal('phone-malformed')
    const email = this.#cell(row, 'email')
    if (email !== '' && !/^[^\s@]{1,64}@[^\s@]{1,189}$/.test(email)) throw new LineRefusal('email-malformed')
    const balance = this.#number(row, 'balance', 'balance-malformed', 0, MAX_ADJUSTMENT) ?? 0
    const lifetimePoints =
      this.#number(row, 'lifetimePoints', 'lifetime-malformed', balance, MAX_ADJUSTMENT) ?? balance
    // A till registers customers by their phone alone.
    const name = this.#name(row)
    if (name !== '') checkName(name)
    const exportedId = cellAt(row, this.#exportedId)
    return {
      line: row.row,
      cells: row.cells,
      exportedId: exportedId === '' ? null : exportedId,
      name,
      phone,
      email: email === '' ? null : email,
      balance,
      lifetimePoints
    }
  }

  reward(row: CsvRow): ImportedReward {
    const name = this.#name(row)
    checkName(name)
    const cost = this.#number(row, 'points', 'cost-malformed', 1, MAX_COST)
    if (cost === null) throw new LineRefusal('cost-malformed')
    const isEnable = !DISABLED.includes(this.#cell(row, 'enabled').toLowerCase())
    return { line: row.row, cells: row.cells, name, cost, isEnable }
  }

  #cell(row: CsvRow, field: ImportField): string {
    return cellAt(row, this.#choice[field])
  }

  #name(row: CsvRow): string {
    const line = (text: string): string => text.replaceAll(/\s+/g, ' ')
    const parts = [this.#cell(row, 'firstName'), this.#cell(row, 'lastName')]
    return line(this.#cell(row, 'name') || parts.filter((part) => part !== '').join(' '))
  }

  /** The first phone of a cell, which may have several. */
  #phone(cell: string): string | null {
    // A spreadsheet makes a number of it, with one point; an apostrophe keeps it a text.
    const text = cell.replace(/^'/, '').replace(/^([^.]*)\.0+$/, '$1')
    for (const each of [text, ...text.split(/[/;,|\n]/)]) {
      const phone = parseE164(each, this.#country)
      if (phone?.former !== undefined) this.renumbered += 1
      if (phone !== null) return phone.e164
    }
    return null
  }

  #number(row: CsvRow, field: ImportField, fault: LineFault, min: number, max: number): number | null {
    const cell = this.#cell(row, field)
    if (cell === '') return null
    const value = this.#numbers[field]?.(cell) ?? null
    if (value === 'ambiguous') throw new LineRefusal('number-ambiguous')
    if (value === null || value < min || value > max) throw new LineRefusal(fault)
    return value
  }
}

const checkName = (name: string): void => {
  const fault = nameFault(name)
  if (fault !== null) throw new LineRefusal(fault)
}

/** What a file says of a disabled reward, in an export and after a spreadsheet. */
const DISABLED = ['0', 'false', 'no']

/** The column of an export's ids, by which this shop knows its own file again. */
const exportedIdColumn = ({ columns, rows }: ImportTable): number | undefined =>
  columns
    .keys()
    .find((index) => columns[index] === 'id' && rows.some((row) => cellAt(row, index).startsWith('cus_')))

/** Throws for a row that is not what its line was: cut off, or with cells that no column has. */
const checkShape = (row: CsvRow, width: number, hasShortRows: boolean): void => {
  if (!row.isReadable || row.cells.slice(width).some((cell) => cell !== '')) {
    throw new LineRefusal('line-unreadable')
  }
  // Spreadsheets leave out the last cells of any row; a file that was cut off lacks those of its last one alone.
  if (row.isUnended && row.cells.length < width && !hasShortRows) throw new LineRefusal('line-cut')
}

/** Receives how many lines are parsed. What it rejects with ends the parsing. */
export type ReportLines = (done: number) => Promise<void>

/**
 * Parses every line; what cannot be used, or comes again in the file, is refused. Others are served meanwhile: ten megabytes
 * take a second.
 */
const parseRows = async <Row extends ParsedLine>(
  { columns, rows: all }: ImportTable,
  {
    parse,
    keyOf,
    report
  }: {
    readonly parse: (row: CsvRow) => Row
    readonly keyOf: (row: Row) => string
    readonly report: ReportLines
  }
) => {
  const refused: RefusedLine[] = []
  const rows: Row[] = []
  const first = new Map<string, number>()
  const isShort = ({ cells }: CsvRow): boolean => cells.length < columns.length
  const refuse = ({ row, cells }: CsvRow, { fault, sameAs }: LineRefusal): void => {
    refused.push({ line: row, fault, sameAs, cells })
  }
  let hasShortRows = false
  for (const [index, row] of all.entries()) {
    if (index % SLICE === 0) {
      await setImmediate()
      await report(index)
    }
    try {
      checkShape(row, columns.length, hasShortRows)
      hasShortRows ||= isShort(row)
      const parsed = parse(row)
      const before = first.get(keyOf(parsed))
      if (before !== undefined) throw new LineRefusal('line-repeated', before)
      first.set(keyOf(parsed), row.row)
      rows.push(parsed)
    } catch (error) {
      if (!(error instanceof LineRefusal)) throw error
      const previous = all[index - 1]
      const half = rows.at(-1)
      // A line break in a cell without quotation marks: the first half would come without its points.
      const isOther =
        previous !== undefined && previous.cells.length + row.cells.length - 1 === columns.length
      if (isOther && isShort(previous) && half?.line === previous.row) {
        rows.pop()
        first.delete(keyOf(half))
        refuse(previous, new LineRefusal('line-cut'))
      }
      refuse(row, error)
    }
  }
  return { refused, rows }
}

/** The columns of a choice that the file has, for the fields of the kind. */
const usableChoice = (kind: ImportKind, choice: ColumnChoice, { columns }: ImportTable): ColumnChoice =>
  Object.fromEntries(
    IMPORT_FIELDS[kind].flatMap((field) => {
      const index = choice[field]
      return index === undefined || columns[index] === undefined ? [] : [[field, index]]
    })
  )

/**
 * Parses a file, whose lines are always the same rows. Rejects with a `Refusal` for one that is too long.
 * @param options the shop's country (ISO 3166-1), for phones without a country code; which column is what, guessed without any;
 * and what is told how far the work is
 */
export const parseImport = async (
  kind: ImportKind,
  text: string,
  {
    country,
    chosen,
    report = () => Promise.resolve()
  }: { readonly country: string; readonly chosen: ColumnChoice; readonly report?: ReportLines }
): Promise<ParsedImport> => {
  const table = await readTable(kind, text, country)
  const choice =
    Object.keys(chosen).length === 0 ? guessColumns(kind, table, country) : usableChoice(kind, chosen, table)
  const used = new Set([...Object.values(choice), exportedIdColumn(table)])
  const unused = table.columns.filter(
    (_, index) => !used.has(index) && table.rows.some((row) => cellAt(row, index) !== '')
  )
  const about = { columns: table.columns, choice, unused, unusedPoints: unused.filter(looksLikePoints) }
  const reader = new LineReader(table, choice, country)
  if (kind === 'customers') {
    const parsed = await parseRows(table, {
      parse: (row) => reader.customer(row),
      keyOf: ({ phone }) => phone,
      report
    })
    return { kind, ...about, ...parsed, renumbered: reader.renumbered }
  }
  const parsed = await parseRows(table, {
    parse: (row) => reader.reward(row),
    keyOf: ({ name }) => name,
    report
  })
  return { kind, ...about, ...parsed, renumbered: 0 }
}

/**
 * Takes the lines of erased customers out of what can be imported, or, `withErased`, lets them be new customers.
 * @param isErased whether a line is one's
 */
export const withoutErased = (
  parsed: ParsedImport,
  isErased: (row: ImportedCustomer) => boolean,
  withErased: boolean
): ParsedImport => {
  if (parsed.kind === 'rewards') return parsed
  const erased = new Set(parsed.rows.filter(isErased))
  if (withErased) {
    const rows = parsed.rows.map((row) => (erased.has(row) ? { ...row, exportedId: null } : row))
    return { ...parsed, rows }
  }
  const refused = Array.from(erased, ({ line, cells }) => ({
    ...{ line, cells, fault: 'customer-erased' as const, sameAs: null }
  }))
  return {
    ...parsed,
    rows: parsed.rows.filter((row) => !erased.has(row)),
    refused: [...parsed.refused, ...refused].toSorted((one, other) => one.line - other.line)
  }
}
