/** Imports with their file, what a preview shows of it, and their progress. */
import { setImmediate } from 'node:timers/promises'
import * as v from 'valibot'
import type { BusinessKey } from '../domain/businesses.ts'
import { newIdentifier, type RandomBytes } from '../domain/identifiers.ts'
import { IMPORT_FIELDS, type ColumnChoice, type ImportKind } from '../domain/import-columns.ts'
import {
  LINE_FAULTS,
  parseImport,
  withoutErased,
  type ParsedImport,
  type RefusedLine
} from '../domain/imports.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Database, Queries } from './database.ts'
import { erasedTest } from './erased-phones.ts'
import {
  addCounts,
  batchAfter,
  importBatch,
  NO_COUNTS,
  previewBatch,
  sumOfPoints,
  type ImportCounts
} from './imports.ts'

const STATES = ['previewed', 'running', 'stopped', 'done'] as const

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
const COLUMNS = `id, business, kind, state, made_by AS "by", created_at AS "createdAt", updated_at AS "updatedAt",
  usable, refused, last_line AS "lastLine", added, known, credited, points, file_points AS "filePoints", choice,
  with_erased AS "withErased"`

const textRow = v.object({ text: v.string() })
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

/** Lines that a preview shows as they will be. */
const FIRST_LINES = 5

const previewOf = (parsed: ParsedImport): ImportPreview => ({
  columns: [...parsed.columns],
  unused: [...parsed.unused],
  unusedPoints: [...parsed.unusedPoints],
  renumbered: parsed.renumbered,
  first:
    parsed.kind === 'customers'
      ? parsed.rows.slice(0, FIRST_LINES).map(({ name, phone, email, balance: points, lifetimePoints }) => ({
          ...{ name, phone, email, points, lifetimePoints }
        }))
      : parsed.rows
          .slice(0, FIRST_LINES)
          .map(({ name, cost: points }) => ({ name, phone: '', email: null, points, lifetimePoints: 0 }))
})

const countryRow = v.object({ country: v.string() })

const DAY_MS = 86_400_000
/** How long a file that is not imported is kept, and the counts of one that is. */
const FILE_DAYS = 1
const RESULT_DAYS = 30

/** Imports that a list has. */
const LISTED = 10

/** What an owner says of a file. */
export interface ChosenImport {
  /** guessed unless given */
  readonly choice?: ColumnChoice
  /** whether customers who were erased are imported, too */
  readonly withErased?: boolean
}

const unknownImport = (): Refusal =>
  new Refusal('import-unknown', 'There is no such import; its file may be older than a day.')

export interface ImportDependencies {
  readonly database: Database
  readonly now: () => Date
  readonly random: RandomBytes
}

export class ImportStore {
  readonly #database: Database
  readonly #now: () => Date
  readonly #random: RandomBytes

  constructor({ database, now, random }: ImportDependencies) {
    this.#database = database
    this.#now = now
    this.#random = random
  }

