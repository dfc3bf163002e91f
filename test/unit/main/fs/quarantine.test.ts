import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { isBlockedPath, quarantinedFiles, quarantineFile } from '../../../../electron/main/fs/quarantine.ts'

const NOW = new Date('2026-03-04T05:06:07.089Z')
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillpoints-files-'))
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

it('renames a file and its companions to a dated name', () => {
  for (const name of ['journal.sqlite', 'journal.sqlite-wal', 'other.sqlite-wal']) {
    writeFileSync(join(folder, name), name)
  }
  const kept = quarantineFile(join(folder, 'journal.sqlite'), NOW, ['-wal', '-shm'])
  expect(kept).toBe('journal.damaged-2026-03-04T05-06-07-089Z.sqlite')
  expect(readFileSync(join(folder, kept), 'utf8')).toBe('journal.sqlite')
  expect(readdirSync(folder).sort()).toEqual([kept, `${kept}-wal`, 'other.sqlite-wal'])
})

it('are found again with their time, oldest first', () => {
  const file = join(folder, 'journal.sqlite')
  const later = new Date('2026-05-04T05:06:07.089Z')
  for (const time of [later, NOW]) {
    for (const suffix of ['', '-wal']) writeFileSync(file + suffix, '')
    quarantineFile(file, time, ['-wal'], time === later ? 'replaced' : 'damaged')
  }
  writeFileSync(join(folder, 'journal.other.sqlite'), '')
  writeFileSync(join(folder, 'settings.damaged-2026-03-04T05-06-07-089Z.json'), '')
  const found = quarantinedFiles(file, ['-wal', '-shm'])
  expect(found.map(({ quarantinedAt }) => quarantinedAt)).toEqual([NOW, later])
  expect(found[0]).toMatchObject({
    path: join(folder, 'journal.damaged-2026-03-04T05-06-07-089Z.sqlite'),
    companions: [join(folder, 'journal.damaged-2026-03-04T05-06-07-089Z.sqlite-wal')]
  })
  expect(quarantinedFiles(join(folder, 'absent', 'journal.sqlite'))).toEqual([])
})

it('renames the companions of a missing file, also broken links', () => {
  mkdirSync(join(folder, 'journal.sqlite-wal'))
  symlinkSync(join(folder, 'nowhere'), join(folder, 'journal.sqlite-shm'))
  const kept = quarantineFile(join(folder, 'journal.sqlite'), NOW, ['-wal', '-shm'])
  expect(readdirSync(folder).sort()).toEqual([`${kept}-shm`, `${kept}-wal`])
})

it('detects paths that a directory, a broken or a circular link blocks', () => {
  writeFileSync(join(folder, 'file'), '')
  mkdirSync(join(folder, 'folder'))
  symlinkSync(join(folder, 'file'), join(folder, 'link'))
  symlinkSync(join(folder, 'nowhere'), join(folder, 'broken'))
  symlinkSync(join(folder, 'circle'), join(folder, 'circle'))
  const names = ['file', 'folder', 'link', 'broken', 'circle', 'absent']
  expect(names.filter((name) => isBlockedPath(join(folder, name)))).toEqual(['folder', 'broken', 'circle'])
})
