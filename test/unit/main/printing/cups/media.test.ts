/** What a queue reports of its sizes, and what a job asks for. `paper-sizes.test.ts` compares it with what is printed. */
import { describe, expect, test } from 'vitest'
import { PAPERS, type PaperSize } from '../../../../../electron/contract/paper.ts'
import type { IppAttributes, IppValue } from '../../../../../electron/main/printing/cups/ipp.ts'
import {
  customMarginsOf,
  hasCustomSizes,
  mediaName,
  parseMedia,
  sizeOption
} from '../../../../../electron/main/printing/cups/media.ts'
import { offeredPapers, pagesOf } from '../../../../../electron/main/printing/pages.ts'

type Length = number | { readonly from: number; readonly to: number }

const collection = (members: Readonly<Record<string, IppValue>>): IppValue => ({
  members: new Map(Object.entries(members).map(([name, value]) => [name, [value]]))
})
const size = (x: Length, y: Length): IppValue => collection({ 'x-dimension': x, 'y-dimension': y })

/** A size of a queue, with its margins in hundredths of a millimetre. */
const media = (x: Length, y: Length, sides: number, ends: number): IppValue =>
  collection({
    'media-size': size(x, y),
    'media-left-margin': sides,
    'media-right-margin': sides,
    'media-top-margin': ends,
    'media-bottom-margin': ends
  })

const attributes = (values: Readonly<Record<string, readonly IppValue[]>>): IppAttributes =>
  new Map(Object.entries(values))

const ANY_LENGTH = { from: 2000, to: 300_000 }
const page = (paper: PaperSize, length = 120) => {
  const { widthMillimetres, sheet } = PAPERS[paper]
  return pagesOf({ widthMillimetres, heightMillimetres: sheet?.heightMillimetres ?? length })
}
/** The options for the page of a paper, and for that of its print head. */
const optionsFor = (paper: PaperSize, ...queues: Parameters<typeof parseMedia>[0][]) =>
  page(paper).map(
    (one) =>
      sizeOption(
        queues.map((queue) => parseMedia(queue, null)),
        one
      )?.[2][0] ?? null
  )

const sheets = (ends: number, ...more: readonly IppValue[]): IppAttributes =>
  attributes({
    'media-supported': ['na_letter_8.5x11in', 'iso_a4_210x297mm', 'iso_a6_105x148mm'],
    'media-size-supported': [size(21_590, 27_940), size(20_990, 29_704), size(10_478, 14_817)],
    'media-col-database': [media(20_990, 29_704, 635, ends), media(10_478, 14_817, 635, ends), ...more]
  })
const range = (x: Length, margin = 0): IppAttributes =>
  attributes({
    'media-supported': ['custom_min_48x20mm', 'custom_max_80x3000mm'],
    'media-size-supported': [size(x, ANY_LENGTH)],
    'media-top-margin-supported': [0, margin]
  })

describe('a page', () => {
  test('is asked for by the name of a size that is the same but for rounding', () => {
    expect(optionsFor('A4', sheets(635))).toEqual(['iso_a4_210x297mm'])
    expect(optionsFor('A6', sheets(635))).toEqual(['iso_a6_105x148mm'])
    expect(optionsFor('80mm', sheets(0))).toEqual([null, null])
  })

  test('is refused on a size of which the printer does not reach enough', () => {
    expect(optionsFor('A6', sheets(700))).toEqual([null])
    expect(optionsFor('A4', sheets(1270))).toEqual(['iso_a4_210x297mm'])
    expect(optionsFor('A4', sheets(1320))).toEqual([null])
    // The widest of its margins, since CUPS may choose either.
    expect(optionsFor('A4', sheets(0, media(20_990, 29_704, 0, 2000)))).toEqual([null])
  })

  test('is asked for by its measures within a range', () => {
    const widths = { from: 4800, to: 8000 }
    expect(optionsFor('80mm', range(widths))).toEqual(['Custom.80x120mm', 'Custom.72.07x120mm'])
    expect(optionsFor('58mm', range({ from: 4800, to: 5690 }))).toEqual([null, 'Custom.48.05x120mm'])
    expect(optionsFor('A6', range(widths))).toEqual([null])
    expect(optionsFor('80mm', range(widths, 635))).toEqual([null, null])
  })

  test('is asked for by what all queues of a class have', () => {
    expect(optionsFor('A6', sheets(0), sheets(635))).toEqual(['iso_a6_105x148mm'])
    expect(optionsFor('A6', sheets(0), range({ from: 4800, to: 20_000 }))).toEqual([null])
    expect(optionsFor('80mm', range(8000), range({ from: 5000, to: 9000 }))[0]).toBe('Custom.80x120mm')
    expect(optionsFor('80mm', range(8000), attributes({}))).toEqual([null, null])
  })
})

test('the margins of custom sizes are those of the PPD file, in points: left, bottom, right, top', () => {
  expect(customMarginsOf('*MaxMediaWidth: "576"\n*HWMargins: 72 0 36 144\n')).toEqual({
    left: 25.4,
    bottom: 0,
    right: 12.7,
    top: 50.8
  })
  expect(customMarginsOf('*HWMargins: "0 0 0 0"')).toEqual(customMarginsOf('*PPD-Adobe: "4.3"'))
  expect(hasCustomSizes(range(8000))).toBe(true)
  expect(hasCustomSizes(sheets(0))).toBe(false)
})

test('sizes are named by their measures, and papers offered that print at any length of a slip', () => {
  const short = parseMedia(range(8000), null).map((one) => ({ ...one, height: { from: 20, to: 150 } }))
  expect(short.map(mediaName)).toEqual(['80 × 20–150 mm'])
  const takes = (document: { widthMillimetres: number; heightMillimetres: number }): boolean =>
    pagesOf(document).some((one) => sizeOption([short], one) !== null)
  expect(offeredPapers(takes, ['a', 'a'])).toEqual({ papers: [], sizes: ['a'] })
  const long = short.map((one) => ({ ...one, height: { from: 20, to: 250 } }))
  const takesLong: typeof takes = (document) =>
    pagesOf(document).some((one) => sizeOption([long], one) !== null)
  expect(offeredPapers(takesLong, []).papers).toEqual(['80mm'])
  expect(offeredPapers(takesLong, [], 260).papers).toEqual([])
})
