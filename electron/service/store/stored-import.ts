/** How an import, what a preview shows of its file, and its refused lines are stored. */
import * as v from 'valibot'
import { IMPORT_FIELDS } from '../domain/import-columns.ts'
import { LINE_FAULTS, type ParsedImport, type RefusedLine } from '../domain/imports.ts'

const STATES = ['reading', 'previewed', 'running', 'stopped', 'done'] as const

/** An import without its file. */
export type StoredImport = v.InferOutput<typeof importRow>

const columnIndex = v.pipe(v.number(), v.integer(), v.minValue(0))
const choiceJson = v.pipe(
  v.string(),
  v.parseJson(),
  v.object(
    v.entriesFromList([...IMPORT_FIELDS.customers, ...IMPORT_FIELDS.rewards], v.exactOptional(columnIndex))
  )
)

const importRow = v.object({
  id: v.string(),
  business: v.number(),
  kind: v.picklist(['customers', 'rewards']),
  state: v.picklist(STATES),
  by: v.string(),
  createdAt: v.string(),
  updatedAt: v.string(),
  usable: v.number(),
  refused: v.number(),
  lastLine: v.number(),
  added: v.number(),
  known: v.number(),
  credited: v.number(),
  points: v.number(),
  filePoints: v.number(),
  choice: choiceJson,
  withErased: v.pipe(
    v.number(),
    v.transform((flag) => flag === 1)
  )
})

/** The columns of the table that `storedImportOf` reads. */
export const IMPORT_COLUMNS = `id, business, kind, state, made_by AS "by", created_at AS "createdAt", updated_at AS "updatedAt",
  usable, refused, last_line AS "lastLine", added, known, credited, points, file_points AS "filePoints", choice,
  with_erased AS "withErased"`

/** Reads an import from a row with `IMPORT_COLUMNS`. */
export const storedImportOf = (row: unknown): StoredImport => v.parse(importRow, row)

const refusalsJson = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    columns: v.array(v.string()),
    lines: v.array(
      v.tuple([v.number(), v.picklist(LINE_FAULTS), v.nullable(v.number()), v.array(v.string())])
    )
  })
)
const refusalsRow = v.object({ refusals: refusalsJson })
const previewJson = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    columns: v.array(v.string()),
    unused: v.array(v.string()),
    unusedPoints: v.array(v.string()),
    renumbered: v.number(),
    /** the first lines as they will be */
    first: v.array(
      v.object({
        name: v.string(),
        phone: v.string(),
        email: v.nullable(v.string()),
        points: v.number(),
        lifetimePoints: v.number()
      })
    )
  })
)
const previewRow = v.object({ preview: v.string() })

/** What a preview shows beside the counts. */
export type ImportPreview = v.InferOutput<typeof previewJson>

/** What is refused of a file, with the names of its columns. */
export interface RefusedLines {
  readonly columns: readonly string[]
  readonly lines: readonly RefusedLine[]
}

/** Reads the refused lines from a row. */
export const refusedLinesOf = (row: unknown): RefusedLines => {
  const { columns, lines } = v.parse(refusalsRow, row).refusals
  return { columns, lines: lines.map(([line, fault, sameAs, cells]) => ({ line, fault, sameAs, cells })) }
}

/** Returns refused lines as they are stored. */
export const stringifyRefusals = ({ columns, lines }: RefusedLines): string =>
  JSON.stringify({
    columns,
    lines: lines.map(({ line, fault, sameAs, cells }) => [line, fault, sameAs, cells])
  })

/** Reads what a preview shows from a row; null before the file is read, and when the import is done. */
export const previewOf = (row: unknown): ImportPreview | null => {
  const { preview } = v.parse(previewRow, row)
  return preview === '' ? null : v.parse(previewJson, preview)
}

/** Lines that a preview shows as they will be. */
const FIRST_LINES = 5

/** Returns what a preview shows of a file as it is stored. */
export const stringifyPreview = (parsed: ParsedImport): string => {
  const { columns, unused, unusedPoints, renumbered } = parsed
  const first =
    parsed.kind === 'customers'
      ? parsed.rows.slice(0, FIRST_LINES).map(({ name, phone, email, balance: points, lifetimePoints }) => ({
          ...{ name, phone, email, points, lifetimePoints }
        }))
      : parsed.rows
          .slice(0, FIRST_LINES)
          .map(({ name, cost: points }) => ({ name, phone: '', email: null, points, lifetimePoints: 0 }))
  return JSON.stringify({ columns, unused, unusedPoints, renumbered, first })
}
