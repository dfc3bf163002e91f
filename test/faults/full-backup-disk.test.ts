/** A disk that fills while the service makes or restores a backup. */
import { cpSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { mountTmpfs, type Tmpfs } from '../support/tmpfs.ts'
import { ServiceProgram } from '../unit/service/cli/program.ts'

const MEGABYTE = 1024 * 1024
/** Of random bytes, which no method makes smaller, so that a backup is as large as the data. */
const DATA_MEGABYTES = 8

const program = new ServiceProgram()
let disk: Tmpfs | undefined

afterEach(() => disk?.remove())

const fullDisk = (megabytes: number): string => {
  disk = mountTmpfs(megabytes)
  return disk.folder
}

beforeEach(async () => {
  await program.run('init')
  const data = new DatabaseSync(join(program.data, 'service.sqlite'))
  data.exec(
    `CREATE TABLE filler (bytes BLOB); INSERT INTO filler VALUES (randomblob(${DATA_MEGABYTES * MEGABYTE}))`
  )
  data.close()
})

// On Windows and macOS a test cannot mount a file system.
it.skipIf(process.platform !== 'linux').each([
  { moment: 'copied', megabytes: DATA_MEGABYTES - 2 },
  { moment: 'compressed', megabytes: DATA_MEGABYTES + 5 }
])(
  'says so when it fills while the data are $moment, and keeps the backups that are there',
  async ({ megabytes }) => {
    const folder = fullDisk(megabytes)
    const old = ['2026-01-01T030000.000Z.sqlite', '2026-01-02T030000.000Z.sqlite.zst']
    for (const name of old) writeFileSync(join(folder, name), 'old')
    const file = join(folder, '2026-01-03T030000.000Z.sqlite.zst')
    expect(await program.run('backup', file)).toMatchObject({
      code: 1,
      stderr: `The disk is full: ${file} was not written.\n`
    })
    expect(readdirSync(folder).toSorted()).toEqual(old)
  }
)

it.skipIf(process.platform !== 'linux').each(['copy.sqlite', 'copy.sqlite.zst'])(
  'says so when it fills while %s is restored, and keeps the data',
  async (name) => {
    const backup = join(program.folder, name)
    await program.run('backup', backup)
    const data = join(fullDisk(DATA_MEGABYTES * 2 - 2), 'shop')
    mkdirSync(data)
    const file = join(data, 'service.sqlite')
    cpSync(join(program.data, 'service.sqlite'), file)
    const before = statSync(file)
    expect(await program.exactly('restore', backup, '--data', data)).toMatchObject({
      code: 1,
      stderr: `The disk is full: ${file} was not written.\n`
    })
    expect(readdirSync(data)).toEqual(['service.sqlite'])
    expect([statSync(file).size, statSync(file).ino]).toEqual([before.size, before.ino])
  }
)