  /** Keeps a file with what an import of it would do, and returns the id. Throws a `Refusal` for one that is too long. */
  async add(
    business: BusinessKey,
    { kind, text, by }: { readonly kind: ImportKind; readonly text: string; readonly by: string },
    chosen: ChosenImport = {}
  ): Promise<string> {
    const id = newIdentifier('imp', this.#random)
    await this.#keep({ id, business, kind, by, text, createdAt: this.#at() }, chosen)
    return id
  }

  /** Reads a file again, which is not imported yet, with other columns. Throws a `Refusal` for an unknown one. */
  async choose(business: BusinessKey, id: string, chosen: ChosenImport): Promise<void> {
    const found = await this.find(business, id)
    const [row] = await this.#database.read('SELECT text FROM import_files WHERE id = $1', [id])
    if (found?.state !== 'previewed' || row === undefined) throw unknownImport()
    await this.#keep({ ...found, text: v.parse(textRow, row).text }, chosen)
  }

  async #keep(
    file: Pick<StoredImport, 'id' | 'business' | 'kind' | 'by' | 'createdAt'> & { readonly text: string },
    chosen: ChosenImport
  ): Promise<void> {
    const { id, business, kind, by, createdAt, text } = file
    const parsed = await this.#parse(business, kind, text, chosen)
    const { added, known, credited, points } = await this.#preview(business, parsed)
    const lines = parsed.refused.map(({ line, fault, sameAs, cells }) => [line, fault, sameAs, cells])
    await this.#database.transaction(async (queries) => {
      const other = await queries.read(`SELECT id FROM imports WHERE id = $1 AND state <> 'previewed'`, [id])
      if (other.length > 0) return
      await removeImport(queries, id)
      await queries.write(
        `INSERT INTO imports (id, business, kind, state, made_by, created_at, updated_at, usable, refused,
           added, known, credited, points, file_points, choice, with_erased)
         VALUES ($1, $2, $3, 'previewed', $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
        [
          ...[id, business, kind, by, createdAt, this.#at(), parsed.rows.length, parsed.refused.length],
          ...[added, known, credited, points, parsed.kind === 'customers' ? sumOfPoints(parsed.rows) : 0],
          ...[JSON.stringify(parsed.choice), chosen.withErased === true ? 1 : 0]
        ]
      )
      await queries.write('INSERT INTO import_files (id, text, preview, refusals) VALUES ($1, $2, $3, $4)', [
        ...[id, text, JSON.stringify(previewOf(parsed))],
        JSON.stringify({ columns: parsed.columns, lines })
      ])
    })
  }

  async #parse(
    business: BusinessKey,
    kind: ImportKind,
    text: string,
    { choice, withErased }: ChosenImport
  ): Promise<ParsedImport> {
    const [row] = await this.#database.read('SELECT country FROM businesses WHERE business = $1', [business])
    const { country } = v.parse(countryRow, row)
    const parsed = await parseImport(kind, text, { country, chosen: choice ?? null })
    return withoutErased(parsed, await erasedTest(this.#database, business), withErased === true)
  }

  async #preview(business: BusinessKey, parsed: ParsedImport): Promise<ImportCounts> {
    let counts = NO_COUNTS
    for (let lastLine = 0; ;) {
      const batch = batchAfter(parsed, lastLine, this.#random)
      const last = batch.rows.at(-1)
      if (last === undefined) return counts
      lastLine = last.line
      counts = addCounts(counts, await previewBatch(this.#database, business, batch))
      await setImmediate()
    }
  }

  /** Returns an import, or null. */
  async find(business: BusinessKey, id: string): Promise<StoredImport | null> {
    const [row] = await this.#database.read(
      `SELECT ${COLUMNS} FROM imports WHERE business = $1 AND id = $2`,
      [business, id]
    )
    return row === undefined ? null : v.parse(importRow, row)
  }

  /** Returns the newest imports. */
  async list(business: BusinessKey): Promise<readonly StoredImport[]> {
    const rows = await this.#database.read(
      `SELECT ${COLUMNS} FROM imports WHERE business = $1 ORDER BY created_at DESC, id LIMIT ${String(LISTED)}`,
      [business]
    )
    return rows.map((row) => v.parse(importRow, row))
  }

  /** Returns the imports of every business that are under way. */
  async running(): Promise<readonly StoredImport[]> {
    const rows = await this.#database.read(`SELECT ${COLUMNS} FROM imports WHERE state = 'running'`)
    return rows.map((row) => v.parse(importRow, row))
  }

  /** Returns the lines that were refused, in their order. */
  async refusedLines({ id }: Pick<StoredImport, 'id'>): Promise<RefusedLines> {
    const [row] = await this.#database.read('SELECT refusals FROM import_files WHERE id = $1', [id])
    if (row === undefined) return { columns: [], lines: [] }
    const { columns, lines } = v.parse(refusalsRow, row).refusals
    return { columns, lines: lines.map(([line, fault, sameAs, cells]) => ({ line, fault, sameAs, cells })) }
  }

  /** Returns what a preview shows; null when the import is done. */
  async preview({ id }: Pick<StoredImport, 'id'>): Promise<ImportPreview | null> {
    const [row] = await this.#database.read('SELECT preview FROM import_files WHERE id = $1', [id])
    const text = row === undefined ? '' : v.parse(previewRow, row).preview
    return text === '' ? null : v.parse(previewJson, text)
  }

  /** Returns what can be imported of the file; null when it was removed. */
  async parsed({ id, business, kind, choice, withErased }: StoredImport): Promise<ParsedImport | null> {
    const [row] = await this.#database.read('SELECT text FROM import_files WHERE id = $1', [id])
    if (row === undefined) return null
    return this.#parse(business, kind, v.parse(textRow, row).text, { choice, withErased })
  }

  /** Begins an import, or goes on with one that was stopped. Throws a `Refusal` for an unknown one. */
  async start(business: BusinessKey, id: string): Promise<void> {
    await this.#database.write(
      `UPDATE imports SET state = 'running', updated_at = $3,
         added = CASE state WHEN 'previewed' THEN 0 ELSE added END,
         known = CASE state WHEN 'previewed' THEN 0 ELSE known END,
         credited = CASE state WHEN 'previewed' THEN 0 ELSE credited END,
         points = CASE state WHEN 'previewed' THEN 0 ELSE points END
       WHERE business = $1 AND id = $2 AND state IN ('previewed', 'stopped')`,
      [business, id, this.#at()]
    )
    if ((await this.find(business, id)) === null) throw unknownImport()
  }

  /** Stops an import after the lines that are being written. What was imported stays. */
  async stop(business: BusinessKey, id: string): Promise<void> {
    await this.#database.write(
      `UPDATE imports SET state = 'stopped', updated_at = $3 WHERE business = $1 AND id = $2 AND state = 'running'`,
      [business, id, this.#at()]
    )
  }

  /** Removes an import that is not under way, and its file. What was imported stays. */
  async remove(business: BusinessKey, id: string): Promise<void> {
    const found = await this.find(business, id)
    if (found !== null && found.state !== 'running')
      await this.#database.transaction((queries) => removeImport(queries, id))
  }

  /** Removes old files and results, but for those of imports that are under way. Call now and then. */
  async clean(): Promise<void> {
    const before = (days: number): string => new Date(this.#now().getTime() - days * DAY_MS).toISOString()
    const rows = await this.#database.read(
      `SELECT ${COLUMNS} FROM imports
       WHERE created_at < $1 AND state <> 'running' AND (state <> 'done' OR created_at < $2)`,
      [before(FILE_DAYS), before(RESULT_DAYS)]
    )
    for (const { id } of rows.map((row) => v.parse(importRow, row))) {
      await this.#database.transaction((queries) => removeImport(queries, id))
    }
    const done = await this.#database.read(
      `SELECT ${COLUMNS} FROM imports WHERE created_at < $1 AND state = 'done' AND refused > 0`,
      [before(FILE_DAYS)]
    )
    for (const { id } of done.map((row) => v.parse(importRow, row))) {
      const { columns, lines } = await this.refusedLines({ id })
      const bare = lines.map(({ line, fault, sameAs }) => [line, fault, sameAs, []])
      await this.#database.write('UPDATE import_files SET refusals = $2 WHERE id = $1', [
        id,
        JSON.stringify({ columns, lines: bare })
      ])
    }
  }

  /**
   * Imports the lines after those that are done, once: of two processes that do so at the same time, and of two runs of
   * the transaction, one finds the lines done. Ends the import, and removes its file, after the last line.
   */
  async advance({ id, business, by, lastLine }: StoredImport, parsed: ParsedImport): Promise<void> {
    const batch = batchAfter(parsed, lastLine, this.#random)
    const last = batch.rows.at(-1)?.line ?? lastLine
    const isDone = last === (parsed.rows.at(-1)?.line ?? 0)
    const at = this.#at()
    await this.#database.transaction(async (queries) => {
      const taken = await queries.write(
        `UPDATE imports SET last_line = $3, updated_at = $4, state = $5
         WHERE id = $1 AND last_line = $2 AND state = 'running' RETURNING id`,
        [id, lastLine, last, at, isDone ? 'done' : 'running']
      )
      if (taken.length === 0) return
      const { added, known, credited, points } = await importBatch(queries, business, batch, { at, by })
      await queries.write(
        `UPDATE imports SET added = added + $2, known = known + $3, credited = credited + $4, points = points + $5
         WHERE id = $1`,
        [id, added, known, credited, points]
      )
      if (isDone) await queries.write(`UPDATE import_files SET text = '', preview = '' WHERE id = $1`, [id])
    })
  }

  #at(): string {
    return this.#now().toISOString()
  }
}

const removeImport = async (queries: Queries, id: string): Promise<void> => {
  await queries.write('DELETE FROM import_files WHERE id = $1', [id])
  await queries.write('DELETE FROM imports WHERE id = $1', [id])
}
