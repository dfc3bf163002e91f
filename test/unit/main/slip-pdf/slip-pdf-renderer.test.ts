import fc from 'fast-check'
import { PNG } from 'pngjs'
import { describe, expect, it } from 'vitest'
import { dotsOf, PAPER_SIZES, type PaperSize } from '../../../../electron/contract/paper.ts'
import { SlipPdfRenderer } from '../../../../electron/main/slip-pdf/slip-pdf-renderer.ts'
import { type Box, paperLayout, type PaperLayout } from '../../../../electron/main/slip-pdf/column.ts'
import { createLogoReader } from '../../../../electron/main/slip-pdf/logo.ts'
import { UrlTooLongError } from '../../../../electron/images/qr-code.ts'
import { readSlip, scan, slipPicture, type Picture } from '../../../support/read-slip.ts'
import { fontsFolder } from '../slips/slip-service-fixture.ts'
import { allFonts, anySlip, composed, pngOf, renderer, renderSlips } from './sample-slips.ts'
import { sampleSlip } from '../../../support/sample-slip.ts'
import { FULL } from '../../../support/size.ts'
import { targetOf } from '../../../support/print-target.ts'

const ROLL_80 = paperLayout('80mm')

const fonts = await allFonts()
const anyPaper = fc.constantFrom(...PAPER_SIZES)

/** Dots that a stroke's edge may take beyond its own: half grey ones. */
const BLUR = 2

/** Lighter than this is no dot of a printer. */
const INK = 128

/** First and last column with ink. */
function inkedColumns({ width, height, pixels }: Picture): [first: number, last: number] {
  let first = width
  let last = 0
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if ((pixels[y * width + x] ?? 255) >= INK) continue
      first = Math.min(first, x)
      last = Math.max(last, x)
    }
  }
  return [first, last]
}

/**
 * Columns that ink may take: a roll's printable area, and on a sheet what is clear of its edges by 5 mm. The picture of
 * a page has whole pixels and its page has not, so that the last column can be one further.
 */
const inkRange = ({ left, width, sheet }: PaperLayout, pageWidth: number): [first: number, last: number] =>
  sheet === null ? [left, left + width] : [40, pageWidth - 41]

/** Places with ink that lie in none of the boxes, nor within a stroke's blur of one. */
function inkOutside({ width, height, pixels }: Picture, boxes: readonly Box[]): string[] {
  const rest = Uint8Array.from(pixels)
  for (const box of boxes) {
    const left = Math.floor(box.x) - BLUR
    const right = Math.ceil(box.x + box.width) + BLUR
    for (let y = Math.max(0, box.y - BLUR); y < Math.min(height, box.y + box.height + BLUR); y++) {
      rest.fill(255, y * width + Math.max(0, left), y * width + Math.min(width, right))
    }
  }
  const places: string[] = []
  for (let index = 0; index < rest.length; index++) {
    if ((rest[index] ?? 255) < INK)
      places.push(`${String(index % width)},${String(Math.floor(index / width))}`)
  }
  return places
}

/** The codes on a slip that can be scanned, in no order. */
const scanned = async (pdf: Uint8Array): Promise<string[]> => (await scan(await slipPicture(pdf))).sort()

