/** Writes PNG files of two colours with smooth edges (PNG specification, third edition: W3C, 2025). */
import { createHash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import QRCode from 'qrcode'

/** Red, green and blue, each 0 to 255. */
export type Colour = readonly [number, number, number]

/** True where the drawing is; `x` and `y` run from 0 to 1, `y` downwards. */
export type Shape = (x: number, y: number) => boolean

const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)

const chunk = (type: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  framed.set(body, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}

/** A square picture of `size` pixels whose pixels are numbers of `palette` (256 colours at most). */
const indexedPng = (
  size: number,
  palette: readonly Colour[],
  pixelAt: (x: number, y: number) => number
): Uint8Array<ArrayBuffer> => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  // eight bits a pixel, colour type 3 (palette)
  header.set([8, 3, 0, 0, 0], 8)
  // each row starts with its filter, 0 for none
  const rows = new Uint8Array(size * (size + 1))
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) rows[y * (size + 1) + 1 + x] = pixelAt(x, y)
  }
  return Uint8Array.from(
    Buffer.concat([
      signature,
      chunk('IHDR', header),
      chunk('PLTE', Uint8Array.from(palette.flat())),
      chunk('IDAT', deflateSync(rows)),
      chunk('IEND', new Uint8Array(0))
    ])
  )
}

/** Samples along each side of a pixel: sixteen for the whole pixel. */
const samples = 4

/** Draws `shape` in `ink` on `paper`, with smooth edges, `size` pixels wide and high. */
const drawShape = (
  size: number,
  shape: Shape,
  { ink, paper }: { readonly ink: Colour; readonly paper: Colour }
): Uint8Array<ArrayBuffer> => {
  const steps = samples * samples
  const between = (part: 0 | 1 | 2, step: number): number =>
    Math.round(paper[part] + ((ink[part] - paper[part]) * step) / steps)
  const palette = Array.from({ length: steps + 1 }, (_, step): Colour => [
    between(0, step),
    between(1, step),
    between(2, step)
  ])
  const position = (pixel: number, sample: number): number => (pixel + (sample + 0.5) / samples) / size
  return indexedPng(size, palette, (x, y) => {
    let covered = 0
    for (let sample = 0; sample < steps; sample += 1) {
      const inside = shape(position(x, sample % samples), position(y, Math.floor(sample / samples)))
      covered += inside ? 1 : 0
    }
    return covered
  })
}

/* from avatar.ts: Avatars: a tile of four quarters for each customer, the same each time, and without a person in it. */

/** pixels */
const avatarSize = 96

const colours: readonly { readonly ink: Colour; readonly paper: Colour }[] = [
  { ink: [232, 111, 81], paper: [251, 231, 222] },
  { ink: [38, 110, 114], paper: [217, 238, 236] },
  { ink: [112, 86, 160], paper: [234, 228, 245] },
  { ink: [181, 119, 24], paper: [250, 238, 208] },
  { ink: [54, 104, 176], paper: [222, 233, 248] },
  { ink: [168, 63, 106], paper: [248, 224, 234] },
  { ink: [84, 124, 52], paper: [231, 241, 217] }
]

/** What may stand in a quarter, in its own coordinates. */
const figures: readonly Shape[] = [
  (x, y) => Math.hypot(x, y) <= 1,
  (x, y) => x + y <= 1,
  (x, y) => Math.hypot(x - 0.5, y - 0.5) <= 0.36,
  (x) => x <= 0.5
]

/** A figure, turned by `turns` quarters. */
const turned =
  (figure: Shape, turns: number): Shape =>
  (x, y) => {
    if (turns === 0) return figure(x, y)
    if (turns === 1) return figure(y, 1 - x)
    if (turns === 2) return figure(1 - x, 1 - y)
    return figure(1 - y, x)
  }

/** The avatar that belongs to `id`, as a PNG of 96 by 96 pixels. */
export const avatarPicture = (id: string): Uint8Array<ArrayBuffer> => {
  const digest = createHash('sha256').update(id).digest()
  const byteAt = (index: number): number => digest[index] ?? 0
  const colour = colours[byteAt(0) % colours.length] ?? { ink: [0, 0, 0], paper: [255, 255, 255] }
  const quarters = [1, 2, 3, 4].map((index): Shape => {
    const figure = figures[byteAt(index) & 3] ?? (() => false)
    return turned(figure, (byteAt(index) >> 2) & 3)
  })
  const shape: Shape = (x, y) => {
    const quarter = quarters[(x < 0.5 ? 0 : 1) + (y < 0.5 ? 0 : 2)]
    return quarter?.((x * 2) % 1, (y * 2) % 1) ?? false
  }
  return drawShape(avatarSize, shape, colour)
}

/* from logo.ts: The mark of the training shops: a cup on its saucer, under two curls of steam. */

/** pixels */
const logoSize = 256

/** A cup with straight upper walls and a round bottom. */
const bowl: Shape = (x, y) => {
  if (y < 0.42 || y > 0.72) return false
  const half = y < 0.54 ? 0.2 : 0.2 * Math.sqrt(Math.max(0, 1 - ((y - 0.54) / 0.19) ** 2))
  return Math.abs(x - 0.46) <= half
}

/** A ring, of which the bowl hides the left half. */
const handle: Shape = (x, y) => {
  const distance = Math.hypot(x - 0.67, y - 0.53)
  return distance <= 0.095 && distance >= 0.055 && x > 0.64
}

const saucer: Shape = (x, y) => {
  const beyond = Math.max(0, Math.abs(x - 0.48) - 0.26)
  return Math.hypot(beyond, y - 0.775) <= 0.02
}

/** A wave that stands upright, with round ends. */
const steam =
  (middle: number): Shape =>
  (x, y) => {
    if (y < 0.2 || y > 0.36) return false
    const wave = middle + 0.022 * Math.sin(((y - 0.2) / 0.16) * 2 * Math.PI)
    const end = Math.min(1, Math.min(y - 0.2, 0.36 - y) / 0.018)
    return Math.abs(x - wave) <= 0.018 * Math.sqrt(Math.max(0, 1 - (1 - end) ** 2))
  }

const parts: readonly Shape[] = [bowl, handle, saucer, steam(0.39), steam(0.53)]

let drawn: Uint8Array<ArrayBuffer> | undefined

/** The logo as a PNG of 256 by 256 pixels, drawn once. */
export const logoPicture = (): Uint8Array<ArrayBuffer> => {
  drawn ??= drawShape(logoSize, (x, y) => parts.some((part) => part(x, y)), {
    ink: [255, 247, 232],
    paper: [19, 78, 94]
  })
  return drawn
}

/* from code.ts: The image of a QR code, for callers that ask the service for one. */

/** pixels a module */
const scale = 8
/** modules, as ISO/IEC 18004 wants around a code */
const quietZone = 4

/** A PNG of the QR code that carries `text`. Throws when the text is too long for any QR code. */
export const codePicture = (text: string): Uint8Array<ArrayBuffer> => {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: 'M' })
  const dark = (column: number, row: number): boolean =>
    column >= 0 && row >= 0 && column < modules.size && row < modules.size && modules.get(row, column) === 1
  return indexedPng(
    (modules.size + 2 * quietZone) * scale,
    [
      [255, 255, 255],
      [0, 0, 0]
    ],
    (x, y) => (dark(Math.floor(x / scale) - quietZone, Math.floor(y / scale) - quietZone) ? 1 : 0)
  )
}
