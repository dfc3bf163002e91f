import { PAPER_SIZES } from '../../../../electron/contract/paper.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LANGUAGES, localeOf } from '../../../../electron/contract/language.ts'
import type { AffordableRewards } from '../../../../electron/contract/affordable-rewards.ts'
import { type Box, paperLayout, type PlacedItem } from '../../../../electron/main/slip-pdf/column.ts'
import type { SlipDocument } from '../../../../electron/main/slip-pdf/slip-document.ts'
import { UrlTooLongError } from '../../../../electron/images/qr-code.ts'
import { allFonts, anySlip, composed, pngOf } from './sample-slips.ts'
import { sampleSlip } from '../../../support/sample-slip.ts'

const ROLL_58 = paperLayout('58mm')
const ROLL_80 = paperLayout('80mm')

const fonts = await allFonts()
const anyPaper = fc.constantFrom(...PAPER_SIZES.map((size) => paperLayout(size)))

const overlap = (one: Box, other: Box): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height

/** Boxes that nothing else may touch: a band is there to have its white text on it. */
const exclusive = (items: readonly PlacedItem[]): Box[] =>
  items.filter((item) => item.kind !== 'bar').map(({ box }) => box)

const textsOf = (items: readonly PlacedItem[]): string[] =>
  items.flatMap((item) => (item.kind === 'text' ? [item.line.text] : []))

const codesOf = (items: readonly PlacedItem[]) => items.flatMap((item) => (item.kind === 'qr' ? [item] : []))

