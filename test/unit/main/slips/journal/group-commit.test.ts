import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { GroupCommit } from '../../../../../electron/main/slips/journal/group-commit.ts'
import { temporaryFolder } from '../slip-service-fixture.ts'

/** Creates a group commit of inserts, and a second connection that reads what is on disk. */
function createGroup() {
  const file = join(temporaryFolder(), 'names.db')
  const database = new DatabaseSync(file)
  database.exec('PRAGMA journal_mode = WAL')
  database.exec('CREATE TABLE names (name TEXT NOT NULL UNIQUE CHECK (length(name) < 9)) STRICT')
  // A deferred constraint is checked at the commit.
  database.exec('CREATE TABLE late (name TEXT REFERENCES names (name) DEFERRABLE INITIALLY DEFERRED) STRICT')
  const reader = new DatabaseSync(file, { readOnly: true })
  onTestFinished(() => {
    reader.close()
    database.close()
  })
  const add = (name: string, table = 'names'): string => {
    database.prepare(`INSERT INTO ${table} VALUES (?)`).run(name)
    return name
  }
  const onDisk = (): unknown[] =>
    reader
      .prepare('SELECT name FROM names ORDER BY rowid')
      .all()
      .map(({ name }) => name)
  const group = new GroupCommit<typeof add, string>(database, add)
  return { database, group, onDisk }
}

it('resolves every write of a turn after their common commit, in order', async () => {
  const { group, onDisk } = createGroup()
  const resolved: [string, unknown[]][] = []
  const writes = ['a', 'b', 'c'].map((name) =>
    group
      .add((add) => {
        expect(resolved).toEqual([])
        expect(onDisk()).toEqual([])
        return add(name)
      })
      .then((row) => resolved.push([row, onDisk()]))
  )
  await Promise.resolve()
  expect(onDisk()).toEqual([])
  await Promise.all(writes)
  const all = ['a', 'b', 'c']
  expect(resolved).toEqual([
    ['a', all],
    ['b', all],
    ['c', all]
  ])
})

it('rolls back a failing write, and commits the others', async () => {
  const { group, onDisk } = createGroup()
  const results = await Promise.allSettled([
    group.add((add) => add('a')),
    group.add((add) => {
      add('half')
      return add('much too long')
    }),
    group.add((add) => add('c'))
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(onDisk()).toEqual(['a', 'c'])
})

it('rejects every write when the commit fails, and accepts later writes', async () => {
  const { group, onDisk } = createGroup()
  const results = await Promise.allSettled([
    group.add((add) => add('a')),
    group.add((add) => add('unknown id', 'late')),
    group.add((add) => add('c'))
  ])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(onDisk()).toEqual([])
  expect(await Promise.all(['a', 'b'].map((name) => group.add((add) => add(name))))).toEqual(['a', 'b'])
  expect(onDisk()).toEqual(['a', 'b'])
})

it('rejects every write when SQLite ends the transaction, and writes nothing', async () => {
  const { database, group, onDisk } = createGroup()
  const full = new Error('database or disk is full')
  const results = await Promise.allSettled([
    group.add((add) => add('a')),
    group.add(() => {
      // SQLite does so itself when the disk is full.
      database.exec('ROLLBACK')
      throw full
    }),
    group.add((add) => add('c'))
  ])
  expect(results).toEqual(Array.from({ length: 3 }, () => ({ status: 'rejected', reason: full })))
  expect(onDisk()).toEqual([])
})
