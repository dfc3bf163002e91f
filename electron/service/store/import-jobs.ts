/** Imports with their file, what a preview shows of it, and their progress. */
import { setImmediate } from 'node:timers/promises'
import * as v from 'valibot'
import type { BusinessKey } from '../domain/businesses.ts'
import { newIdentifier, type RandomBytes } from '../domain/identifiers.ts'
import { readTable, type ColumnChoice, type ImportKind } from '../domain/import-columns.ts'
import { parseImport, withoutErased, type ParsedImport, type ReportLines } from '../domain/imports.ts'
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
import {
  IMPORT_COLUMNS,
  previewOf,
  stringifyPreview,
  stringifyRefusals,
  refusedLinesOf,
  storedImportOf,
  type ImportPreview,
  type RefusedLines,
  type StoredImport
} from './stored-import.ts'

const textRow = v.object({ text: v.string() })
const countryRow = v.object({ country: v.string() })

const DAY_MS = 86_400_000
/** How long a file that is not imported is kept, and the counts of one that is. */
const FILE_DAYS = 1
const RESULT_DAYS = 30

/** Imports that a list has. */
const LISTED = 10

/** Lines that are parsed between two looks at whether the file is still to be read: some 50 ms. */
const REPORTED_LINES = 2000

/** What an owner says of a file. */
interface ChosenImport {
  /** guessed without any column */
  readonly choice?: ColumnChoice
  /** whether customers who were erased are imported, too */
  readonly withErased?: boolean
}

