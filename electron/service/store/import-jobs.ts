/** Imports that somebody watches: their file, their progress, and what runs them. */
import { setImmediate, setTimeout as wait } from 'node:timers/promises'
import * as v from 'valibot'
import type { BusinessKey } from '../domain/businesses.ts'
import { newIdentifier, type RandomBytes } from '../domain/identifiers.ts'
import {
  IMPORT_KINDS,
  LINE_FAULTS,
  parseImport,
  type ImportKind,
  type ParsedImport,
  type RefusedLine
} from '../domain/imports.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Database, Queries } from './database.ts'
import { addCounts, batchAfter, importBatch, NO_COUNTS, previewBatch, type ImportCounts } from './imports.ts'

const STATES = ['previewed', 'running', 'stopped', 'done'] as const

/** An import without its file. */
export type StoredImport = v.InferOutput<typeof importRow>

const importRow = v.object({
  id: v.string(),
  business: v.number(),
  kind: v.picklist(IMPORT_KINDS),
  state: v.picklist(STATES),
  by: v.string(),
  createdAt: v.string(),
  updatedAt: v.string(),
  usable: v.number(),
  refused: v.number(),
  lastLine: v.number(),
  added: v.number(),
  known: v.number(),
  credited: v.number()
})
const COLUMNS = `id, business, kind, state, made_by AS "by", created_at AS "createdAt", updated_at AS "updatedAt",
  usable, refused, last_line AS "lastLine", added, known, credited`

const textRow = v.object({ text: v.string() })
const refusalsRow = v.object({
  refusals: v.pipe(
    v.string(),
    v.parseJson(),
    v.array(v.tuple([v.number(), v.picklist(LINE_FAULTS), v.nullable(v.number())]))
  )
})

const DAY_MS = 86_400_000
/** How long a file that is not imported is kept, and the counts of one that is. */
const FILE_DAYS = 1
const RESULT_DAYS = 30

/** Imports that a list has. */
const LISTED = 10

/** The pause between two batches, in which requests are answered. */
const PAUSE_MS = 10

/** After so long without progress another process goes on with an import. */
const TAKE_OVER_MS = 5000

interface ImportDependencies {
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

  /** Keeps a file with what an import of it would do, and returns the id. Throws a `Refusal` for a file of another form. */
  async add(
    business: BusinessKey,
    { kind, text, by }: { readonly kind: ImportKind; readonly text: string; readonly by: string }
  ): Promise<string> {
    const parsed = await parseImport(kind, text)
    const { added, known, credited } = await this.#preview(business, parsed)
    const id = newIdentifier('imp', this.#random)
    const refusals = parsed.refused.map(({ line, fault, sameAs }) => [line, fault, sameAs])
    await this.#database.transaction(async (queries) => {
      await queries.write(
        `INSERT INTO imports
           (id, business, kind, state, made_by, created_at, updated_at, usable, refused, added, known, credited)
         VALUES ($1, $2, $3, 'previewed', $4, $5, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING`,
        [
          id,
          business,
          kind,
          by,
          this.#at(),
          parsed.rows.length,
          parsed.refused.length,
          added,
          known,
          credited
        ]
      )
      await queries.write(
        'INSERT INTO import_files (id, text, refusals) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
        [id, text, JSON.stringify(refusals)]
      )
    })
    return id
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
  async refusedLines({ id }: StoredImport): Promise<readonly RefusedLine[]> {
    const [row] = await this.#database.read('SELECT refusals FROM import_files WHERE id = $1', [id])
    if (row === undefined) return []
    return v.parse(refusalsRow, row).refusals.map(([line, fault, sameAs]) => ({ line, fault, sameAs }))
  }

  /** Returns what can be imported of the file; null when it was removed. */
  async parsed({ id, kind }: StoredImport): Promise<ParsedImport | null> {
    const [row] = await this.#database.read('SELECT text FROM import_files WHERE id = $1', [id])
    return row === undefined ? null : parseImport(kind, v.parse(textRow, row).text)
  }

  /** Begins an import, or goes on with one that was stopped. Throws a `Refusal` for an unknown one. */
  async start(business: BusinessKey, id: string): Promise<void> {
    await this.#database.write(
      `UPDATE imports SET state = 'running', updated_at = $3,
         added = CASE state WHEN 'previewed' THEN 0 ELSE added END,
         known = CASE state WHEN 'previewed' THEN 0 ELSE known END,
         credited = CASE state WHEN 'previewed' THEN 0 ELSE credited END
       WHERE business = $1 AND id = $2 AND state IN ('previewed', 'stopped')`,
      [business, id, this.#at()]
    )
    if ((await this.find(business, id)) === null) {
      throw new Refusal('import-unknown', 'There is no such import; its file may be older than a day.')
    }
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
      const { added, known, credited } = await importBatch(queries, business, batch, { at, by })
      await queries.write(
        'UPDATE imports SET added = added + $2, known = known + $3, credited = credited + $4 WHERE id = $1',
        [id, added, known, credited]
      )
      if (isDone) await queries.write(`UPDATE import_files SET text = '' WHERE id = $1`, [id])
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

/** Runs the imports that were started, in this process. */
export class ImportRunner {
  readonly store: ImportStore
  readonly #now: () => Date
  readonly #onError: (error: unknown) => void
  /** the imports that this process runs, with the end of each */
  readonly #runs = new Map<string, Promise<void>>()
  /** imports to look at, also when they were stopped and started while their run ends */
  readonly #wanted = new Set<string>()
  #isClosed = false

  constructor({
    onError,
    ...dependencies
  }: ImportDependencies & { readonly onError: (error: unknown) => void }) {
    this.store = new ImportStore(dependencies)
    this.#now = dependencies.now
    this.#onError = onError
  }

  /** Runs an import until its end, or until it is stopped. */
  run({ business, id }: Pick<StoredImport, 'business' | 'id'>): void {
    if (this.#isClosed) return
    this.#wanted.add(id)
    if (!this.#runs.has(id)) this.#runs.set(id, this.#runWanted(business, id))
  }

  /** Goes on with an import that no process seems to run, such as after a crash. */
  takeOver(found: StoredImport): void {
    const age = this.#now().getTime() - Date.parse(found.updatedAt)
    if (found.state === 'running' && age > TAKE_OVER_MS) this.run(found)
  }

  /** Goes on with all imports that are under way. Two processes that run one do no harm. */
  async resume(): Promise<void> {
    for (const found of await this.store.running()) this.run(found)
  }

  /** Ends after the lines that are being written. The imports go on in another process, or at the next start. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.#runs.values())
  }

  async #runWanted(business: BusinessKey, id: string): Promise<void> {
    try {
      while (this.#wanted.delete(id)) await this.#runOnce(business, id)
    } catch (error) {
      this.#onError(error)
    }
    this.#runs.delete(id)
  }

  async #runOnce(business: BusinessKey, id: string): Promise<void> {
    let parsed: ParsedImport | null = null
    while (!this.#isClosed) {
      const found = await this.store.find(business, id)
      if (found?.state !== 'running') return
      parsed ??= await this.store.parsed(found)
      if (parsed === null) return
      await this.store.advance(found, parsed)
      await wait(PAUSE_MS)
    }
  }
}
