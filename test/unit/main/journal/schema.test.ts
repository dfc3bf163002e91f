import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  hasOwnSchema,
  migrate,
  NewerSchemaError,
  SCHEMA_VERSION,
  versionOf,
  lastShutdown
} from '../../../../electron/main/journal/schema.ts'

function createDatabase(): DatabaseSync {
  const database = new DatabaseSync(':memory:')
  onTestFinished(() => database.close())
  return database
}

describe('migrate', () => {
  it('creates the tables in an empty file', () => {
    const database = createDatabase()
    expect(versionOf(database)).toBe(0)
    migrate(database)
    expect(versionOf(database)).toBe(SCHEMA_VERSION)
    expect(database.prepare('SELECT count(*) AS count FROM slips').get()).toEqual({ count: 0 })
    expect(lastShutdown(database)).toBe('unclean')
  })

  it('leaves a file of the current version as it is', () => {
    const database = createDatabase()
    migrate(database)
    database.exec('UPDATE shutdown SET clean = 1')
    migrate(database)
    expect(lastShutdown(database)).toBe('clean')
  })

  it('writes nothing when a step fails', () => {
    const database = createDatabase()
    // Conflicts with the last table of the step.
    database.exec('CREATE TABLE shutdown (x)')
    expect(() => migrate(database)).toThrow('shutdown')
    expect(versionOf(database)).toBe(0)
    const tables = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all()
    expect(tables).toEqual([{ name: 'shutdown' }])
  })

  it('throws NewerSchemaError for a file of a newer version', () => {
    const database = createDatabase()
    database.exec(`PRAGMA user_version = ${String(SCHEMA_VERSION + 1)}`)
    expect(() => migrate(database)).toThrow(NewerSchemaError)
  })
})

describe('hasOwnSchema', () => {
  const own = (change = ''): DatabaseSync => {
    const database = createDatabase()
    // Lets a change edit the schema itself.
    database.enableDefensive(false)
    migrate(database)
    database.exec(change)
    return database
  }
  const trigger = 'AFTER INSERT ON slips BEGIN UPDATE slips SET points = 500; END'

  it('is true for what migrate creates', () => {
    expect(hasOwnSchema(own())).toBe(true)
  })

  it.each([
    ['a trigger', `CREATE TRIGGER other ${trigger}`],
    ["a trigger with a name like SQLite's statistics", `CREATE TRIGGER sqlite0stat1 ${trigger}`],
    ['a view', 'CREATE VIEW "sqlite-stat" AS SELECT 1'],
    ['a virtual table', 'CREATE VIRTUAL TABLE "sqlite stat" USING fts5 (name)'],
    ['a table', 'CREATE TABLE sqlitestatistics (x)'],
    ["SQLite's statistics, which the till does not collect", 'ANALYZE'],
    ['an index of an expression', 'CREATE INDEX "sqlite+stat" ON slips (points * 2)'],
    ['a generated column', 'ALTER TABLE slips ADD COLUMN more INTEGER AS (points * 2)'],
    ['a column with a default', "ALTER TABLE batches ADD COLUMN more TEXT DEFAULT 'x'"],
    [
      'another condition',
      `PRAGMA writable_schema = ON;
       UPDATE sqlite_schema SET sql = replace(sql, 'json_valid(snapshot)', 'points < 5');
       PRAGMA writable_schema = RESET`
    ],
    [
      'another collation',
      `PRAGMA writable_schema = ON;
       UPDATE sqlite_schema SET sql = replace(sql, 'code             TEXT', 'code TEXT COLLATE RTRIM');
       PRAGMA writable_schema = RESET`
    ],
    ['no index', 'DROP INDEX slips_state']
  ])('is false with %s', (_, change) => {
    expect(hasOwnSchema(own(change))).toBe(false)
  })

  it('is false for texts in UTF-16, which sort otherwise', () => {
    const database = createDatabase()
    database.exec(`PRAGMA encoding = 'UTF-16le'`)
    migrate(database)
    expect(hasOwnSchema(database)).toBe(false)
  })
})

it('each table has mode and business, or belongs to a slip, or to none', () => {
  const database = createDatabase()
  migrate(database)
  const hasColumn = database.prepare('SELECT 1 FROM pragma_table_info(?) WHERE name = ?')
  const withoutOwner = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !['training', 'business_id'].every((column) => hasColumn.get(name, column)))
    .filter((name) => !/^(?:sqlite|slip_search)_/.test(name))
  expect(withoutOwner.toSorted()).toEqual(['copies', 'identity', 'logos', 'shutdown', 'slip_search'])
})
