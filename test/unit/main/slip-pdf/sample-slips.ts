/** Generated slips and their layouts. */
import fc from 'fast-check'
import { PNG } from 'pngjs'
import { composeSlip } from '../../../../electron/main/slip-pdf/compose.ts'
import type { Composition, PaperLayout } from '../../../../electron/main/slip-pdf/column.ts'
import type { SlipDocument } from '../../../../electron/main/slip-pdf/slip-document.ts'
import { createLogoReader } from '../../../../electron/main/slip-pdf/logo.ts'
import type { PaperSize } from '../../../../electron/contract/paper.ts'
import { FontStore, FAMILIES, fontFile, type Fonts } from '../../../../electron/main/slip-pdf/text/fonts.ts'
import { SlipText } from '../../../../electron/main/slip-pdf/text/slip-text.ts'
import { SlipPdfRenderer, type RenderedSlips } from '../../../../electron/main/slip-pdf/slip-pdf-renderer.ts'
import { fontsFolder } from '../slips/slip-service-fixture.ts'
import { targetOf } from '../../../support/print-target.ts'

/** A PNG of a black disc on a transparent ground. */
export function pngOf(width: number, height: number): Uint8Array {
  const png = new PNG({ width, height })
  const radius = Math.min(width, height) / 2
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const inside = Math.hypot(x - width / 2, y - height / 2) < radius
      if (inside) png.data[(y * width + x) * 4 + 3] = 255
    }
  }
  return PNG.sync.write(png)
}

const namePieces = fc.constantFrom(
  'Maria',
  'Ελληνικό Ζαχαροπλαστείο',
  'Преображенская-Александрова',
  'Nguyễn Thị Hương Đặng',
  'Łódź',
  'Ångström',
  'Donaudampfschifffahrtsgesellschaft',
  'مقهى الزاوية',
  'فٕلاکلینڑ',
  'می\u200Cخواهم',
  '(١٢٣)',
  'פיצה מַאיָה',
  'ร้านกาแฟน้ำหวานที่ถนนสุขุมวิท',
  'क्षत्रिय कॉफ़ी',
  '東京カフェ「中村」',
  '街角咖啡馆',
  '臺灣咖啡館',
  '모퉁이 카페',
  'বাংলা ক্যাফে',
  'ភាសាខ្មែរ',
  'မြန်မာ',
  '\u0301ु',
  '👩‍👩‍👧',
  'q̣̈',
  'W'.repeat(60),
  '–',
  '\u00A0',
  '   '
)
/** Real names and unusual ones. */
const name = fc.oneof(
  fc.array(namePieces, { maxLength: 8 }).map((pieces) => pieces.join(' ')),
  fc.string({ unit: 'grapheme', maxLength: 120 }),
  fc.string({ unit: 'binary', maxLength: 120 })
)

/** URLs of 20 to 200 characters. */
const url = fc
  .stringMatching(/^[A-Za-z0-9_.~/?=&%-]{3,183}$/)
  .map((path) => `https://a.example/${path}`.slice(0, 200))

export const anySlip: fc.Arbitrary<SlipDocument> = fc.record({
  business: fc.record({
    name,
    address: fc.record({ street: name, city: name, state: name, country: name, zipCode: name })
  }),
  points: fc.integer({ min: 1, max: 9_999_999 }),
  customerName: fc.option(name),
  code: fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 80 }),
  url,
  issuedAt: fc
    .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  timeZone: fc.constantFrom('Europe/Athens', 'America/St_Johns', 'Asia/Kathmandu', 'UTC', '', 'nowhere'),
  locale: fc.constantFrom(
    'en-GB',
    'en-US',
    'de',
    'fr',
    'el',
    'ru',
    'vi',
    'pt-BR',
    'en-IN',
    'ar',
    'ja',
    'not a locale'
  ),
  training: fc.boolean(),
  copy: fc.nat({ max: 12 }),
  headline: fc.oneof(fc.constant(''), name),
  footer: fc.oneof(fc.constant(''), name),
  tillName: fc.oneof(fc.constant(''), name),
  logo: fc.option(fc.constantFrom(pngOf(300, 90), pngOf(50, 400), new Uint8Array([0x89, 0x50])), {
    nil: null
  }),
  affordable: fc.option(
    fc.record({
      best: fc.option(name, { nil: null }),
      others: fc.nat(),
      next: fc.option(fc.record({ name, missing: fc.nat() }), { nil: null })
    }),
    { nil: null }
  ),
  joinUrl: fc.option(url, { nil: null })
})

export const renderer = new SlipPdfRenderer(fontsFolder)

/** Renders one slip or several. */
export const renderSlips = (
  slips: SlipDocument | readonly SlipDocument[],
  paper: PaperSize = '80mm'
): Promise<RenderedSlips> => renderer.renderSlips('business' in slips ? [slips] : slips, targetOf(paper))

/** Every font, open. */
export const allFonts = (): Promise<Fonts> =>
  new FontStore(fontsFolder).open(
    FAMILIES.flatMap((family) =>
      (['regular', 'bold'] as const).map((weight) => fontFile(family, weight).file)
    )
  )

/** Text as in Athens, or in another place. */
export const textWith = (
  fonts: Fonts,
  { locale = 'en-GB', timeZone = 'Europe/Athens' }: { locale?: string; timeZone?: string } = {}
): SlipText => new SlipText(fonts, { locale, timeZone })

/** A slip composed at its natural size. */
export const composed = (fonts: Fonts, slip: SlipDocument, layout: PaperLayout): Composition =>
  composeSlip(slip, {
    layout,
    text: new SlipText(fonts, slip),
    readLogo: createLogoReader()
  })