/** Thrown to end the reading of a file that was discarded meanwhile. */
class ReadingEndedError extends Error {}

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

  /** Keeps a file, to be read, and returns the id. Throws a `Refusal` for one that is too long. */
  async add(
    business: BusinessKey,
    { kind, text, by }: { readonly kind: ImportKind; readonly text: string; readonly by: string },
    { choice = {}, withErased = false }: ChosenImport = {}
  ): Promise<string> {
    const { rows } = await readTable(kind, text, await this.#countryOf(business))
    const id = newIdentifier('imp', this.#random)
    const at = this.#at()
    await this.#database.transaction(async (queries) => {
      await removeImport(queries, id)
      await queries.write(
        `INSERT INTO imports (id, business, kind, state, made_by, created_at, updated_at, usable, refused,
           added, known, credited, points, file_points, choice, with_erased)
         VALUES ($1, $2, $3, 'reading', $4, $5, $5, $8, 0, 0, 0, 0, 0, 0, $6, $7)`,
        [id, business, kind, by, at, JSON.stringify(choice), withErased ? 1 : 0, rows.length]
      )
      await queries.write('INSERT INTO import_files (id, text, preview, refusals) VALUES ($1, $2, $3, $4)', [
        ...[id, text, '', stringifyRefusals({ columns: [], lines: [] })]
      ])
    })
    return id
  }

  /**
   * Lets a file that is not imported yet be read again, with other columns; done already while it is read with these. Throws a
   * `Refusal` for an unknown one.
   */
  async choose(
    business: BusinessKey,
    id: string,
    { choice = {}, withErased = false }: ChosenImport
  ): Promise<void> {
    const chosen = await this.#database.write(
      `UPDATE imports SET state = 'reading', updated_at = $3, usable = usable + refused, refused = 0, added = 0, known = 0,
         credited = 0, points = 0, file_points = 0, choice = $4, with_erased = $5
       WHERE business = $1 AND id = $2
         AND (state = 'previewed' OR (state = 'reading' AND choice = $4 AND with_erased = $5)) RETURNING id`,
      [business, id, this.#at(), JSON.stringify(choice), withErased ? 1 : 0]
    )
    if (chosen.length === 0) throw unknownImport()
  }

  /**
   * Reads a file for its preview, and stores meanwhile how many lines are done, as those that are added. Ends when the file is
   * discarded. Does nothing in another state. Resolves with what can be imported, or null.
   * @param isEnded whether to leave it to the next start
   */
  async read(
    { business, id }: Pick<StoredImport, 'business' | 'id'>,
    isEnded = (): boolean => false
  ): Promise<ParsedImport | null> {
    const found = await this.find(business, id)
    if (found?.state !== 'reading') return null
    const report = async (done: number): Promise<void> => {
      const reading = await this.#database.write(
        `UPDATE imports SET added = $2, updated_at = $3 WHERE id = $1 AND state = 'reading' RETURNING id`,
        [id, done, this.#at()]
      )
      if (reading.length === 0 || isEnded()) throw new ReadingEndedError()
    }
    try {
      const parsed = await this.parsed(found, async (done) => {
        if (done % REPORTED_LINES === 0) await report(done)
      })
      if (parsed === null) return null
      const counts = await this.#preview(found, parsed, () => report(found.usable))
      await this.#keepPreview(found, parsed, counts)
      return parsed
    } catch (error) {
      if (!(error instanceof ReadingEndedError)) throw error
      return null
    }
  }

  async #keepPreview({ id }: StoredImport, parsed: ParsedImport, counts: ImportCounts): Promise<void> {
    const { added, known, credited, points } = counts
    await this.#database.transaction(async (queries) => {
      const read = await queries.write(
        `UPDATE imports SET state = 'previewed', updated_at = $2, usable = $3, refused = $4, added = $5, known = $6,
           credited = $7, points = $8, file_points = $9, choice = $10
         WHERE id = $1 AND state = 'reading' RETURNING id`,
        [
          ...[id, this.#at(), parsed.rows.length, parsed.refused.length, added, known, credited, points],
          ...[parsed.kind === 'customers' ? sumOfPoints(parsed.rows) : 0, JSON.stringify(parsed.choice)]
        ]
      )
      if (read.length === 0) return
      await queries.write('UPDATE import_files SET preview = $2, refusals = $3 WHERE id = $1', [
        ...[
          id,
          stringifyPreview(parsed),
          stringifyRefusals({ columns: parsed.columns, lines: parsed.refused })
        ]
      ])
    })
  }

  async #countryOf(business: BusinessKey): Promise<string> {
    const [row] = await this.#database.read('SELECT country FROM businesses WHERE business = $1', [business])
    return v.parse(countryRow, row).country
  }

  async #preview(
    { business }: StoredImport,
    parsed: ParsedImport,
    report: () => Promise<void>
  ): Promise<ImportCounts> {
    let counts = NO_COUNTS
    for (let lastLine = 0; ;) {
      const batch = batchAfter(parsed, lastLine, { now: this.#now, random: this.#random })
      const last = batch.rows.at(-1)
      if (last === undefined) return counts
      lastLine = last.line
      counts = addCounts(counts, await previewBatch(this.#database, business, batch))
      await setImmediate()
      await report()
    }
  }

  /** Returns an import, or null. */
  async find(business: BusinessKey, id: string): Promise<StoredImport | null> {
    const [row] = await this.#database.read(
      `SELECT ${IMPORT_COLUMNS} FROM imports WHERE business = $1 AND id = $2`,
      [business, id]
    )
    return row === undefined ? null : storedImportOf(row)
  }

  /** Returns the newest imports. */
  async list(business: BusinessKey): Promise<readonly StoredImport[]> {
    const rows = await this.#database.read(
      `SELECT ${IMPORT_COLUMNS} FROM imports WHERE business = $1 ORDER BY created_at DESC, id LIMIT ${String(LISTED)}`,
      [business]
    )
    return rows.map((row) => storedImportOf(row))
  }

  /** Returns the imports of every business that are under way, and those whose file is being read. */
  async running(): Promise<readonly StoredImport[]> {
    const rows = await this.#database.read(
      `SELECT ${IMPORT_COLUMNS} FROM imports WHERE state IN ('reading', 'running')`
    )
    return rows.map((row) => storedImportOf(row))
  }

  /** Returns the lines that were refused, in their order. */
  async refusedLines({ id }: Pick<StoredImport, 'id'>): Promise<RefusedLines> {
    const [row] = await this.#database.read('SELECT refusals FROM import_files WHERE id = $1', [id])
    return row === undefined ? { columns: [], lines: [] } : refusedLinesOf(row)
  }

  /** Returns what a preview shows; null before the file is read, and when the import is done. */
  async preview({ id }: Pick<StoredImport, 'id'>): Promise<ImportPreview | null> {
    const [row] = await this.#database.read('SELECT preview FROM import_files WHERE id = $1', [id])
    return row === undefined ? null : previewOf(row)
  }

  /** Returns what can be imported of the file; null when it was removed. */
  async parsed(
    { id, business, kind, choice: chosen, withErased }: StoredImport,
    report?: ReportLines
  ): Promise<ParsedImport | null> {
    const [row] = await this.#database.read('SELECT text FROM import_files WHERE id = $1', [id])
    if (row === undefined) return null
    const country = await this.#countryOf(business)
    const options = { country, chosen, ...(report === undefined ? {} : { report }) }
    const parsed = await parseImport(kind, v.parse(textRow, row).text, options)
    return withoutErased(parsed, await erasedTest(this.#database, business), withErased)
  }

  /**
   * Begins an import, or goes on with one that was stopped. Returns whether it is under way or done: not while its file is read,
   * nor when the preview is another one than that of the moment `shown`. Throws a `Refusal` for an unknown one.
   */
  async start(business: BusinessKey, id: string, shown?: string): Promise<boolean> {
    await this.#database.write(
      `UPDATE imports SET state = 'running', updated_at = $3,
         added = CASE state WHEN 'previewed' THEN 0 ELSE added END,
         known = CASE state WHEN 'previewed' THEN 0 ELSE known END,
         credited = CASE state WHEN 'previewed' THEN 0 ELSE credited END,
         points = CASE state WHEN 'previewed' THEN 0 ELSE points END
       WHERE business = $1 AND id = $2 AND (state = 'stopped' OR (state = 'previewed' AND coalesce($4, updated_at) = updated_at))`,
      [business, id, this.#at(), shown ?? null]
    )
    const found = await this.find(business, id)
    if (found === null) throw unknownImport()
    return found.state !== 'reading' && found.state !== 'previewed'
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
      `SELECT ${IMPORT_COLUMNS} FROM imports
       WHERE created_at < $1 AND state <> 'running' AND (state <> 'done' OR created_at < $2)`,
      [before(FILE_DAYS), before(RESULT_DAYS)]
    )
    for (const { id } of rows.map((row) => storedImportOf(row))) {
      await this.#database.transaction((queries) => removeImport(queries, id))
    }
    const done = await this.#database.read(
      `SELECT ${IMPORT_COLUMNS} FROM imports WHERE created_at < $1 AND state = 'done' AND refused > 0`,
      [before(FILE_DAYS)]
    )
    for (const { id } of done.map((row) => storedImportOf(row))) {
      const { columns, lines } = await this.refusedLines({ id })
      const bare = lines.map((line) => ({ ...line, cells: [] }))
      await this.#database.write('UPDATE import_files SET refusals = $2 WHERE id = $1', [
        id,
        stringifyRefusals({ columns, lines: bare })
      ])
    }
  }

  /**
   * Imports the lines after those that are done, once: of two processes that do so at the same time, and of two runs of
   * the transaction, one finds the lines done. Ends the import, and removes its file, after the last line.
   */
  async advance({ id, business, by, lastLine }: StoredImport, parsed: ParsedImport): Promise<void> {
    const batch = batchAfter(parsed, lastLine, { now: this.#now, random: this.#random })
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
