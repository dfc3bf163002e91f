import fc from 'fast-check'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { err } from '../../../../electron/contract/failure.ts'
import { createFolder, fileNameOf, type PaperJob } from '../../../../electron/main/slips/delivery.ts'
import { noOpLogger } from '../../../support/no-op-logger.ts'
import { temporaryFolder, valueOf } from './slip-service-fixture.ts'

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
    const { file } = valueOf(await createFolder(folder, noOpLogger)(job('A', 'one')))
    expect(file).toBe(join(folder, 'A.pdf'))
    expect(readFileSync(file ?? '', 'utf8')).toBe('one')
    expect(readdirSync(folder)).toEqual(['A.pdf'])
  })

  it('keeps the file when the same slip comes again', async () => {
    const folder = temporaryFolder()
    const deliver = createFolder(folder, noOpLogger)
    const first = valueOf(await deliver(job('A', 'one')))
    const { mtimeMs } = statSync(first.file ?? '')
    expect(valueOf(await deliver(job('A', 'one')))).toEqual(first)
    expect(statSync(first.file ?? '').mtimeMs).toBe(mtimeMs)
  })

  it('never overwrites another slip with the same name, nor lets two share one', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'A.pdf'), 'of another journal')
    const deliver = createFolder(folder, noOpLogger)
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
    await createFolder(folder, noOpLogger)(job('A', 'one'))
    expect(readdirSync(folder)).toEqual(['A.pdf'])
  })

  it('says that a slip was not saved, and goes on with the next', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'A.pdf'))
    const deliver = createFolder(folder, noOpLogger)
    const answers = await Promise.all([deliver(job('A', 'one')), deliver(job('B', 'two'))])
    expect(answers[0]).toEqual(err({ kind: 'not-saved', what: 'slip' }))
    expect(valueOf(answers[1]).file).toBe(join(folder, 'B.pdf'))
  })
})

describe('the file name of a code', () => {
  it.each([
    ['K7QF-29xm_4', 'K7QF-29xm_4'],
    ['a.b', 'a.b'],
    ['../../etc/passwd', '%2E.%2F..%2Fetc%2Fpasswd'],
    ['C:\\x', 'C%3A%5Cx'],
    ['..', '%2E%2E'],
    ['a%2Fb', 'a%252Fb'],
    ['con', '%63on'],
    ['LPT1.x', '%4CPT1.x'],
    ['é~ ', '%C3%A9%7E%20'],
    ['a\0b', 'a%00b']
  ])('for %j is %s', (code, name) => {
    expect(fileNameOf(code)).toBe(name)
  })

  it('stays a plain name of bounded length for any code', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 400 }), (code) => {
        expect(fileNameOf(code)).toMatch(/^[A-Za-z0-9_%~-](?:[A-Za-z0-9_%~.-]{0,158}[A-Za-z0-9_%~-])?$/)
      })
    )
  })

  it('differs for different codes', () => {
    const code = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 })
    fc.assert(
      fc.property(code, code, (one, other) => {
        fc.pre(one !== other)
        expect(fileNameOf(one)).not.toBe(fileNameOf(other))
      })
    )
    expect(fileNameOf(`${'x'.repeat(300)}1`)).not.toBe(fileNameOf(`${'x'.repeat(300)}2`))
  })
})
