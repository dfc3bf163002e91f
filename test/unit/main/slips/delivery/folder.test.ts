import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { err } from '../../../../../electron/contract/failure.ts'
import type { PaperJob } from '../../../../../electron/main/slips/delivery/destination.ts'
import { createFolder } from '../../../../../electron/main/slips/delivery/folder.ts'
import { quietLog } from '../../../../support/quiet-log.ts'
import { temporaryFolder, valueOf } from '../till.ts'

const job = (title: string, content: string): PaperJob => ({
  title,
  pdf: Buffer.from(content),
  widthMillimetres: 80,
  heightMillimetres: 120,
  trace: {}
})

describe('the folder that slips go to', () => {
  it('is made at the first slip, and holds one whole file for it', async () => {
    const folder = join(temporaryFolder(), 'deep', 'slips')
    const { file } = valueOf(await createFolder(folder, quietLog)(job('A', 'one')))
    expect(file).toBe(join(folder, 'A.pdf'))
    expect(readFileSync(file ?? '', 'utf8')).toBe('one')
    expect(readdirSync(folder)).toEqual(['A.pdf'])
  })

  it('keeps the file when the same slip comes again', async () => {
    const folder = temporaryFolder()
    const deliver = createFolder(folder, quietLog)
    const first = valueOf(await deliver(job('A', 'one')))
    const { mtimeMs } = statSync(first.file ?? '')
    expect(valueOf(await deliver(job('A', 'one')))).toEqual(first)
    expect(statSync(first.file ?? '').mtimeMs).toBe(mtimeMs)
  })

  it('never overwrites another slip with the same name, nor lets two share one', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'A.pdf'), 'of another journal')
    const deliver = createFolder(folder, quietLog)
    const files = await Promise.all(['one', 'two'].map((content) => deliver(job('A', content))))
    expect(files.map((answer) => valueOf(answer).file)).toEqual([
      join(folder, 'A~2.pdf'),
      join(folder, 'A~3.pdf')
    ])
    expect(readFileSync(join(folder, 'A.pdf'), 'utf8')).toBe('of another journal')
    expect(readFileSync(join(folder, 'A~2.pdf'), 'utf8')).toBe('one')
  })

  it('finishes a file that a stopped till left half written', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'A.pdf.part'), 'o')
    await createFolder(folder, quietLog)(job('A', 'one'))
    expect(readdirSync(folder)).toEqual(['A.pdf'])
  })

  it('says that a slip was not saved, and goes on with the next', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'A.pdf'))
    const deliver = createFolder(folder, quietLog)
    const answers = await Promise.all([deliver(job('A', 'one')), deliver(job('B', 'two'))])
    expect(answers[0]).toEqual(err({ kind: 'not-saved', what: 'slip' }))
    expect(valueOf(answers[1]).file).toBe(join(folder, 'B.pdf'))
  })
})
