import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FAMILIES, readCoverage } from '../../../../electron/main/slip-pdf/text/fonts.ts'
import { graphemesOf } from '../../../../electron/main/slip-pdf/text/itemize.ts'
import { FURTHER_SCRIPTS, WIDESPREAD_SCRIPTS } from '../../../../electron/main/slip-pdf/text/scripts.ts'
import { readSlip } from '../../../support/read-slip.ts'
import { fontsFolder } from '../slips/slip-service-fixture.ts'
import { renderSlips } from './sample-slips.ts'
import { sampleSlip } from '../../../support/sample-slip.ts'

/** A name in each script that a slip must print. */
const NAMES = [
  ['accents', 'Zoë Łukasiewicz-Ångström, Čeněk Őry'],
  ['Greek', 'Ελένη Παπαδοπούλου'],
  ['Cyrillic', 'Ольга Преображенская'],
  ['Vietnamese', 'Nguyễn Thị Hương Đặng, Hiệp Ỷ Ẵ ỹ'],
  ['the same letter with a mark first and without it then', 'Thị Hi í i ǰ j'],
  ['Vietnamese, decomposed', 'Nguyễn Thị Hương Đặng'.normalize('NFD')],
  ['ligatures', 'Office Affiliates, fjord'],
  ['Arabic', 'محمد عبد الله الأنصاري'],
  ['Arabic with its own digits', 'شارع التحرير ١٢'],
  ['Arabic with Latin digits', 'مقهى 12 الزاوية'],
  ['Persian with a joiner', 'می\u200Cخواهم'],
  ['Arabic that pdfkit cannot lay out', 'فٕلاکلینڑ'],
  ['Hebrew', 'שלום עולם 12'],
  ['Hebrew with vowel points', 'מַאיָה'],
  ['Thai', 'ร้านกาแฟ น้ำ ที่ กรุงเทพ'],
  ['Devanagari', 'क्षत्रिय हिन्दी कॉफ़ी शॉप'],
  ['Japanese', '東京カフェ「中村」さくら'],
  ['simplified Chinese', '街角咖啡馆'],
  ['traditional Chinese', '臺灣街角咖啡館'],
  ['Korean', '모퉁이 카페'],
  ['emoji', '👩‍👩‍👧 ☎ 🍕'],
  ['Bengali', 'বাংলা ক্যাফে'],
  ['Tamil', 'தமிழ் காபி'],
  ['Khmer', 'ភាសាខ្មែរ'],
  ['Burmese', 'မြန်မာ'],
  ['Lao', 'ລາວ ນໍ້າ'],
  ['Georgian and Armenian', 'ქართული Հայերեն'],
  ['Ethiopic', 'አማርኛ']
] as const

describe('a name on a slip', () => {
  it.each(NAMES)('in %s can be searched and copied completely', async (_script, customerName) => {
    const { pdf, missing } = await renderSlips({ ...sampleSlip, customerName })
    expect(missing).toEqual([])
    const { text } = await readSlip(pdf)
    // Readers of PDFs take a line with a name from the right to be read from the right as a whole.
    const name = customerName.normalize('NFC')
    const lines = text.normalize('NFC').split('\n')
    expect(lines.filter((line) => [`For ${name}`, `${name} For`].includes(line))).toHaveLength(1)
  })

  it('is copied letter by letter as it was written, from right to left as well', async () => {
    const business = { ...sampleSlip.business, name: 'قهوة (كبيرة) وسط' }
    const { text } = await readSlip((await renderSlips({ ...sampleSlip, business })).pdf)
    expect(text.split('\n')[0]).toBe('قهوة (كبيرة) وسط')
  })
})

describe('a slip in one script', () => {
  it.each([
    ['Latin', 'Corner Café', 'Maria Papadopoulou'],
    ['Arabic', 'مقهى الزاوية', 'محمد عبد الله الأنصاري'],
    ['Hebrew', 'קפה הפינה', 'מאיה כהן'],
    ['Thai', 'ร้านกาแฟหัวมุม', 'ณัฐวุฒิ ศรีสุวรรณ'],
    ['Devanagari', 'कोने की कॉफ़ी शॉप', 'प्रियंका क्षत्रिय'],
    ['Japanese', '角の喫茶店「東京カフェ」', '中村 さくら'],
    ['Korean', '모퉁이 카페', '김철수']
  ])('of %s takes at most 20 kB', async (_script, name, customerName) => {
    const business = { name, address: { street: name, city: name, state: '', country: '', zipCode: '10563' } }
    const { pdf } = await renderSlips({
      ...sampleSlip,
      business,
      customerName,
      footer: name,
      tillName: 'Bar 1'
    })
    expect(pdf.length).toBeLessThanOrEqual(20_000)
  })
})

