import { describe, expect, it } from 'vitest'
import { readSlip } from '../../../support/read-slip.ts'
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
