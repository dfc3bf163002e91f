/**
 * The slips of programs and those made offline, once more in a file of their own beside the journal. A restored backup does not
 * replace it: the journal takes from it the slips that it lacks, so that a reference gives its first code, and the service is told
 * of each code that the till made, whatever became of the journal.
 */
import { existsSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { searchTokens } from './history.ts'
import { isDamageError, transaction } from './sqlite.ts'

/** Returns the path of the file that belongs to a journal. */
export const programSlipsFile = (journalFile: string): string =>
  join(dirname(journalFile), 'program-slips.sqlite')

/** Suffixes of SQLite's files beside a database. */
const COMPANIONS = ['-wal', '-shm', '-journal']

/** Rows that may differ after a power cut between the commits of the two files. */
const UNCERTAIN_ROWS = 1000

/** Which kept rows the journal lacks, or has as they were earlier: each change of a row increases its revision. */
const IS_NEWER = `NOT EXISTS (
  SELECT 1 FROM main.slips WHERE slips.intent_id = kept.intent_id AND slips.revision >= kept.revision)`

/** Whether a row of the journal is in both files. */
const isKept = (row: string): string => `(${row}.caller_id IS NOT NULL OR ${row}.offline_day IS NOT NULL)`

/** Temporary triggers, so that each change is in both files before its commit returns; the schema of the journal stays. */
const KEEP_CHANGES = `
  CREATE TEMP TRIGGER keep_request AFTER INSERT ON main.slips WHEN ${isKept('new')}
    BEGIN INSERT OR REPLACE INTO program_slips SELECT * FROM main.slips WHERE number = new.number; END;
  CREATE TEMP TRIGGER keep_change AFTER UPDATE ON main.slips WHEN ${isKept('new')}
    BEGIN INSERT OR REPLACE INTO program_slips SELECT * FROM main.slips WHERE number = new.number; END;
  CREATE TEMP TRIGGER keep_removal AFTER DELETE ON main.slips WHEN ${isKept('old')}
    BEGIN DELETE FROM program_slips WHERE intent_id = old.intent_id; END`

const columnsOf = (database: DatabaseSync, schema: string, table: string): readonly string[] =>
  database
    .prepare('SELECT name FROM pragma_table_info(?, ?) ORDER BY cid')
    .all(table, schema)
    .map(({ name }) => String(name))

const attach = (database: DatabaseSync, file: string): void => {
  database.prepare('ATTACH ? AS programs').run(file)
}

const detach = (database: DatabaseSync): void => {
  const isAttached = database.prepare(`SELECT 1 FROM pragma_database_list WHERE name = 'programs'`).get()
  if (isAttached !== undefined) database.exec('DETACH programs')
}

/** Returns whether the file is attached and has no damage. */
function isIntact(database: DatabaseSync): boolean {
  try {
    return database.prepare('PRAGMA programs.quick_check(1)').get()?.['quick_check'] === 'ok'
  } catch {
    return false
  }
}

/** Copies the rows that the journal lacks, with the search tokens of their customers. */
function adopt(database: DatabaseSync): void {
  // The row that changed last is the newest one: a journal that has it has all others.
  const [newest] = database
    .prepare(
      `SELECT 1 FROM programs.program_slips AS kept
       WHERE rowid = (SELECT max(rowid) FROM programs.program_slips) AND ${IS_NEWER}`
    )
    .all()
  if (newest === undefined) return
  const kept = columnsOf(database, 'programs', 'program_slips')
  const columns = columnsOf(database, 'main', 'slips').filter(
    (name) => name !== 'number' && kept.includes(name)
  )
  const ids = database
    .prepare(`SELECT intent_id FROM programs.program_slips AS kept WHERE ${IS_NEWER}`)
    .all()
    .map(({ intent_id: id }) => String(id))
  const upsert = `
    INSERT INTO main.slips (${columns.join(', ')})
    SELECT ${columns.join(', ')} FROM programs.program_slips AS kept WHERE ${IS_NEWER} ORDER BY number
    ON CONFLICT (intent_id) DO UPDATE SET ${columns.map((name) => `${name} = excluded.${name}`).join(', ')}`
  transaction(database, () => {
    database.exec(upsert)
    const select = database.prepare('SELECT number, customer_name FROM main.slips WHERE intent_id = ?')
    const deleteTokens = database.prepare('DELETE FROM slip_search WHERE rowid = ?')
    const insertTokens = database.prepare('INSERT INTO slip_search (rowid, name) VALUES (?, ?)')
    for (const id of ids) {
      const { number, customer_name: name } = select.get(id) ?? {}
      deleteTokens.run(Number(number))
      const tokens = searchTokens(typeof name === 'string' ? name : '')
      if (tokens.length > 0) insertTokens.run(Number(number), tokens.join(' '))
    }
  })
}

const hasTable = (database: DatabaseSync): boolean =>
  columnsOf(database, 'programs', 'program_slips').length > 0

/** Brings both files to the same rows. */
function synchronize(database: DatabaseSync): void {
  database.exec('PRAGMA programs.journal_mode = WAL; PRAGMA programs.synchronous = FULL')
  if (hasTable(database)) adopt(database)
  const [own, kept] = [columnsOf(database, 'main', 'slips'), columnsOf(database, 'programs', 'program_slips')]
  // A new file, or one of an earlier version of the schema.
  if (own.join() !== kept.join()) {
    transaction(database, () =>
      database.exec(`
        DROP TABLE IF EXISTS programs.program_slips;
        CREATE TABLE programs.program_slips AS SELECT * FROM main.slips WHERE ${isKept('slips')};
        CREATE UNIQUE INDEX programs.program_slips_intent ON program_slips (intent_id)`)
    )
  }
  database.exec(`
    INSERT OR REPLACE INTO programs.program_slips
      SELECT * FROM main.slips WHERE ${isKept('slips')}
        AND number > (SELECT max(number) FROM main.slips) - ${String(UNCERTAIN_ROWS)}
        AND NOT EXISTS (SELECT 1 FROM programs.program_slips AS kept
          WHERE kept.intent_id = slips.intent_id AND kept.revision = slips.revision)`)
}

/**
 * Opens the file with an open journal of the current version: the journal takes the slips that it lacks, and from now on the
 * file takes each change. A damaged file is made again from the journal. Throws as SQLite does.
 */
export function keepProgramSlips(database: DatabaseSync, journalFile: string): void {
  const file = programSlipsFile(journalFile)
  try {
    attach(database, file)
    synchronize(database)
  } catch (error) {
    // The damage may be in the journal.
    if (!isDamageError(error) || isIntact(database)) throw error
    detach(database)
    removeProgramSlips(journalFile)
    attach(database, file)
    synchronize(database)
  }
  database.exec(KEEP_CHANGES)
}

/**
 * Copies the slips that a restored journal lacks, before it takes its place. Returns false when the file is missing or
 * damaged, which is no reason not to restore. Throws as SQLite does.
 */
export function adoptProgramSlips(database: DatabaseSync, journalFile: string): boolean {
  const file = programSlipsFile(journalFile)
  if (!existsSync(file)) return false
  try {
    attach(database, file)
    if (!isIntact(database) || !hasTable(database)) return false
    adopt(database)
    return true
  } catch (error) {
    if (isDamageError(error)) return false
    throw error
  } finally {
    detach(database)
  }
}

/** Deletes the file; the journal, which must be closed, has the same slips. Throws as the file system does. */
export function removeProgramSlips(journalFile: string): void {
  for (const suffix of ['', ...COMPANIONS]) rmSync(programSlipsFile(journalFile) + suffix, { force: true })
}
