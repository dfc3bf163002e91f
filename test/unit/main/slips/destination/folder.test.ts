import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bad } from '../../../../../electron/contract/failure.ts'
import type { Slip } from '../../../../../electron/contract/till.ts'
import { createFolderDestination } from '../../../../../electron/main/slips/destination/folder.ts'
import { temporaryFolder, valueOf } from '../till.ts'

const slip = (code: string): Slip => ({
  intentId: 'intent',
  state: 'printing',
  revision: 3,
  points: 1,
  customer: null,
  code,
  url: 'https://loyalty.example/q',
  requestedAt: '2026-11-21T12:05:33.000Z',
  issuedAt: '2026-11-21T12:05:33.000Z',
  printedAt: null,
  file: null,
  failure: null,
  destination: null,
  ending: null,
  copies: 0,
  lastCopy: null,
  batch: null,
  practice: false
})
const pdf = (content: string): Uint8Array => Buffer.from(content)
const silent = { error: () => undefined }

describe('the folder that slips go to', () => {
  it('is made at the first slip, and holds one whole file for it', async () => {
    const folder = join(temporaryFolder(), 'deep', 'slips')
    const { file } = valueOf(await createFolderDestination(folder, silent).deliver(slip('A'), pdf('one')))
    expect(file).toBe(join(folder, 'A.pdf'))
    expect(readFileSync(file, 'utf8')).toBe('one')
    expect(readdirSync(folder)).toEqual(['A.pdf'])
  })

  it('keeps the file when the same slip comes again', async () => {
    const folder = temporaryFolder()
    const destination = createFolderDestination(folder, silent)
    const first = valueOf(await destination.deliver(slip('A'), pdf('one')))
    const { mtimeMs } = statSync(first.file)
    expect(valueOf(await destination.deliver(slip('A'), pdf('one')))).toEqual(first)
    expect(statSync(first.file).mtimeMs).toBe(mtimeMs)
  })

  it('never overwrites another slip with the same name, nor lets two share one', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'A.pdf'), 'of another journal')
    const destination = createFolderDestination(folder, silent)
    const files = await Promise.all(
      ['one', 'two'].map((content) => destination.deliver(slip('A'), pdf(content)))
    )
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
    await createFolderDestination(folder, silent).deliver(slip('A'), pdf('one'))
    expect(readdirSync(folder)).toEqual(['A.pdf'])
  })

  it('says that a slip was not saved, and goes on with the next', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'A.pdf'))
    const destination = createFolderDestination(folder, silent)
    const answers = await Promise.all([
      destination.deliver(slip('A'), pdf('one')),
      destination.deliver(slip('B'), pdf('two'))
    ])
    expect(answers[0]).toEqual(bad({ kind: 'not-saved', what: 'slip' }))
    expect(valueOf(answers[1]).file).toBe(join(folder, 'B.pdf'))
  })
})
