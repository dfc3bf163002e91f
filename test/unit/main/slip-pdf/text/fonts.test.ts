import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readdirSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { COVERAGE_FILE, FontStore, readCoverage } from '../../../../../electron/main/slip-pdf/text/fonts.ts'
import { SlipText, withOpenFonts } from '../../../../../electron/main/slip-pdf/text/slip-text.ts'
import { coverageTable } from '../../../../../resources/scripts/font-coverage.ts'
import { fontsFolder } from '../../slips/slip-service-fixture.ts'

const letter = (character: string): number => character.codePointAt(0) ?? 0

describe('the table of characters', () => {
  it('is what the font files hold', async () => {
    const written = await readFile(join(fontsFolder, COVERAGE_FILE), 'utf8')
    expect(await coverageTable(fontsFolder)).toBe(written)
  })

  it.each([
    ['NotoSans', 'a', true],
    ['NotoSans', 'Ỷ', true],
    ['NotoSans', '\uFFFD', true],
    ['NotoSans', '中', false],
    ['NotoSansJP', '中', true],
    ['NotoSansThai', 'ก', true],
    ['NotoSansThai', 'я', false],
    ['NotoEmoji', '🍕', true],
    ['NotoEmoji', '\u{10FFFF}', false]
  ] as const)('says of %s whether it has %s', async (family, character, has) => {
    expect((await readCoverage(fontsFolder))(family, letter(character))).toBe(has)
  })
})

describe('the fonts', () => {
  const files = readdirSync(fontsFolder)

  it('take at most 39 MB, each with its licence', () => {
    const bytes = files.reduce((sum, file) => sum + statSync(join(fontsFolder, file)).size, 0)
    expect(bytes).toBeLessThanOrEqual(39_000_000)
    const families = files.filter((file) => file.endsWith('.ttf')).map((file) => file.split('-')[0])
    for (const family of families) expect(files).toContain(`${family ?? ''}-LICENSE.txt`)
  })

  it.each([
    ['Maria', []],
    ['Maria ދިވެހި', ['NotoSansThaana-Regular.ttf']]
  ])('are read for %s when the text needs them', async (name, further) => {
    const base = ['NotoSans-Bold.ttf', 'NotoSans-Regular.ttf']
    const open = await withOpenFonts(new FontStore(fontsFolder), (fonts) => {
      const text = new SlipText(fonts, { locale: 'en', timeZone: 'UTC' })
      text.line(name, { weight: 'regular', size: 23 })
      return { text, files: files.filter((file) => fonts.get(file) !== null) }
    })
    expect(open.files.sort()).toEqual([...base, ...further].sort())
  })
})
