/** PNGs of every kind, decoded as pngjs does, which needs three times the memory. */
import { deflateSync } from 'node:zlib'
import { PNG } from 'pngjs'
import { expect, it } from 'vitest'
import { decodePng, inflatedBytes, readPng } from '../../../electron/images/png.ts'
import { pngChunk, pngHeader, pngOf, type PngKind } from '../../support/png-file.ts'
import { seededRandom } from '../../support/seeded-random.ts'

/** Colour types with the samples of a pixel and the bits that each can have (PNG specification, 11.2.2). */
const KINDS = [
  [0, 1, [1, 2, 4, 8, 16]],
  [2, 3, [8, 16]],
  [3, 1, [1, 2, 4, 8]],
  [4, 2, [8, 16]],
  [6, 4, [8, 16]]
] as const
const SIZES = [
  [1, 1],
  [2, 3],
  [5, 4],
  [9, 8],
  [33, 17]
] as const

const ONE_PASS = [[0, 0, 1, 1]] as const
/** The first column and row of each pass, and the distance to the next ones (8.2). */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2]
] as const

const random = seededRandom(20_261_128)
const randomBytes = (length: number): Buffer =>
  Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)))

/** Any bytes are the content of a PNG of this length, if each row begins with a filter. */
const randomContent = (kind: PngKind): Buffer => {
  const empty = readPng(pngOf(kind, Buffer.of()))
  const content = randomBytes(inflatedBytes(empty))
  const bits = kind.depth * (KINDS.find(([colour]) => colour === kind.colour)?.[1] ?? 0)
  let at = 0
  for (const [column, row, columns, rows] of kind.isInterlaced ? PASSES : ONE_PASS) {
    const across = Math.ceil((kind.width - column) / columns)
    const down = Math.ceil((kind.height - row) / rows)
    for (let y = 0; across > 0 && y < down; y += 1) {
      content[at] = Math.floor(random() * 5)
      at += 1 + Math.ceil((across * bits) / 8)
    }
  }
  expect(at).toBe(content.length)
  return content
}

const PALETTE = pngChunk('PLTE', randomBytes(768))

it.each(
  KINDS.flatMap(([colour, , depths]) =>
    depths.flatMap((depth) => [false, true].map((isInterlaced) => ({ colour, depth, isInterlaced })))
  )
)('decodes %j as another decoder', (kind) => {
  const transparent = new Map([
    [0, randomBytes(2)],
    [2, randomBytes(6)],
    [3, randomBytes(100)]
  ]).get(kind.colour)
  for (const [width, height] of SIZES) {
    const whole = { ...kind, width, height }
    for (const clear of transparent === undefined ? [[]] : [[], [pngChunk('tRNS', transparent)]]) {
      const others = kind.colour === 3 ? [PALETTE, ...clear] : clear
      const file = pngOf(whole, randomContent(whole), others)
      const decoded = decodePng(readPng(file))
      const expected = PNG.sync.read(file)
      expect([decoded.width, decoded.height]).toEqual([width, height])
      expect(Buffer.from(decoded.data).equals(expected.data)).toBe(true)
    }
  }
})

const KIND: PngKind = { width: 4, height: 2, depth: 8, colour: 0, isInterlaced: false }
const CONTENT = Buffer.alloc(10)

it.each([
  ['content that is longer than its size', pngOf(KIND, Buffer.alloc(11))],
  ['content that is shorter than its size', pngOf(KIND, Buffer.alloc(9))],
  ['an unknown filter', pngOf(KIND, Buffer.alloc(10, 5))],
  ['a wrong CRC', pngOf(KIND, CONTENT).fill(1, 29, 33)],
  ['another depth', pngOf({ ...KIND, depth: 3 }, CONTENT)],
  ['another colour type', pngOf({ ...KIND, colour: 1 }, CONTENT)],
  ['an unknown chunk that has to be known', pngOf(KIND, CONTENT, [pngChunk('ABCD', Buffer.of())])],
  ['a second header', pngOf(KIND, CONTENT, [pngHeader(KIND)])],
  [
    'a colour that is not in the palette',
    pngOf({ ...KIND, colour: 3 }, Buffer.alloc(10, 1), [pngChunk('PLTE', Buffer.alloc(3))])
  ],
  ['no palette', pngOf({ ...KIND, colour: 3 }, CONTENT)],
  ['no end', pngOf(KIND, CONTENT).subarray(0, -12)],
  [
    'content that is no zlib stream',
    Buffer.concat([
      pngOf(KIND, CONTENT).subarray(0, 33),
      pngChunk('IDAT', deflateSync(CONTENT).subarray(2)),
      pngChunk('IEND', Buffer.of())
    ])
  ]
])('refuses a PNG with %s', (_, file) => {
  expect(() => decodePng(readPng(file))).toThrow()
})
