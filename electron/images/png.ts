/**
 * Decodes PNGs of every kind (PNG specification, third edition) in little more memory than their content and pixels. All chunks
 * are read before anything is inflated. Numbers of sections are those of the specification.
 */
import { crc32, inflateSync } from 'node:zlib'

/** The pixels of an image: red, green, blue and alpha of each, line by line. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** What a PNG says of itself, and its content, which is not inflated yet. */
export interface PngFile {
  readonly width: number
  readonly height: number
  /** bits of a sample */
  readonly depth: number
  /** the colour type (11.2.2) */
  readonly colour: number
  readonly isInterlaced: boolean
  readonly content: Uint8Array
  readonly palette: Uint8Array | null
  /** what is transparent (11.3.2.1) */
  readonly transparent: Buffer | null
}

/** Samples of a pixel, and the bits that each can have, by the colour type (11.2.2). */
const COLOURS: Readonly<Record<number, { readonly samples: number; readonly depths: readonly number[] }>> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] }
}

/** The first column and row of each pass, and the distance to the next ones (8.2). */
type Pass = readonly [column: number, row: number, columns: number, rows: number]
const ONE_PASS: readonly Pass[] = [[0, 0, 1, 1]]
const PASSES: readonly Pass[] = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2]
]

/** Reads all chunks of a PNG (5.3: length, type, content, CRC). Throws for one that is damaged or contradicts itself. */
export const readPng = (bytes: Buffer): PngFile => {
  if (bytes.readUInt32BE(8) !== 13 || bytes.toString('latin1', 12, 16) !== 'IHDR')
    throw new Error('no header')
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  const [depth = 0, colour = 0, compression, filter, interlace = 2] = bytes.subarray(24, 29)
  const isKnown = COLOURS[colour]?.depths.includes(depth) === true && compression === 0 && filter === 0
  if (!isKnown || interlace > 1) throw new Error('another kind')
  const content: Buffer[] = []
  const chunks = new Map<string, Buffer>()
  for (let offset = 8; ;) {
    const end = offset + 12 + bytes.readUInt32BE(offset)
    if (end > bytes.length) throw new RangeError('cut off')
    const type = bytes.toString('latin1', offset + 4, offset + 8)
    if (crc32(bytes.subarray(offset + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) throw new Error('CRC')
    const data = bytes.subarray(offset + 8, end - 4)
    if (type === 'IDAT') content.push(data)
    else if (type === 'IEND') break
    else if (chunks.has(type) && /^(?:IHDR|PLTE|tRNS)$/.test(type)) throw new Error(`several ${type}`)
    else if (/^[A-Z]/.test(type) && !/^(?:IHDR|PLTE)$/.test(type)) throw new Error(`unknown ${type}`)
    else chunks.set(type, data)
    offset = end
  }
  return {
    ...{ width, height, depth, colour, isInterlaced: interlace === 1 },
    content: content.length === 1 ? (content[0] ?? Buffer.of()) : Buffer.concat(content),
    palette: chunks.get('PLTE') ?? null,
    transparent: chunks.get('tRNS') ?? null
  }
}

const bitsOf = ({ depth, colour }: PngFile): number => depth * (COLOURS[colour]?.samples ?? 0)

/** The passes that have pixels, with their width and height. */
const passesOf = ({ width, height, isInterlaced }: PngFile) =>
  (isInterlaced ? PASSES : ONE_PASS)
    .map((pass) => {
      const [column, row, columns, rows] = pass
      return { pass, across: Math.ceil((width - column) / columns), down: Math.ceil((height - row) / rows) }
    })
    .filter(({ across, down }) => across > 0 && down > 0)

/** Returns the bytes of the content when it is inflated: each row has one more, for its filter (7.2, 8.2). */
export const inflatedBytes = (file: PngFile): number =>
  passesOf(file).reduce(
    (sum, { across, down }) => sum + down * (1 + Math.ceil((across * bitsOf(file)) / 8)),
    0
  )

const paeth = (left: number, above: number, aboveLeft: number): number => {
  const estimate = left + above - aboveLeft
  const [toLeft, toAbove] = [Math.abs(estimate - left), Math.abs(estimate - above)]
  const toAboveLeft = Math.abs(estimate - aboveLeft)
  if (toLeft <= toAbove && toLeft <= toAboveLeft) return left
  return toAbove <= toAboveLeft ? above : aboveLeft
}

/**
 * Undoes the filter of a row in place (9.2), each filter in a loop of its own: a large image has sixteen million bytes.
 * @param above the row before, or zeros @param step bytes of a pixel, at least one
 */
const unfilter = (filter: number, row: Uint8Array, above: Uint8Array, step: number): void => {
  if (filter > 4) throw new Error('unknown filter')
  const { length } = row
  // To the left of the first pixel are zeros.
  for (let at = 0; filter > 1 && at < Math.min(step, length); at += 1) {
    const up = above[at] ?? 0
    row[at] = (row[at] ?? 0) + (filter === 3 ? up >> 1 : up)
  }
  if (filter === 1) {
    for (let at = step; at < length; at += 1) row[at] = (row[at] ?? 0) + (row[at - step] ?? 0)
  } else if (filter === 2) {
    for (let at = step; at < length; at += 1) row[at] = (row[at] ?? 0) + (above[at] ?? 0)
  } else if (filter === 3) {
    for (let at = step; at < length; at += 1)
      row[at] = (row[at] ?? 0) + (((row[at - step] ?? 0) + (above[at] ?? 0)) >> 1)
  } else if (filter === 4) {
    for (let at = step; at < length; at += 1)
      row[at] = (row[at] ?? 0) + paeth(row[at - step] ?? 0, above[at] ?? 0, above[at - step] ?? 0)
  }
}

/** Returns a sample of a row as the file has it. */
const sampleAt = (row: Uint8Array, index: number, depth: number): number => {
  if (depth === 8) return row[index] ?? 0
  if (depth === 16) return ((row[index * 2] ?? 0) << 8) | (row[index * 2 + 1] ?? 0)
  const bit = index * depth
  return ((row[bit >> 3] ?? 0) >> (8 - depth - (bit & 7))) & ((1 << depth) - 1)
}

/** Returns what writes pixel `index` of a row as red, green, blue and alpha (13.13: samples are scaled to eight bits). */
const pixelWriter = ({ depth, colour, palette, transparent }: PngFile, data: Uint8Array) => {
  const eightBits = (sample: number): number =>
    depth === 8 ? sample : Math.round((sample * 255) / ((1 << depth) - 1))
  const clear = transparent !== null && transparent.length >= 6 && colour === 2
  const [clearRed, clearGreen, clearBlue] = clear ? [0, 2, 4].map((at) => transparent.readUInt16BE(at)) : []
  const clearGrey =
    transparent !== null && transparent.length >= 2 && colour === 0 ? transparent.readUInt16BE(0) : null
  const hasAlpha = colour === 4 || colour === 6
  const samples = COLOURS[colour]?.samples ?? 0
  return (row: Uint8Array, index: number, to: number): void => {
    const first = sampleAt(row, index * samples, depth)
    if (colour === 3) {
      if (palette === null || first * 3 + 2 >= palette.length) throw new Error('no such colour')
      data[to] = palette[first * 3] ?? 0
      data[to + 1] = palette[first * 3 + 1] ?? 0
      data[to + 2] = palette[first * 3 + 2] ?? 0
      data[to + 3] = transparent?.[first] ?? 255
      return
    }
    const isGrey = samples < 3
    const green = isGrey ? first : sampleAt(row, index * samples + 1, depth)
    const blue = isGrey ? first : sampleAt(row, index * samples + 2, depth)
    const isClear = isGrey
      ? first === clearGrey
      : first === clearRed && green === clearGreen && blue === clearBlue
    data[to] = eightBits(first)
    data[to + 1] = eightBits(green)
    data[to + 2] = eightBits(blue)
    data[to + 3] = hasAlpha
      ? eightBits(sampleAt(row, index * samples + samples - 1, depth))
      : isClear
        ? 0
        : 255
  }
}

/** Decodes a PNG that was read. Throws for content that is damaged, or shorter or longer than its size says. */
export const decodePng = (file: PngFile): Pixels => {
  const { width, height } = file
  const length = inflatedBytes(file)
  // In one piece, which zlib need not copy.
  const content = inflateSync(file.content, { chunkSize: Math.max(64, length + 1), maxOutputLength: length })
  if (content.length < length) throw new RangeError('cut off')
  const data = new Uint8Array(width * height * 4)
  const write = pixelWriter(file, data)
  const bits = bitsOf(file)
  /** whether a row has its pixels as they are decoded */
  const isStored = file.depth === 8 && file.colour === 6 && !file.isInterlaced
  let at = 0
  for (const { pass, across, down } of passesOf(file)) {
    const [firstColumn, firstRow, columns, rows] = pass
    const bytes = Math.ceil((across * bits) / 8)
    let above: Uint8Array = new Uint8Array(bytes)
    for (let y = 0; y < down; y += 1) {
      const row = content.subarray(at + 1, at + 1 + bytes)
      unfilter(content[at] ?? 0, row, above, Math.max(1, bits >> 3))
      const line = (firstRow + y * rows) * width + firstColumn
      if (isStored) data.set(row, line * 4)
      else for (let x = 0; x < across; x += 1) write(row, x, (line + x * columns) * 4)
      above = row
      at += 1 + bytes
    }
  }
  return { width, height, data }
}
