/** Reads CSV (RFC 4180): fields separated by commas or semicolons, the first line names the columns. */

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

/** Reads the record at `start`; null fields if its quotation marks do not match. */
const readRecord = (text: string, start: number, separator: string): RawRecord => {
  const plain = new RegExp(`"((?:[^"]|"")*)"|[^"\\r\\n${separator}]*`, 'y')
  const fields: string[] = []
  for (let at = start; ;) {
    plain.lastIndex = at
    const [all = '', quoted] = plain.exec(text) ?? []
    fields.push(quoted?.replaceAll('""', '"') ?? all)
    at += all.length
    const next = text.charAt(at)
    if (next === separator) at += 1
    else if (next === '\r' || next === '\n' || next === '') {
      return { fields, end: at + (text.startsWith('\r\n', at) ? 2 : 1) }
    } else break
  }
  // A quotation mark too many could take the rest of the file with it: only its line is refused.
  const newline = text.indexOf('\n', start)
  return { fields: null, end: newline < 0 ? text.length + 1 : newline + 1 }
}

const columnName = (text: string): string => text.toLowerCase().replaceAll(/[\s_-]/g, '')

/** Returns the columns and the lines of a file; blank lines are left out. Throws if it is not UTF-8. */
export const parseCsv = (
  bytes: Uint8Array
): { readonly columns: readonly string[]; readonly lines: readonly CsvLine[] } => {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Error('The file is not UTF-8; save it as CSV in UTF-8.')
  }
  const [head = ''] = text.split(/\r?\n/, 1)
  const separator = head.split(';').length > head.split(',').length ? ';' : ','
  const header = readRecord(text, 0, separator)
  const columns = (header.fields ?? []).map(columnName)
  const lines: CsvLine[] = []
  let line = 1
  for (let start = 0, record = header; ; start = record.end, record = readRecord(text, start, separator)) {
    if (start > 0 && record.fields?.join('') !== '') {
      const { fields } = record
      const isWhole = fields?.length === columns.length
      lines.push({
        line,
        fields: isWhole
          ? new Map(columns.map((column, index) => [column, fields[index]?.trim() ?? '']))
          : null
      })
    }
    line += text.slice(start, record.end).split('\n').length - 1
    if (record.end >= text.length) return { columns, lines }
  }
}
