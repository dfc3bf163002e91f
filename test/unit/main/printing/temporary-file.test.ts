import { readFile, stat } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { withTemporaryPdf } from '../../../../electron/main/printing/temporary-file.ts'

const PDF = Buffer.from('%PDF-1.7 slip')

test('a program gets a file that only this user reads, and that is gone afterwards', async () => {
  const { path, mode, bytes } = await withTemporaryPdf(PDF, async (path) => ({
    path,
    mode: (await stat(path)).mode & 0o777,
    bytes: await readFile(path)
  }))
  // Windows has no modes.
  if (process.platform !== 'win32') expect(mode).toBe(0o600)
  expect(bytes).toEqual(PDF)
  await expect(stat(path)).rejects.toThrow('ENOENT')
})

test('it is gone where the program failed, too', async () => {
  let path = ''
  const failing = withTemporaryPdf(PDF, (given) => {
    path = given
    return Promise.reject(new Error('no spooler'))
  })
  await expect(failing).rejects.toThrow('no spooler')
  await expect(stat(path)).rejects.toThrow('ENOENT')
})
