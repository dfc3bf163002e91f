import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeFileAtomic } from '../../../../electron/main/fs/atomic-write.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillpoints-atomic-'))
  file = join(folder, 'slip.pdf')
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

describe('writeFileAtomic', () => {
  it.each([
    ['text', 'καφές', Buffer.from('καφές')],
    ['bytes', Uint8Array.of(0, 0xff, 0x0a), Buffer.from([0, 0xff, 0x0a])],
    ['no bytes', '', Buffer.alloc(0)]
  ])('writes %s and leaves no other file', async (_name, content, written) => {
    await writeFileAtomic(file, content)
    expect(readFileSync(file)).toEqual(written)
    expect(readdirSync(folder)).toEqual(['slip.pdf'])
  })

  it('writes the pieces of a function in order', async () => {
    await writeFileAtomic(file, async (handle) => {
      await handle.write('first, ')
      await handle.write('second')
    })
    expect(readFileSync(file, 'utf8')).toBe('first, second')
  })

  it('replaces the whole content of an existing file', async () => {
    writeFileSync(file, 'a longer old content')
    await writeFileAtomic(file, 'new')
    expect(readFileSync(file, 'utf8')).toBe('new')
    expect(readdirSync(folder)).toEqual(['slip.pdf'])
  })

  it('writes into a new file, whose name no other program can know', async () => {
    const names: string[] = []
    for (const content of ['one', 'two']) {
      await writeFileAtomic(file, async (handle) => {
        names.push(...readdirSync(folder).filter((name) => name !== 'slip.pdf'))
        await handle.write(content)
      })
    }
    expect(names).toHaveLength(2)
    expect(new Set(names).size).toBe(2)
    for (const name of names) expect(name).toMatch(/^tillpoints-[\da-f-]{36}\.part$/)
  })

  it('writes a file whose name is as long as a file system allows', async () => {
    const longest = join(folder, 'x'.repeat(255))
    await writeFileAtomic(longest, 'new')
    expect(readFileSync(longest, 'utf8')).toBe('new')
  })

  it('writes neither into a file nor through a link that was laid for it', async () => {
    const other = join(folder, 'other')
    writeFileSync(other, 'of another program')
    symlinkSync(other, `${file}.part`)
    symlinkSync(other, file)
    await writeFileAtomic(file, 'new')
    expect(readFileSync(other, 'utf8')).toBe('of another program')
    expect(lstatSync(file).isFile()).toBe(true)
    expect(readFileSync(file, 'utf8')).toBe('new')
  })

  it('keeps the old content visible until the new one is complete', async () => {
    writeFileSync(file, 'old')
    let visible = ''
    await writeFileAtomic(file, async (handle) => {
      await handle.write('new')
      visible = readFileSync(file, 'utf8')
    })
    expect(visible).toBe('old')
  })

  // Windows has no permission bits.
  it.runIf(process.platform !== 'win32')(
    'lets only the owner read the file, also one that others could',
    async () => {
      writeFileSync(file, 'old', { mode: 0o644 })
      await writeFileAtomic(file, 'new')
      expect(statSync(file).mode & 0o777).toBe(0o600)
    }
  )

  it('leaves the old file and no temporary one when the content cannot be produced', async () => {
    writeFileSync(file, 'old')
    const failure = new Error('The journal cannot be read')
    const written = writeFileAtomic(file, async (handle) => {
      await handle.write('half of it')
      throw failure
    })
    await expect(written).rejects.toBe(failure)
    expect(readFileSync(file, 'utf8')).toBe('old')
    expect(readdirSync(folder)).toEqual(['slip.pdf'])
  })

  it('leaves no temporary file when the file cannot be replaced', async () => {
    mkdirSync(file)
    writeFileSync(join(file, 'inside'), 'kept')
    await expect(writeFileAtomic(file, 'new')).rejects.toThrow()
    expect(readFileSync(join(file, 'inside'), 'utf8')).toBe('kept')
    expect(readdirSync(folder)).toEqual(['slip.pdf'])
  })

  it('rejects with the error of the file system when the folder is missing', async () => {
    await expect(writeFileAtomic(join(folder, 'missing', 'slip.pdf'), 'new')).rejects.toMatchObject({
      code: 'ENOENT'
    })
    expect(readdirSync(folder)).toEqual([])
  })
})