/** All letters and combining marks outside of the rarest Han characters. */
const LETTERS = Array.from({ length: 0x1f000 }, (_, codePoint) => codePoint)
  .filter((codePoint) => codePoint < 0xd800 || codePoint > 0xdfff)
  .map((codePoint) => String.fromCodePoint(codePoint))
  .filter((character) => /^(?!\p{Variation_Selector})[\p{L}\p{M}]$/u.test(character))

const lettersOf = (script: string): string[] => {
  const pattern = new RegExp(`^\\p{Script=${script}}$`, 'u')
  return LETTERS.filter((letter) => pattern.test(letter))
}

/** A name of six letters without marks. */
const nameIn = (script: string): string =>
  lettersOf(script)
    .filter((letter) => /\p{L}/u.test(letter))
    .slice(0, 6)
    .join('')

/** The list of the paragraph that begins with `start`. */
const listed = (text: string, start: string): string[] => {
  const paragraph = text.split('\n\n').find((part) => part.startsWith(start)) ?? ''
  return paragraph.slice(start.length).replace(/\s+/g, ' ').trim().replace(/\.$/, '').split(', ')
}

/** The characters of a list such as `U+0860–U+086A`. */
const charactersOf = (ranges: readonly string[]): string[] =>
  ranges.flatMap((range) => {
    const [first = NaN, last = first] = range.split('–').map((name) => parseInt(name.slice(2), 16))
    return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index))
  })

describe('the scripts that the fonts have', async () => {
  const names = [...WIDESPREAD_SCRIPTS, ...FURTHER_SCRIPTS].map(([, name]) => name)
  const readme = readFileSync(join(fontsFolder, 'README.md'), 'utf8')
  const covers = await readCoverage(fontsFolder)
  const isShown = (letter: string): boolean =>
    FAMILIES.some((family) => covers(family, letter.codePointAt(0) ?? 0))

  it('show names in all of them on 58 mm', async () => {
    const slips = names.map((name) => ({ ...sampleSlip, customerName: nameIn(name) }))
    for (const { customerName } of slips) expect(customerName).not.toBe('')
    expect((await renderSlips(slips, '58mm')).missing).toEqual([])
  })

  it.each(FURTHER_SCRIPTS)('%s: a name in %s can be copied', async (_code, name) => {
    const letters = graphemesOf(nameIn(name))
    const { text } = await readSlip(
      (await renderSlips({ ...sampleSlip, customerName: letters.join('') })).pdf
    )
    // PDFium turns letters from the right to the order of reading up to U+FFFF only.
    const isTurned = /\p{Script=Adlam}|\p{Script=Hanifi_Rohingya}|\p{Script=Mende_Kikakui}|\p{Script=Yezidi}/u
    const copied = isTurned.test(letters.join('')) ? letters.toReversed() : letters
    expect(text.normalize('NFC')).toContain(copied.join('').normalize('NFC'))
  })

  it('are as many as the README says', () => {
    expect(readFileSync('README.md', 'utf8')).toContain(`in ${String(names.length)} scripts`)
  })

  it('leave out those that the README says are without a font', () => {
    for (const name of listed(readme, 'Scripts in use without a font:')) {
      const letters = lettersOf(name.replaceAll(' ', '_'))
      expect(letters).not.toEqual([])
      expect(letters.filter(isShown)).toEqual([])
    }
  })

  it('lack the letters that the README names, and no others where each has its own font', () => {
    const lacking = FURTHER_SCRIPTS.flatMap(([, name]) =>
      lettersOf(name).filter((letter) => !isShown(letter))
    )
    expect(charactersOf(listed(readme, 'Letters without a glyph:')).sort()).toEqual(lacking.sort())
  })
})
