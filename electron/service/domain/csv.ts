/** Reads CSV (RFC 4180) as spreadsheets and other programs write it: any usual separator, rows without their last cells. */
import { unguardFormulas } from '../../contract/text.ts'
import { Refusal } from './refusal.ts'

export const SEPARATORS = [',', ';', '\t', '|'] as const
export type Separator = (typeof SEPARATORS)[number]

/** One row of a file, or what is left of one. */
export interface CsvRow {
  /** from 1, as a spreadsheet numbers them: a cell with line breaks is in one row */
  readonly row: number
  /** trimmed, and as they were before an export guarded them */
  readonly cells: readonly string[]
  /** false if its quotation marks do not match: the cells are a guess */
  readonly isReadable: boolean
  /** whether the file ends in it, without the end of a line */
  readonly isUnended: boolean
}

interface RawRecord {
  readonly fields: readonly string[]
  readonly isReadable: boolean
  /** where the next record begins */
  readonly end: number
}

/** Of any system. */
const LINE_END = /\r\n?|\n/g

/** What follows a field that is not quoted. */
const PLAIN_END: Readonly<Record<Separator, RegExp>> = {
  ',': /["\r\n,]|$/g,
  ';': /["\r\n;]|$/g,
  '\t': /["\r\n\t]|$/g,
  '|': /["\r\n|]|$/g
}

/** The first line by which Excel is told the separator; it shows no row for it. */
const SEPARATOR_LINE = /^"?sep=([,;\t|])"?(?:\r\n?|\n|$)/i

/** Returns where the quoted text that begins at `start` ends; the end of all text if its quotation mark is open. */
const endOfQuoted = (text: string, start: number): number => {
  for (let at = start; ; at += 2) {
    at = text.indexOf('"', at)
    if (at < 0) return text.length
    if (text.charAt(at + 1) !== '"') return at
  }
}

const readRecord = (text: string, start: number, separator: Separator): RawRecord => {
  const fields: string[] = []
  const plainEnd = PLAIN_END[separator]
  for (let at = start; ;) {
    if (text.charAt(at) === '"') {
      const end = endOfQuoted(text, at + 1)
      if (end === text.length) break
      fields.push(text.slice(at + 1, end).replaceAll('""', '"'))
      at = end + 1
    } else {
      plainEnd.lastIndex = at
      const end = plainEnd.exec(text)?.index ?? text.length
      fields.push(text.slice(at, end))
      at = end
    }
    const next = text.charAt(at)
    if (next === separator) at += 1
    else if (next === '\r' || next === '\n' || next === '') {
      return { fields, isReadable: true, end: at + (text.startsWith('\r\n', at) ? 2 : 1) }
    } else break
  }
  // A quotation mark too many could take the rest of the file with it: only its line is refused.
  LINE_END.lastIndex = start
  const found = LINE_END.exec(text)
  const line = text.slice(start, found?.index ?? text.length)
  const end = found === null ? text.length + 1 : found.index + found[0].length
  return { fields: line.replaceAll('"', '').split(separator), isReadable: false, end }
}

/** Reads the text of a file. Throws a `Refusal` if it is neither UTF-8 nor UTF-16 with its mark, as Excel writes it. */
export const decodeCsv = (bytes: Uint8Array): string => {
  const fault = new Refusal('file-not-utf8', 'The file is not UTF-8; save it as CSV in UTF-8.')
  const [first = 0, second = 0] = bytes
  const mark = first * 256 + second
  const encoding = mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : 'utf-8'
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
    // UTF-16 without its mark, which PostgreSQL does not keep.
    if (text.includes('\0')) throw fault
    return text
  } catch {
    throw fault
  }
}

/** The separator that the first line of a file names, and what follows it. */
export const separatorLine = (
  text: string
): { readonly separator: Separator | null; readonly rest: string } => {
  const found = SEPARATOR_LINE.exec(text)
  const separator = SEPARATORS.find((each) => each === found?.[1]) ?? null
  return { separator, rest: found === null ? text : text.slice(found[0].length) }
}

const cellOf = (field: string): string => {
  const cell = field.trim()
  return cell.includes("'") ? unguardFormulas(cell) : cell
}

/** Returns the rows of a text, one after the other, without the blank ones. */
export function* readRows(text: string, separator: Separator): Generator<CsvRow> {
  for (let row = 1, start = 0; start < text.length; row += 1) {
    const { fields, isReadable, end } = readRecord(text, start, separator)
    const cells = fields.map(cellOf)
    start = end
    if (cells.some((cell) => cell !== '')) yield { row, cells, isReadable, isUnended: end > text.length }
  }
}
