import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { composeSlip, type Box } from '../../../../../electron/main/slips/layout/compose.ts'
import type { SlipDocument } from '../../../../../electron/main/slips/layout/document.ts'
import { createSlipLayout } from '../../../../../electron/main/slips/layout/layout.ts'
import { ROLL_80 } from '../../../../../electron/main/slips/layout/paper.ts'
import { readSlip, scan, slipPicture, type Picture } from '../../../../rigs/read-slip.ts'
import { fontsFolder } from '../till.ts'
import { anySlip, example, measuringText } from './slips.ts'

const layout = createSlipLayout(fontsFolder)

/** Dots: strokes may reach this far past a letter's own width. */
const BLUR = 4

/** First and last column with ink. */
function inkedColumns({ width, height, pixels }: Picture): [first: number, last: number] {
  let first = width
  let last = 0
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if ((pixels[y * width + x] ?? 255) > 200) continue
      first = Math.min(first, x)
      last = Math.max(last, x)
    }
  }
  return [first, last]
}

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
  for (const [index, value] of rest.entries()) {
    if (value < 128) places.push(`${String(index % width)},${String(Math.floor(index / width))}`)
  }
  return places
}

/** Where the code with its quiet zone stands. */
async function codeBox(slip: SlipDocument): Promise<Box> {
  const item = composeSlip(slip, ROLL_80, await measuringText()).items.find(({ kind }) => kind === 'qr')
  if (item === undefined) throw new Error('no code')
  return item.box
}

/** The pixels of a box row by row, black or white, without its outermost ones: they lie half outside. */
const insideOf = ({ pixels, width }: Picture, { x, y, width: columns, height }: Box): string[] =>
  Array.from({ length: height - 2 }, (_, row) => {
    const start = (y + 1 + row) * width + x
    return Array.from(pixels.subarray(start + 1, start + columns - 1), (value) =>
      value < 224 ? '#' : ' '
    ).join('')
  })

describe('a slip on paper', () => {
  it('shows the business, the points, the code and its QR, on 80 mm as long as its content', async () => {
    const slip = await readSlip(await layout(example))
    expect(slip.codes).toEqual([example.url])
    expect(slip.pages).toBe(1)
    expect(slip.widthMillimetres).toBeCloseTo(80, 2)
    expect(slip.heightMillimetres).toBeGreaterThan(80)
    expect(slip.heightMillimetres).toBeLessThan(120)
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

  it('scans as its URL, inside the printable width, whatever the names are', async () => {
    await fc.assert(
      fc.asyncProperty(anySlip, async (slip) => {
        const pdf = await layout(slip)
        const picture = await slipPicture(pdf)
        expect(await scan(picture)).toEqual([slip.url])
        const [first, last] = inkedColumns(picture)
        expect(first).toBeGreaterThanOrEqual(32)
        expect(last).toBeLessThan(32 + 576)
      }),
      { numRuns: 40 }
    )
  })

  it('has all its ink in the room that the layout keeps for it', async () => {
    const text = await measuringText()
    await fc.assert(
      fc.asyncProperty(anySlip, async (slip) => {
        const unmarked = { ...slip, practice: false }
        const { items } = composeSlip(unmarked, ROLL_80, text)
        expect(
          inkOutside(
            await slipPicture(await layout(unmarked)),
            items.map(({ box }) => box)
          )
        ).toEqual([])
      }),
      { numRuns: 40 }
    )
  })

  it('has the same bytes each time, whatever was laid out before', async () => {
    await fc.assert(
      fc.asyncProperty(anySlip, fc.array(anySlip, { maxLength: 3 }), async (slip, others) => {
        const fresh = await createSlipLayout(fontsFolder)(slip)
        for (const other of others) await layout(other)
        expect(Buffer.from(await layout(slip)).equals(fresh)).toBe(true)
      }),
      { numRuns: 12 }
    )
  })

  it('has the same bytes when several are laid out at once', async () => {
    const alone = await layout(example)
    const other = { ...example, customerName: 'Ольга' }
    const [one] = await Promise.all([layout(example), layout(other), layout({ ...other, practice: true })])
    expect(Buffer.from(one).equals(alone)).toBe(true)
  })

  it.each([
    ['accents', 'Zoë Łukasiewicz-Ångström, Čeněk Őry'],
    ['Greek', 'Ελένη Παπαδοπούλου'],
    ['Cyrillic', 'Ольга Преображенская'],
    ['Vietnamese', 'Nguyễn Thị Hương Đặng, Hiệp Ỷ Ẵ ỹ'],
    ['the same letter with a mark first and without it then', 'Thị Hi í i ǰ j'],
    ['Vietnamese, decomposed', 'Nguyễn Thị Hương Đặng'.normalize('NFD')]
  ])('keeps %s to be searched and copied', async (_script, customerName) => {
    const { text } = await readSlip(await layout({ ...example, customerName }))
    expect(text.normalize('NFC')).toContain(`For ${customerName.normalize('NFC')}`)
  })

  it('shows a mark for each character that no font has, and never fails for one', async () => {
    const { text } = await readSlip(await layout({ ...example, customerName: 'Bar 中村 فٕلاکلینڑ 👩‍👩‍👧' }))
    expect(text).toMatch(/For Bar \uFFFD\uFFFD \uFFFD{8,9} \uFFFD\n/)
  })

  it('marks practice across the slip, and leaves the code and its quiet zone as they are', async () => {
    const plain = await slipPicture(await layout(example))
    const pdf = await layout({ ...example, practice: true })
    const marked = await slipPicture(pdf)
    const inMark = ({ pixels }: Picture): number => pixels.filter((value) => value === 0xcf).length
    expect(inMark(marked)).toBeGreaterThan(inMark(plain) + 5000)
    expect(insideOf(marked, await codeBox({ ...example, practice: true }))).toEqual(
      insideOf(plain, await codeBox(example))
    )
    const { text, codes } = await readSlip(pdf)
    expect(text.match(/PRACTICE – NO VALUE/g)).toHaveLength(2)
    expect(codes).toEqual([example.url])
  })

  it('fails for a folder without fonts', async () => {
    await expect(createSlipLayout('/nowhere')(example)).rejects.toThrow('ENOENT')
  })
})