describe('a slip on paper', () => {
  it('shows the business, the points, the code and its QR, on 80 mm as long as its content', async () => {
    const { pdf, ...sizes } = await renderSlips(sampleSlip)
    const slip = await readSlip(pdf)
    expect(slip.codes).toEqual([sampleSlip.url])
    expect(slip.pages).toBe(1)
    expect(slip.widthMillimetres).toBeCloseTo(80, 2)
    expect(slip.heightMillimetres).toBeCloseTo(sizes.heightMillimetres, 2)
    expect(slip.heightMillimetres).toBeGreaterThan(80)
    expect(slip.heightMillimetres).toBeLessThan(120)
    expect(sizes).toMatchObject({ widthMillimetres: 80, pages: 1, missing: [], leftOut: [] })
    expect(slip.text.split('\n')).toEqual([
      'Corner Café',
      'Ermou 12',
      '10563 Athens, Attica, Greece',
      'Your points',
      '1,250',
      'Scan this code with your phone to collect them',
      'or type in the code',
      'K7QF-29XM',
      'For Maria Papadopoulou',
      'Issued 21 Nov 2026, 14:05'
    ])
  })

  it.each([
    ['58mm', 58, null],
    ['80mm', 80, null],
    ['A6', 105, 148],
    ['A4', 210, 297]
  ] as const)('has the size of %s paper', async (paper, width, height) => {
    const { pdf, widthMillimetres, heightMillimetres } = await renderSlips({ ...sampleSlip, copy: 1 }, paper)
    const page = await readSlip(pdf)
    expect(widthMillimetres).toEqual(width)
    expect(page.widthMillimetres).toBeCloseTo(width, 2)
    expect(page.heightMillimetres).toBeCloseTo(height ?? heightMillimetres, 2)
    expect(page.codes).toEqual([sampleSlip.url])
  })

  it('scans as its URL, inside the printable width, for all names and papers', async () => {
    await fc.assert(
      fc.asyncProperty(anySlip, anyPaper, async (slip, paper) => {
        const { pdf, leftOut, pages } = await renderSlips(slip, paper)
        const codes: string[] = []
        for (let page = 0; page < pages; page++) {
          const picture = await slipPicture(pdf, undefined, page)
          codes.push(...(await scan(picture)))
          const [first, last] = inkedColumns(picture)
          const [least, most] = inkRange(paperLayout(paper), picture.width)
          expect(first).toBeGreaterThanOrEqual(least)
          expect(last).toBeLessThanOrEqual(most)
        }
        const withJoin = slip.joinUrl && !leftOut.includes('join-code')
        expect(codes.sort()).toEqual([slip.url, ...(withJoin ? [slip.joinUrl] : [])].sort())
      }),
      { numRuns: FULL ? 40 : 15 }
    )
  })

  it('has all its ink inside the boxes of the layout', async () => {
    await fc.assert(
      fc.asyncProperty(anySlip, fc.constantFrom<PaperSize>('58mm', '80mm'), async (slip, paper) => {
        const unmarked = { ...slip, training: false }
        const { items } = composed(fonts, unmarked, paperLayout(paper))
        const { pdf } = await renderSlips(unmarked, paper)
        const boxes = items.map(({ box }) => box)
        expect(inkOutside(await slipPicture(pdf), boxes)).toEqual([])
      }),
      { numRuns: FULL ? 40 : 15 }
    )
  })

  it('has the same bytes each time, independent of earlier slips', async () => {
    await fc.assert(
      fc.asyncProperty(
        anySlip,
        anyPaper,
        fc.array(anySlip, { maxLength: 3 }),
        async (slip, paper, others) => {
          const fresh = await new SlipPdfRenderer(fontsFolder).renderSlips([slip], targetOf(paper))
          for (const other of others) await renderSlips(other)
          expect(Buffer.from((await renderSlips(slip, paper)).pdf).equals(fresh.pdf)).toBe(true)
        }
      ),
      { numRuns: FULL ? 12 : 5 }
    )
  })

  it('has the same bytes when several are laid out at once', async () => {
    const alone = await renderSlips(sampleSlip)
    const other = { ...sampleSlip, customerName: 'Ольга' }
    const [one] = await Promise.all([
      renderSlips(sampleSlip),
      renderSlips(other),
      renderSlips({ ...other, training: true })
    ])
    expect(Buffer.from(one.pdf).equals(alone.pdf)).toBe(true)
  })

  it('puts several slips on pages of one size', async () => {
    const longer = { ...sampleSlip, customerName: 'Maria '.repeat(20), code: 'SECOND' }
    const job = await renderSlips([sampleSlip, longer, { ...sampleSlip, customerName: '中村' }])
    const alone = await renderSlips(longer)
    const { pages, text } = await readSlip(job.pdf)
    expect(job.pages).toBe(3)
    expect(pages).toBe(3)
    expect(job.heightMillimetres).toBe(alone.heightMillimetres)
    expect(text).toContain('K7QF-29XM')
    await expect(renderSlips([])).rejects.toThrow('no slip')
  })

  it('shows a placeholder for each character that no font has, and reports it', async () => {
    const { pdf, missing } = await renderSlips({ ...sampleSlip, customerName: 'Bar 𐀀𓀀 ok' })
    expect((await readSlip(pdf)).text).toContain('For Bar \uFFFD\uFFFD ok\n')
    expect(missing).toEqual(['𐀀', '𓀀'])
  })

  it('draws a logo as black dots, and prints without one that is broken', async () => {
    const plain = await renderSlips(sampleSlip)
    const withLogo = await renderSlips({ ...sampleSlip, logo: pngOf(200, 100) })
    const broken = await renderSlips({ ...sampleSlip, logo: new Uint8Array(99) })
    expect(withLogo.heightMillimetres).toBeCloseTo(plain.heightMillimetres + (160 + 16) / 8, 0)
    const { pixels, width } = await slipPicture(withLogo.pdf)
    const middle = (28 + 80) * width + 320
    expect(pixels[middle]).toBe(0)
    expect(pixels[middle - 150]).toBe(255)
    expect(broken.leftOut).toEqual(['logo'])
    expect(Buffer.from(broken.pdf).equals(plain.pdf)).toBe(true)
  })

  it.each([
    ['58mm', 384],
    ['80mm', 512],
    ['80mm', 576],
    ['80mm', 640],
    ['A6', null]
  ] as const)(
    'draws each dot of a grey logo in its place on %s with a head of %s dots',
    async (paper, headWidth) => {
      const picture = new PNG({ width: 64, height: 64 })
      for (let at = 0; at < picture.data.length; at += 4) picture.data.set([70, 70, 70, 255], at)
      const logo = PNG.sync.write(picture)
      const { pdf } = await renderer.renderSlips([{ ...sampleSlip, logo }], targetOf(paper, { headWidth }))
      const { pixels, width } = await slipPicture(pdf)
      const { logoHeight } = paperLayout(paper, headWidth)
      const dots = createLogoReader()(logo, { width: logoHeight, height: logoHeight })?.dots ?? []
      const top = Math.floor(pixels.findIndex((value) => value < INK) / width)
      const left = Math.round((width - logoHeight) / 2)
      const printed = Array.from(dots, (_, index) => {
        const [x, y] = [left + (index % logoHeight), top + Math.floor(index / logoHeight)]
        return Number((pixels[y * width + x] ?? 255) < INK)
      })
      expect(printed.filter((dot, index) => dot !== dots[index])).toHaveLength(0)
    }
  )

  it('marks training across the slip, and leaves the code and its quiet zone as they are', async () => {
    const plain = await slipPicture((await renderSlips(sampleSlip)).pdf)
    const { pdf } = await renderSlips({ ...sampleSlip, training: true })
    const marked = await slipPicture(pdf)
    const inMark = ({ pixels }: Picture): number => pixels.filter((value) => value === 0xcf).length
    expect(inMark(marked)).toBeGreaterThan(inMark(plain) + 5000)
    expect(insideOf(marked, codeBox({ ...sampleSlip, training: true }))).toEqual(
      insideOf(plain, codeBox(sampleSlip))
    )
    const { text, codes } = await readSlip(pdf)
    expect(text.match(/TRAINING – NO VALUE/g)).toHaveLength(2)
    expect(codes).toEqual([sampleSlip.url])
  })

  it.each([
    ['80mm', 32, 576],
    ['58mm', 40, 384]
  ] as const)(
    'on %s without the margins of the roll has the same code, dot for dot',
    async (paper, left, width) => {
      const { pdf, code } = await renderer.renderSlips([sampleSlip], targetOf(paper))
      const narrow = await renderer.renderSlips([sampleSlip], targetOf(paper, { isHeadWide: true }))
      const [page, head] = [await slipPicture(pdf), await slipPicture(narrow.pdf)]
      expect([head.width, head.height]).toEqual([width, page.height])
      const rowOf = (picture: typeof page, y: number, from: number): string =>
        Array.from({ length: width }, (_, x) =>
          Number((picture.pixels[y * picture.width + from + x] ?? 0) < 128)
        ).join('')
      const [top, bottom] = [code.topMillimetres, code.bottomMillimetres].map((length) =>
        Math.round(dotsOf(length))
      )
      const rows = Array.from({ length: (bottom ?? 0) - (top ?? 0) }, (_, row) => (top ?? 0) + row)
      expect(rows.length).toBeGreaterThan(200)
      expect(rows.map((y) => rowOf(head, y, 0))).toEqual(rows.map((y) => rowOf(page, y, left)))
    }
  )

  it('returns the position of its code', async () => {
    const { code } = await renderSlips(sampleSlip)
    const box = codeBox(sampleSlip)
    expect(code.content).toBe(sampleSlip.url)
    expect(code.moduleDots).toBe(8)
    expect(code.topMillimetres).toBeCloseTo((box.y / 203) * 25.4, 6)
    expect(code.bottomMillimetres).toBeCloseTo(((box.y + box.height) / 203) * 25.4, 6)
  })

  it('refuses a code that would be too fine', async () => {
    const slip = { ...sampleSlip, url: `https://a.example/${'x'.repeat(1000)}` }
    await expect(renderSlips(slip, '58mm')).rejects.toThrow(UrlTooLongError)
    expect(await scanned((await renderSlips(slip, 'A6')).pdf)).toEqual([slip.url])
  })

  it('fails for a folder without fonts', async () => {
    await expect(new SlipPdfRenderer('/nowhere').renderSlips([sampleSlip], targetOf('80mm'))).rejects.toThrow(
      'ENOENT'
    )
  })
})

/** The position of the code with its quiet zone. */
function codeBox(slip: typeof sampleSlip): Box {
  const item = composed(fonts, slip, ROLL_80).items.find(({ kind }) => kind === 'qr')
  if (item === undefined) throw new Error('no code')
  return item.box
}

/** The pixels of a box row by row, black or white, without its outermost ones: they lie half outside. */
function insideOf({ pixels, width }: Picture, { x, y, width: columns, height }: Box): string[] {
  return Array.from({ length: height - 2 }, (_, row) => {
    const start = (y + 1 + row) * width + x
    return Array.from(pixels.subarray(start + 1, start + columns - 1), (value) =>
      value < 224 ? '#' : ' '
    ).join('')
  })
}
