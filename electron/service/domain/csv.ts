/** Reads CSV (RFC 4180): fields separated by commas or semicolons, the first line names the columns. */
import { unguardFormulas } from '../../contract/text.ts'
import { Refusal } from './refusal.ts'

/** One line of a file, or what is wrong with it. */
export interface CsvLine {
  /** from 1, that of the header */
  readonly line: number
  /** by the name of the column, in lower case and without spaces; null for a line that cannot be read */
  readonly fields: ReadonlyMap<string, string> | null
}

interface RawRecord {
  readonly fields: readonly string[] | null
  /** where the next record begins */
  readonly end: number
}

/** Of any system. */
const LINE_END = /\r\n?|\n/g

/** What follows a field that is not quoted. */
const PLAIN_END = { ',': /["\r\n,]|$/g, ';': /["\r\n;]|$/g } as const

/** Returns where the quoted text that begins at `start` ends; the end of all text if its quotation mark is open. */
const endOfQuoted = (text: string, start: number): number => {
  for (let at = start; ; at += 2) {
    at = text.indexOf('"', at)
    if (at < 0) return text.length
    if (text.charAt(at + 1) !== '"') return at
  }
}

/** Reads the record at `start`; null fields if its quotation marks do not match. */
const readRecord = (text: string, start: number, separator: ',' | ';'): RawRecord => {
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
      return { fields, end: at + (text.startsWith('\r\n', at) ? 2 : 1) }
    } else break
  }
  // A quotation mark too many could take the rest of the file with it: only its line is refused.
  LINE_END.lastIndex = start
  const end = LINE_END.exec(text)
  return { fields: null, end: end === null ? text.length + 1 : end.index + end[0].length }
}

const columnName = (text: string): string => text.toLowerCase().replaceAll(/[\s_-]/g, '')

/** Reads the text of a file. Throws a `Refusal` if it is not UTF-8. */
export const decodeCsv = (bytes: Uint8Array): string => {
  const fault = new Refusal('file-not-utf8', 'The file is not UTF-8; save it as CSV in UTF-8.')
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    // UTF-16 without its mark, which PostgreSQL does not keep.
    if (text.includes('\0')) throw fault
    return text
  } catch {
    throw fault
  }
}

/**
 * Returns the columns of a text, and its lines one after the other; blank ones are left out. Cells are read as an export
 * guards them.
 */
export const parseCsv = (
  text: string
): { readonly columns: readonly string[]; readonly lines: Iterable<CsvLine> } => {
  const [head = ''] = text.split(LINE_END, 1)
  const separator = head.split(';').length > head.split(',').length ? ';' : ','
  const header = readRecord(text, 0, separator)
  const columns = (header.fields ?? []).map(columnName)
  return { columns, lines: linesAfter(text, header, columns, separator) }
}

function* linesAfter(
  text: string,
  header: RawRecord,
  columns: readonly string[],
  separator: ',' | ';'
): Generator<CsvLine> {
  let line = 1
  for (let start = 0, record = header; ; start = record.end, record = readRecord(text, start, separator)) {
    if (start > 0 && record.fields?.join('').trim() !== '') {
      const { fields } = record
      const isWhole = fields?.length === columns.length
      const cell = (index: number): string => {
        const value = fields?.[index]?.trim() ?? ''
        return value.includes("'") ? unguardFormulas(value) : value
      }
      yield {
        line,
        fields: isWhole ? new Map(columns.map((column, index) => [column, cell(index)])) : null
      }
    }
    line += text.slice(start, record.end).match(LINE_END)?.length ?? 0
    if (record.end >= text.length) return
  }
}
