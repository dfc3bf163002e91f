import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { writeFileAtomic } from '../../../../electron/main/fs/atomic-write.ts'
import { quarantineFile } from '../../../../electron/main/fs/quarantine.ts'
import { FileLogger } from '../../../../electron/main/log/log.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'tillpoints-rename-'))
  file = join(folder, 'slip.pdf')
})

afterEach(() => {
  fs.rmSync(folder, { recursive: true, force: true })
})

/**
 * Makes the first `count` renames of the test fail with `code`, as a virus scanner of Windows that has the file open does.
 * Returns a function that returns the number of renames so far.
 */
function failRenames(code: string, count: number): () => number {
  const { rename } = fs.promises
  const { renameSync } = fs
  let attempts = 0
  const fail = (): void => {
    attempts++
    if (attempts <= count) throw Object.assign(new Error(`${code}: rename`), { code })
  }
  fs.promises.rename = async (from, to) => {
    fail()
    await rename(from, to)
  }
  fs.renameSync = (from, to) => {
    fail()
    renameSync(from, to)
  }
  syncBuiltinESMExports()
  onTestFinished(() => {
    fs.promises.rename = rename
    fs.renameSync = renameSync
    syncBuiltinESMExports()
  })
  return () => attempts
}

describe.each(['EPERM', 'EACCES', 'EBUSY'])('while another program has a file open (%s)', (code) => {
  it('is replaced by its new content', async () => {
    fs.writeFileSync(file, 'old')
    failRenames(code, 2)
    await writeFileAtomic(file, 'new')
    expect(fs.readFileSync(file, 'utf8')).toBe('new')
    expect(fs.readdirSync(folder)).toEqual(['slip.pdf'])
  })

  it('is quarantined', () => {
    fs.writeFileSync(file, 'damaged')
    failRenames(code, 2)
    const name = quarantineFile(file, new Date('2026-03-04T05:06:07.089Z'))
    expect(fs.readdirSync(folder)).toEqual([name])
  })

  it('becomes an older log', () => {
    failRenames(code, 2)
    const log = new FileLogger({
      folder,
      echo: () => undefined,
      limits: { bytes: 500, files: 3 }
    })
    for (let count = 0; count < 20; count++) log.info(`event-${String(count)}`, {})
    expect(log.files().map((path) => basename(path))).toEqual(['till.log', 'till.1.log', 'till.2.log'])
  })
})

it('rejects with the error when the file stays in use, and keeps the old content', async () => {
  fs.writeFileSync(file, 'old')
  const attempts = failRenames('EBUSY', Infinity)
  await expect(writeFileAtomic(file, 'new')).rejects.toMatchObject({ code: 'EBUSY' })
  expect(attempts()).toBeGreaterThan(3)
  expect(fs.readFileSync(file, 'utf8')).toBe('old')
  expect(fs.readdirSync(folder)).toEqual(['slip.pdf'])
})

it('rejects with any other error at once', async () => {
  const attempts = failRenames('ENOSPC', Infinity)
  await expect(writeFileAtomic(file, 'new')).rejects.toMatchObject({ code: 'ENOSPC' })
  expect(attempts()).toBe(1)
})