describe('composing a slip', () => {
  it('keeps every text, code and logo on the printable width, and apart from every other', () => {
    fc.assert(
      fc.property(anySlip, anyPaper, (slip, paper) => {
        const { items, height } = composed(fonts, slip, paper)
        for (const { box } of items) {
          expect(box.x).toBeGreaterThanOrEqual(paper.left)
          expect(box.x + box.width).toBeLessThanOrEqual(paper.left + paper.width + 0.001)
          expect(box.y).toBeGreaterThanOrEqual(0)
          expect(box.y + box.height).toBeLessThanOrEqual(height)
        }
        const boxes = exclusive(items)
        for (const [index, box] of boxes.entries()) {
          for (const other of boxes.slice(index + 1)) expect(overlap(box, other)).toBe(false)
        }
      }),
      { numRuns: 100 }
    )
  })

  it('puts codes on whole dots, with modules of at least four and their quiet zones', () => {
    fc.assert(
      fc.property(anySlip, fc.constantFrom(ROLL_58, ROLL_80), (slip, paper) => {
        const codes = codesOf(composed(fonts, slip, paper).items)
        expect(codes.length).toBeGreaterThanOrEqual(1)
        for (const { box, module, code } of codes) {
          expect([box.x, box.y, module].every(Number.isInteger)).toBe(true)
          expect(module).toBeGreaterThanOrEqual(4)
          expect(box.width).toBe((code.size + 8) * module)
        }
        if (paper === ROLL_80) expect(codes[0]?.module).toBeGreaterThanOrEqual(6)
      }),
      { numRuns: 50 }
    )
  })

  it('shows the points once, in the largest type of the slip', () => {
    const { items } = composed(fonts, sampleSlip, ROLL_80)
    const sizes = items.flatMap((item) =>
      item.kind === 'text' ? [[item.line.style.size, item.line.text]] : []
    )
    sizes.sort(([one], [other]) => Number(other) - Number(one))
    expect(sizes[0]?.[1]).toBe('1,250')
  })

  it('omits missing parts: customer, address, footer', () => {
    const address = { street: '', city: ' ', state: '', country: '', zipCode: '' }
    const business = { name: 'Bar', address }
    const slip = { ...sampleSlip, customerName: null, business, footer: ' ', headline: ' ', tillName: ' ' }
    expect(textsOf(composed(fonts, slip, ROLL_80).items)).toEqual([
      'Bar',
      'Your points',
      '1,250',
      'Scan this code with your phone to collect them',
      'or type in the code',
      'K7QF-29XM',
      'Issued',
      '21 Nov 2026, 14:05'
    ])
  })

  it('shows every optional part of a business', () => {
    const { items, leftOut } = composed(
      fonts,
      {
        ...sampleSlip,
        headline: 'Thank you',
        footer: 'See you soon',
        tillName: 'Bar 1',
        logo: pngOf(40, 20),
        joinUrl: 'https://loyalty.example/join'
      },
      ROLL_80
    )
    expect(textsOf(items)).toEqual([
      'Corner Café',
      'Ermou 12',
      '10563 Athens, Attica, Greece',
      'Thank you',
      '1,250',
      'Scan this code with your phone to collect them',
      'or type in the code',
      'K7QF-29XM',
      'For',
      'Maria Papadopoulou',
      'Issued',
      '21 Nov 2026, 14:05',
      'Till',
      'Bar 1',
      'Join us',
      'Scan this code to start collecting',
      'points',
      'See you soon'
    ])
    expect(items[0]?.kind).toBe('picture')
    expect(codesOf(items)).toHaveLength(2)
    expect(leftOut).toEqual([])
  })

  it.each([
    ['en-GB', 'Collect by', '19 Feb 2027, 14:05'],
    ['ar-EG', 'الاستلام حتى', null]
  ])('shows a long code in groups, and until when it can be collected, in %s', (locale, label, moment) => {
    const slip = { ...sampleSlip, locale, code: 'AB2CD3EF4GH5', expiresAt: '2027-02-19T12:05:33.000Z' }
    for (const paper of [ROLL_58, ROLL_80]) {
      const texts = textsOf(composed(fonts, slip, paper).items)
      expect(texts).toContain('AB2C D3EF 4GH5')
      expect(texts.join('\n')).toContain(label)
      if (moment !== null) expect(texts).toContain(moment)
    }
  })

  it.each(LANGUAGES)(
    'says where the code can be typed in, on slips of the own service alone, in %s',
    (locale) => {
      const slip = { ...sampleSlip, locale, url: 'https://points.corner-cafe.example/q/AB2CD3EF4GH5' }
      const expiresAt = '2027-02-19T12:05:33.000Z'
      const isSaid = (part: Partial<SlipDocument>) =>
        [ROLL_58, ROLL_80].map((paper) =>
          textsOf(composed(fonts, { ...slip, ...part }, paper).items).includes('points.corner-cafe.example')
        )
      expect(isSaid({ expiresAt })).toEqual([true, true])
      expect(isSaid({})).toEqual([false, false])
      expect(isSaid({ expiresAt, training: true })).toEqual([false, false])
      expect(isSaid({ expiresAt, url: 'https://points.corner-cafe.example/vendor/q/AB2CD3EF4GH5' })).toEqual([
        false,
        false
      ])
    }
  )

  it.each([
    ['earned', 12, 'Points end 12 months after they are collected'],
    ['earned', 1, 'Points end 1 month after they are collected'],
    ['visit', 24, 'Points end 24 months after your last visit']
  ] as const)(
    'says below the details when points end that count since %s, after %i months',
    (since, months, said) => {
      for (const paper of PAPER_SIZES.map((size) => paperLayout(size))) {
        const texts = textsOf(composed(fonts, { ...sampleSlip, expiry: { months, since } }, paper).items)
        expect(texts.join(' ')).toContain(said)
      }
      expect(textsOf(composed(fonts, sampleSlip, ROLL_80).items).join(' ')).not.toContain('Points end')
    }
  )

  it('shows what the points buy below the details', () => {
    const linesWith = (affordable: AffordableRewards | null) => {
      const texts = textsOf(composed(fonts, { ...sampleSlip, affordable }, ROLL_80).items)
      return texts.slice(12).map((line) => line.replaceAll('\u200E', ''))
    }
    const next = { name: 'House mug', missing: 1040 }
    expect(linesWith({ best: 'Slice of pie', others: 3, next })).toEqual([
      'Once collected, you can have',
      'Slice of pie and 3 more',
      '1,040 more points for House mug'
    ])
    expect(linesWith({ best: null, others: 0, next })).toEqual(['1,040 more points for House mug'])
    expect(linesWith({ best: 'Tea', others: 0, next: null })).toEqual(['Once collected, you can have', 'Tea'])
    expect(linesWith(null)).toEqual([])
  })

  it('leaves out a broken logo and a second code that would be too fine, and reports it', () => {
    const slip = { ...sampleSlip, logo: new Uint8Array(20), joinUrl: `https://a.example/${'x'.repeat(600)}` }
    const { items, leftOut } = composed(fonts, slip, ROLL_58)
    expect(leftOut).toEqual(['logo', 'join-code'])
    expect(items.map(({ kind }) => kind)).not.toContain('picture')
    expect(codesOf(items)).toHaveLength(1)
    expect(textsOf(items)).not.toContain('Join us')
  })

  it('marks copies and training at both ends', () => {
    const ends = (changes: object): (string | undefined)[] => {
      const texts = textsOf(composed(fonts, { ...sampleSlip, ...changes }, ROLL_80).items)
      return [texts[0], texts.at(-1)]
    }
    expect(ends({ training: true })).toEqual(['TRAINING – NO VALUE', 'TRAINING – NO VALUE'])
    expect(ends({ copy: 3 })).toEqual(['COPY 3', 'COPY 3'])
    expect(ends({ copy: 3, training: true })).toEqual(['COPY 3', 'TRAINING – NO VALUE'])
    expect(textsOf(composed(fonts, { ...sampleSlip, copy: 0 }, ROLL_80).items).join()).not.toMatch(
      /COPY|TRAINING/
    )
  })

  it.each(LANGUAGES.flatMap((language) => PAPER_SIZES.map((paper) => [language, paper] as const)))(
    'cuts none of its own words in %s on %s',
    (language, paper) => {
      const slip = {
        ...sampleSlip,
        locale: localeOf(language, 'GR'),
        headline: '',
        tillName: '2',
        copy: 2,
        training: true,
        expiresAt: '2027-02-19T12:00:00.000Z',
        expiry: { months: 120, since: 'visit' } as const,
        affordable: { best: 'Tea', others: 3, next: { name: 'Cake', missing: 40 } },
        joinUrl: 'https://points.example/join/aroma'
      }
      const texts = textsOf(composed(fonts, slip, paperLayout(paper)).items)
      expect(texts.filter((text) => text.includes('…'))).toEqual([])
    }
  )

  it('truncates a long name with an ellipsis', () => {
    const { items } = composed(fonts, { ...sampleSlip, customerName: 'Maria '.repeat(50_000) }, ROLL_80)
    const lines = textsOf(items).filter((line) => line.includes('Maria'))
    expect(lines).toHaveLength(3)
    expect(lines.at(-1)).toMatch(/…$/)
  })

  it('prints the whole of a long code over several lines', () => {
    const code = '0123456789abcdef'.repeat(10)
    expect(textsOf(composed(fonts, { ...sampleSlip, code }, ROLL_80).items).join('')).toContain(code)
  })

  it.each([
    ['58mm', 800],
    ['80mm', 1300]
  ] as const)('refuses on %s a URL whose modules would be too small to scan', (paper, length) => {
    const url = `https://a.example/${'x'.repeat(length)}`
    expect(() => composed(fonts, { ...sampleSlip, url }, paperLayout(paper))).toThrow(UrlTooLongError)
  })
})
