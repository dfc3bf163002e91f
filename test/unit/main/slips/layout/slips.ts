/** Slips to lay out: one as an example, and any. */
import fc from 'fast-check'
import PDFDocument from 'pdfkit'
import type { SlipDocument } from '../../../../../electron/main/slips/layout/document.ts'
import { createFontSource } from '../../../../../electron/main/slips/layout/text/fonts.ts'
import { createSlipText, type SlipText } from '../../../../../electron/main/slips/layout/text/text.ts'
import { fontsFolder } from '../till.ts'

export const example: SlipDocument = {
  business: {
    name: 'Corner Café',
    address: { street: 'Ermou 12', city: 'Athens', state: 'Attica', country: 'Greece', zipCode: '10563' }
  },
  points: 1250,
  customerName: 'Maria Papadopoulou',
  code: 'K7QF-29XM',
  url: 'https://loyalty.example/q/K7QF-29XM',
  issuedAt: '2026-11-21T12:05:33.000Z',
  timeZone: 'Europe/Athens',
  locale: 'en-GB',
  practice: false
}

const namePieces = fc.constantFrom(
  'Maria',
  'Ελληνικό Ζαχαροπλαστείο',
  'Преображенская-Александрова',
  'Nguyễn Thị Hương Đặng',
  'Łódź',
  'Ångström',
  'Donaudampfschifffahrtsgesellschaft',
  'مريم',
  'פיצה',
  '中村',
  '👩‍👩‍👧',
  'q̣̈',
  'W'.repeat(60),
  '–',
  '\u00A0',
  '   '
)
/** Names as people have them, and as nobody has them. */
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
  practice: fc.boolean()
})

/** Text to measure with; nothing is drawn. */
export async function measuringText(): Promise<SlipText> {
  return createSlipText(
    new PDFDocument({ autoFirstPage: false, font: '' }),
    await createFontSource(fontsFolder)()
  )
}
