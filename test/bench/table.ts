/** Formats the table of `npm run bench`. */
import type { Line } from './line.ts'

const HEADS = ['what', 'n', 'p50', 'p95', 'against', 'p50', 'p95', 'ratio', 'target', ''] as const

const cells = (line: Line): readonly string[] => [
  line.name,
  String(line.n),
  `${line.p50} ${line.unit}`,
  `${line.p95} ${line.unit}`,
  line.baseline?.name ?? '',
  line.baseline ? `${line.baseline.p50} ${line.unit}` : '',
  line.baseline ? `${line.baseline.p95} ${line.unit}` : '',
  line.ratio === null ? '' : String(line.ratio),
  line.target,
  line.target === '' ? '' : line.ok ? 'ok' : 'MISSED'
]

/** The lines as a table in Markdown, its columns aligned. */
export function table(lines: readonly Line[]): string {
  const rows = [HEADS, ...lines.map(cells)]
  const widths = HEADS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const print = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const [head, ...body] = rows.map(print)
  return [head, print(widths.map((width) => '-'.repeat(width))), ...body].join('\n')
}
