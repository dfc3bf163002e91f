import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  migrate,
  NewerSchemaError,
  SCHEMA_VERSION,
  versionOf,
  lastShutdown
} from '../../../../../electron/main/slips/journal/schema.ts'

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
