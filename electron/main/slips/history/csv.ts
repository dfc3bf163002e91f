/** Comma-separated values as RFC 4180 has them, safe to open in a spreadsheet. */

/** UTF-8's mark, by which spreadsheets know the encoding. */
export const BYTE_ORDER_MARK = '\u{FEFF}'

/** How a spreadsheet's formula begins (owasp.org, CSV Injection). */
const FORMULA = /^[=+\-@\t\r]/

/** One field: text that would be a formula gets an apostrophe in front, and what needs quotes gets them. */
export function csvField(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** One record with its line end. */
export const csvRecord = (fields: readonly (string | number | null)[]): string =>
  `${fields.map(csvField).join(',')}\r\n`
