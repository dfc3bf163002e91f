/**
 * Copies all businesses from one database to another, of either kind. The tables are read from the schema that the
 * migrations make, so that a table that a later migration adds is copied, too.
 */
import { setImmediate } from 'node:timers/promises'
import * as v from 'valibot'
import { Refusal } from '../domain/refusal.ts'
import type { Database, Queries } from './database.ts'
import type { SqlValue } from './rows.ts'
import { openSqlite } from './sqlite.ts'
import { verifyLedger } from './verify.ts'

interface Table {
  readonly name: string
  readonly columns: readonly string[]
  /** those of the columns that hold whole numbers */
  readonly numbers: readonly string[]
  /** the primary key, by which rows are read in order */
  readonly key: readonly string[]
  /** other tables whose rows its rows refer to */
  readonly refersTo: readonly string[]
  /** columns that refer to another row of this table, which has a smaller key or refers to none itself */
  readonly ownReferences: readonly string[]
}

/** Copied rows of a table, in words for people. */
export interface CopiedTable {
  readonly table: string
  readonly rows: number
}

/** Rows that are read at a time. */
const BATCH = 2000

const nameRow = v.object({ name: v.string() })
const columnRow = v.object({ name: v.string(), type: v.string(), pk: v.number() })
const referenceRow = v.object({ column: v.string(), target: v.string() })
const anyRow = v.record(v.string(), v.union([v.string(), v.number(), v.null()]))
const countRow = v.object({ count: v.number() })

/** The tables of the schema, each after those that it refers to; without sums that are counted again. */
const readTables = async (): Promise<readonly Table[]> => {
  const schema = await openSqlite(':memory:')
  const tables: Table[] = []
  const names = await schema.read(
    `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%'
       AND name <> 'day_sums' ORDER BY name`
  )
  for (const { name } of names.map((row) => v.parse(nameRow, row))) {
    const columns = (
      await schema.read('SELECT name, type, pk FROM pragma_table_info($1) ORDER BY cid', [name])
    ).map((row) => v.parse(columnRow, row))
    const references = (
      await schema.read(
        'SELECT "from" AS "column", "table" AS target FROM pragma_foreign_key_list($1) ORDER BY id',
        [name]
      )
    ).map((row) => v.parse(referenceRow, row))
    const key = columns.filter(({ pk }) => pk > 0).toSorted((one, other) => one.pk - other.pk)
    tables.push({
      name,
      columns: columns.map((column) => column.name),
      numbers: columns.filter(({ type }) => type === 'INTEGER').map((column) => column.name),
      key: key.map((column) => column.name),
      refersTo: references.map(({ target }) => target).filter((target) => target !== name),
      ownReferences: references.filter(({ target }) => target === name).map(({ column }) => column)
    })
  }
  await schema.close()
  return inOrder(tables)
}

const inOrder = (tables: readonly Table[]): readonly Table[] => {
  const ordered: Table[] = []
  while (ordered.length < tables.length) {
    const names = new Set(ordered.map(({ name }) => name))
    const next = tables.filter(
      ({ name, refersTo }) => !names.has(name) && refersTo.every((target) => names.has(target))
    )
    if (next.length === 0) throw new Error('tables refer to each other in a circle')
    ordered.push(...next)
  }
  return ordered
}

/** Counts the rows of a table. */
const countRows = async (queries: Queries, { name }: Table): Promise<number> => {
  const rows = await queries.read(`SELECT CAST(count(*) AS BIGINT) AS count FROM ${name}`, [], {
    isLong: true
  })
  return v.parse(countRow, rows[0]).count
}

/** The number of rows, and of each column its sum of numbers or lengths, as one text. Equal tables have equal ones. */
const totalsOf = async (queries: Queries, table: Table): Promise<string> => {
  const sums = table.columns.map((column) =>
    // Keys are large: their sum would not fit.
    table.numbers.includes(column) ? `sum(${column} % 1000003)` : `sum(length(${column}))`
  )
  const rows = await queries.read(
    `SELECT ${['count(*)', ...sums].map((sum, index) => `CAST(${sum} AS TEXT) AS c${index}`).join(', ')} FROM ${table.name}`,
    [],
    { isLong: true }
  )
  return JSON.stringify(rows[0])
}

