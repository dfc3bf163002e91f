import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createGroupCommit } from '../../../../../electron/main/slips/journal/group-commit.ts'
import { temporaryFolder } from '../slip-service-fixture.ts'

/** A group of writes that each add a name; what another connection reads is on the disk. */
function openGroup() {
  const file = join(temporaryFolder(), 'names.db')
  const database = new DatabaseSync(file)
  database.exec('PRAGMA journal_mode = WAL')
  database.exec('CREATE TABLE names (name TEXT NOT NULL UNIQUE CHECK (length(name) < 9)) STRICT')
  // Looked at when the transaction is committed, and not before.
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
  const together = createGroupCommit<typeof add, string>(database, add)
  return { database, together, onDisk }
}

it('tells nobody before all of the turn is on the disk, and then each of its own, in their order', async () => {
  const { together, onDisk } = openGroup()
  const told: [string, unknown[]][] = []
  const asked = ['a', 'b', 'c'].map((name) =>
    together((add) => {
      expect([told, onDisk()]).toEqual([[], []])
      return add(name)
    }).then((row) => told.push([row, onDisk()]))
  )
  await Promise.resolve()
  expect(onDisk()).toEqual([])
  await Promise.all(asked)
  const all = ['a', 'b', 'c']
  expect(told).toEqual([
    ['a', all],
    ['b', all],
    ['c', all]
  ])
})

it('keeps the others of a write that fails, and nothing of that one', async () => {
  const { together, onDisk } = openGroup()
  const results = await Promise.allSettled([
    together((add) => add('a')),
    together((add) => {
      add('half')
      return add('much too long')
    }),
    together((add) => add('c'))
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(onDisk()).toEqual(['a', 'c'])
})

it('fails everybody when the commit fails, and takes the next writes again', async () => {
  const { together, onDisk } = openGroup()
  const results = await Promise.allSettled([
    together((add) => add('a')),
    together((add) => add('of nobody', 'late')),
    together((add) => add('c'))
  ])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(onDisk()).toEqual([])
  expect(await Promise.all(['a', 'b'].map((name) => together((add) => add(name))))).toEqual(['a', 'b'])
  expect(onDisk()).toEqual(['a', 'b'])
})

it('fails everybody when the disk ends the whole transaction, and writes nothing outside of it', async () => {
  const { database, together, onDisk } = openGroup()
  const full = new Error('database or disk is full')
  const results = await Promise.allSettled([
    together((add) => add('a')),
    together(() => {
      // As SQLite does by itself when there is no room.
      database.exec('ROLLBACK')
      throw full
    }),
    together((add) => add('c'))
  ])
  expect(results).toEqual(Array.from({ length: 3 }, () => ({ status: 'rejected', reason: full })))
  expect(onDisk()).toEqual([])
})
