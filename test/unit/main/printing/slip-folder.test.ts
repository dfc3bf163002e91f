import fc from 'fast-check'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { err } from '../../../../electron/contract/failure.ts'
import { SlipFolder, fileNameOf, type SlipPrintJob } from '../../../../electron/main/printing/slip-folder.ts'
import { noOpLogger } from '../../../support/no-op-logger.ts'
import { temporaryFolder, valueOf } from '../slips/slip-service-fixture.ts'

const job = (fileName: string, content: string): SlipPrintJob => ({
  title: 'Tillpoints',
  fileName,
  pdf: Buffer.from(content),
  widthMillimetres: 80,
  heightMillimetres: 120,
  pages: 1,
  trace: {}
})

describe('SlipFolder', () => {
  it('creates the folder with the first slip, and writes one file', async () => {
    const folder = join(temporaryFolder(), 'deep', 'slips')
    const { file } = valueOf(await new SlipFolder(folder, noOpLogger).save(job('A', 'one')))
    expect(file).toBe(join(folder, 'A.pdf'))
    expect(readFileSync(file ?? '', 'utf8')).toBe('one')
    expect(readdirSync(folder)).toEqual(['A.pdf'])
  })

  it('keeps the file when the same slip is saved again', async () => {
    const folder = temporaryFolder()
    const slipFolder = new SlipFolder(folder, noOpLogger)
    const first = valueOf(await slipFolder.save(job('A', 'one')))
    const { mtimeMs } = statSync(first.file ?? '')
    expect(valueOf(await slipFolder.save(job('A', 'one')))).toEqual(first)
    expect(statSync(first.file ?? '').mtimeMs).toBe(mtimeMs)
  })

  it('never overwrites another slip with the same name', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'A.pdf'), 'of another journal')
    const slipFolder = new SlipFolder(folder, noOpLogger)
    const files = await Promise.all(['one', 'two'].map((content) => slipFolder.save(job('A', content))))
    expect(files.map((answer) => valueOf(answer).file)).toEqual([
      join(folder, 'A~2.pdf'),
      join(folder, 'A~3.pdf')
    ])
    expect(readFileSync(join(folder, 'A.pdf'), 'utf8')).toBe('of another journal')
    expect(readFileSync(join(folder, 'A~2.pdf'), 'utf8')).toBe('one')
  })

  it('fails with not-saved, and saves the next slip', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'A.pdf'))
    const slipFolder = new SlipFolder(folder, noOpLogger)
    const answers = await Promise.all([slipFolder.save(job('A', 'one')), slipFolder.save(job('B', 'two'))])
    expect(answers[0]).toEqual(err({ kind: 'not-saved', what: 'slip' }))
    expect(valueOf(answers[1]).file).toBe(join(folder, 'B.pdf'))
  })
})

describe('fileNameOf', () => {
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
  ])('returns for %j the name %s', (code, name) => {
    expect(fileNameOf(code)).toBe(name)
  })

  it('returns a portable name of limited length for any code', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 400 }), (code) => {
        expect(fileNameOf(code)).toMatch(/^[A-Za-z0-9_%~-](?:[A-Za-z0-9_%~.-]{0,158}[A-Za-z0-9_%~-])?$/)
      })
    )
  })

  it('returns different names for different codes', () => {
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