/** Reads a table in the order of its key, first the rows that refer to no other of it. */
async function* readRows(
  queries: Queries,
  table: Table
): AsyncGenerator<readonly v.InferOutput<typeof anyRow>[]> {
  const { name, columns, key, ownReferences } = table
  const refersToNone = ownReferences.map((column) => `${column} IS NULL`).join(' AND ')
  const passes = refersToNone === '' ? ['1 = 1'] : [refersToNone, `NOT (${refersToNone})`]
  const parameters = key.map((_, index) => `$${index + 1}`).join(', ')
  for (const pass of passes) {
    let last: readonly SqlValue[] | null = null
    for (;;) {
      const after: string = last === null ? '' : `AND (${key.join(', ')}) > (${parameters})`
      const rows: readonly v.InferOutput<typeof anyRow>[] = (
        await queries.read(
          `SELECT ${columns.join(', ')} FROM ${name} WHERE ${pass} ${after} ORDER BY ${key.join(', ')} LIMIT ${BATCH}`,
          last ?? [],
          { isLong: true }
        )
      ).map((row) => v.parse(anyRow, row))
      if (rows.length > 0) yield rows
      const end = rows.at(-1)
      if (end === undefined || rows.length < BATCH) break
      last = key.map((column) => end[column] ?? null)
    }
  }
}

const insertRows = async (
  queries: Queries,
  { name, columns }: Table,
  rows: readonly v.InferOutput<typeof anyRow>[]
): Promise<void> => {
  const { rowsPerInsert } = queries.dialect
  for (let from = 0; from < rows.length; from += rowsPerInsert) {
    const part = rows.slice(from, from + rowsPerInsert)
    const lines = part.map(
      (_, row) => `(${columns.map((_column, index) => `$${row * columns.length + index + 1}`).join(', ')})`
    )
    await queries.write(
      `INSERT INTO ${name} (${columns.join(', ')}) VALUES ${lines.join(', ')}`,
      part.flatMap((row) => columns.map((column) => row[column] ?? null))
    )
  }
}

/** Fills the search index, unless the database does so itself. */
const indexCustomers = async (queries: Queries): Promise<void> => {
  const { addToSearchIndex } = queries.dialect
  if (addToSearchIndex === null) return
  await queries.write(addToSearchIndex, [0, Number.MAX_SAFE_INTEGER])
}

/**
 * Copies everything into `target`, in one transaction that ends after counts, sums and the ledger have been compared.
 * Rejects, with `target` as it was, if it has data already, if `source` changed meanwhile, and with the reason of
 * `signal` when it is aborted.
 */
export const copyDatabase = async (
  source: Database,
  target: Database,
  report: (table: string, done: number, total: number) => void,
  signal?: AbortSignal
): Promise<readonly CopiedTable[]> => {
  const tables = await readTables()
  const throwIfAborted = async (): Promise<void> => {
    // The statements of SQLite keep signals waiting.
    await setImmediate()
    signal?.throwIfAborted()
  }
  return target.transaction(async (queries) => {
    for (const table of tables) {
      if ((await countRows(queries, table)) > 0) {
        throw new Refusal(
          'place-unsuitable',
          `The target has data already (${table.name}); copy to an empty one.`
        )
      }
    }
    const copied: CopiedTable[] = []
    for (const table of tables) {
      const total = await countRows(source, table)
      let done = 0
      for await (const rows of readRows(source, table)) {
        await insertRows(queries, table, rows)
        done += rows.length
        report(table.name, done, total)
        await throwIfAborted()
      }
      copied.push({ table: table.name, rows: done })
      for (const statement of queries.dialect.continueCounting(table.name, table.key)) {
        await queries.write(statement)
      }
    }
    await indexCustomers(queries)
    for (const table of tables) {
      await throwIfAborted()
      if ((await totalsOf(source, table)) !== (await totalsOf(queries, table))) {
        throw new Refusal(
          'place-unsuitable',
          `${table.name} changed meanwhile: stop the service and copy again.`
        )
      }
    }
    const [fault] = await verifyLedger(queries)
    if (fault !== undefined) throw new Refusal('ledger-wrong', `The ledger is wrong: ${fault.check}.`)
    await throwIfAborted()
    return copied
  })
}
