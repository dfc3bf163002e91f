/** What a file of another system brings: customers with their points, or rewards. */
import { setImmediate } from 'node:timers/promises'
import { parsePhone } from '../../contract/phone.ts'
import { parseCsv, type CsvLine } from './csv.ts'
import type { CustomerIdentity } from './customers.ts'
import { MAX_ADJUSTMENT } from './ledger.ts'
import { nameFault } from './names.ts'
import { Refusal } from './refusal.ts'
import { MAX_COST, type RewardTerms, type StoredReward } from './rewards.ts'

export const IMPORT_KINDS = ['customers', 'rewards'] as const
export type ImportKind = (typeof IMPORT_KINDS)[number]

/** Lines of a file, which are in memory at once. */
export const MAX_IMPORT_LINES = 200_000

/** Lines that are parsed at a time: some 5 ms. */
const SLICE = 250

/** Why a line is refused. */
export const LINE_FAULTS = [
  'line-unreadable',
  'line-repeated',
  'phone-malformed',
  'email-malformed',
  'balance-malformed',
  'lifetime-malformed',
  'cost-malformed',
  'name-missing',
  'name-too-long',
  'name-malformed'
] as const
export type LineFault = (typeof LINE_FAULTS)[number]

export interface RefusedLine {
  /** from 1, that of the header */
  readonly line: number
  readonly fault: LineFault
  /** the earlier line with the same phone or name; null for another fault */
  readonly sameAs: number | null
}

export interface ImportedCustomer extends Omit<CustomerIdentity, 'id'> {
  readonly line: number
  /** the id that the customer had where the file was exported */
  readonly exportedId: string | null
  readonly balance: number
  /** at least the balance */
  readonly lifetimePoints: number
}

export interface ImportedReward extends RewardTerms, Pick<StoredReward, 'isEnable'> {
  readonly line: number
}

/** What can be imported of a file, and what cannot. */
export type ParsedImport = { readonly refused: readonly RefusedLine[] } & (
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

const field = ({ fields }: CsvLine, name: string): string => fields?.get(name) ?? ''

const wholeNumber = (fault: LineFault, text: string, min: number, max: number): number => {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw new LineRefusal(fault)
}

const nameOf = (line: CsvLine): string => {
  const name = field(line, 'name')
  const fault = nameFault(name)
  if (fault !== null) throw new LineRefusal(fault)
  return name
}

/** What a file says of a disabled reward, in an export and after a spreadsheet. */
const DISABLED = ['0', 'false']

const parseCustomer = (line: CsvLine): ImportedCustomer => {
  const phone = parsePhone(field(line, 'phone'), '')?.e164
  if (phone === undefined) throw new LineRefusal('phone-malformed')
  const email = field(line, 'email')
  if (email !== '' && !/^[^\s@]{1,64}@[^\s@]{1,189}$/.test(email)) throw new LineRefusal('email-malformed')
  const balance = wholeNumber('balance-malformed', field(line, 'balance') || '0', 0, MAX_ADJUSTMENT)
  const lifetime = field(line, 'lifetimepoints') || String(balance)
  const lifetimePoints = wholeNumber('lifetime-malformed', lifetime, balance, MAX_ADJUSTMENT)
  const id = field(line, 'id')
  return {
    line: line.line,
    exportedId: id === '' ? null : id,
    // A till registers customers by their phone alone.
    name: field(line, 'name') === '' ? '' : nameOf(line),
    phone,
    email: email === '' ? null : email,
    balance,
    lifetimePoints
  }
}

const parseReward = (line: CsvLine): ImportedReward => ({
  line: line.line,
  name: nameOf(line),
  cost: wholeNumber('cost-malformed', field(line, 'points'), 1, MAX_COST),
  isEnable: !DISABLED.includes(field(line, 'enabled').toLowerCase())
})

/**
 * Parses every line; what cannot be used, or comes again in the file, is refused. Others are served meanwhile: ten megabytes
 * take a second.
 */
const parseLines = async <Row>(
  lines: Iterable<CsvLine>,
  parse: (line: CsvLine) => Row,
  keyOf: (row: Row) => string
) => {
  const refused: RefusedLine[] = []
  const rows: Row[] = []
  const first = new Map<string, number>()
  let count = 0
  for (const line of lines) {
    count += 1
    if (count > MAX_IMPORT_LINES) {
      throw new Refusal(
        'file-too-long',
        `The file has more than ${MAX_IMPORT_LINES} lines; import it in parts, each with the first line.`
      )
    }
    if (count % SLICE === 0) await setImmediate()
    try {
      if (line.fields === null) throw new LineRefusal('line-unreadable')
      const row = parse(line)
      const before = first.get(keyOf(row))
      if (before !== undefined) throw new LineRefusal('line-repeated', before)
      first.set(keyOf(row), line.line)
      rows.push(row)
    } catch (error) {
      if (!(error instanceof LineRefusal)) throw error
      refused.push({ line: line.line, fault: error.fault, sameAs: error.sameAs })
    }
  }
  return { refused, rows }
}

/**
 * Parses a file, whose lines are always the same rows. Rejects with a `Refusal` for one without the columns that are needed,
 * and one that is too long.
 */
export const parseImport = async (kind: ImportKind, text: string): Promise<ParsedImport> => {
  const { columns, lines } = parseCsv(text)
  const missing = ['name', kind === 'customers' ? 'phone' : 'points'].filter(
    (name) => !columns.includes(name)
  )
  if (missing.length > 0) {
    throw new Refusal(`${kind}-columns-missing`, `The file has no column ${missing.join(', ')}.`)
  }
  return kind === 'customers'
    ? { kind, ...(await parseLines(lines, parseCustomer, ({ phone }) => phone)) }
    : { kind, ...(await parseLines(lines, parseReward, ({ name }) => name)) }
}
