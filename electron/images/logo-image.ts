/**
 * Decodes logos, for slips and for the pages of the service. The whole structure of a file is read before anything is decoded:
 * pngjs 7.0.0 and jpeg-js 0.4.4 do what the file says, however long that takes. For main and service only.
 */
import { decode } from 'jpeg-js'
import { inflateSync } from 'node:zlib'
import { PNG } from 'pngjs'

/** The pixels of an image: red, green, blue and alpha of each, line by line. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** What a file says of itself. */
export interface LogoHeader {
  readonly type: 'png' | 'jpg'
  readonly width: number
  readonly height: number
}

/** Larger than any logo that a business would have. */
export const MAX_LOGO_PIXELS = 4_000_000
/** A pixel of a PNG has up to eight bytes before it is decoded. */
const MAX_PNG_BYTES = 4 * MAX_LOGO_PIXELS
/** A scan of a JPEG can be a few bytes that take as long as all pixels. A progressive one of 2 megapixels has ten. */
const MAX_SCANNED_PIXELS = 20_000_000
/** Of a JPEG while it is decoded: 4 million pixels and their components. */
const MAX_JPEG_MEMORY_MB = 128

/** PNG specification, 5.2; ITU-T T.81, B.2.1. */
const PNG_SIGNATURE = '89504e470d0a1a0a'
const JPEG_SIGNATURE = 'ffd8ff'

const checkPixels = (width: number, height: number): void => {
  if (width < 1 || height < 1) throw new RangeError('no pixels')
  if (width * height > MAX_LOGO_PIXELS) throw new RangeError(`${String(width * height)} pixels`)
}

interface PngStructure extends LogoHeader {
  /** up to the last chunk */
  readonly bytes: Buffer
  readonly content: Buffer
  /** of the content when it is inflated */
  readonly maxContentBytes: number
}

/** Channels by the type of colour (PNG specification, 11.2.2). */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** Reads all chunks of a PNG (5.3: length, type, content, CRC). */
const readPng = (bytes: Buffer): PngStructure => {
  if (bytes.readUInt32BE(8) !== 13 || bytes.toString('latin1', 12, 16) !== 'IHDR')
    throw new Error('no header')
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  checkPixels(width, height)
  const bits = (CHANNELS[bytes.readUInt8(25)] ?? Number.NaN) * bytes.readUInt8(24)
  // Each row has a filter byte and padding; interlaced, the rows of seven passes are at most twice as many.
  const isInterlaced = bytes.readUInt8(28) !== 0
  const maxContentBytes =
    height * (1 + Math.ceil((width * bits) / 8)) * (isInterlaced ? 2 : 1) + (isInterlaced ? 64 : 0)
  if (!(maxContentBytes - (isInterlaced ? 2 : 1) * height <= MAX_PNG_BYTES))
    throw new RangeError('too many bytes')
  const content: Buffer[] = []
  for (let offset = 33; ;) {
    const length = bytes.readUInt32BE(offset)
    const end = offset + 12 + length
    if (end > bytes.length) throw new RangeError('cut off')
    const type = bytes.toString('latin1', offset + 4, offset + 8)
    if (type === 'IHDR') throw new Error('several headers')
    if (type === 'IDAT') content.push(bytes.subarray(offset + 8, offset + 8 + length))
    if (type === 'IEND') {
      return {
        type: 'png',
        width,
        height,
        bytes: bytes.subarray(0, end),
        content: Buffer.concat(content),
        maxContentBytes
      }
    }
    offset = end
  }
}

/** Markers of a frame header (ITU-T T.81, B.1.1.3): C0 to CF without DHT, JPG and DAC. */
const isFrameHeader = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** Markers without a segment: TEM, and those that restart the entropy-coded data. */
const isAlone = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)

/** Reads width and height of a frame header. Its sampling factors are from 1 to 4 (B.2.2). */
const readFrame = (bytes: Buffer, at: number): readonly [width: number, height: number] => {
  const count = bytes.readUInt8(at + 7)
  for (let component = 0; component < count; component += 1) {
    const factors = bytes.readUInt8(at + 9 + component * 3)
    const isSampled = [factors >> 4, factors & 15].every((factor) => factor >= 1 && factor <= 4)
    if (!isSampled || count > 4) throw new RangeError('components')
  }
  return [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 3)]
}

/** Reads all segments of a JPEG up to its end, and passes over the entropy-coded data (B.1.1). */
const readJpeg = (bytes: Buffer): LogoHeader => {
  let size: readonly [width: number, height: number] | null = null
  let scans = 0
  for (let at = 2; ;) {
    // Data between the markers: of a scan, or filling.
    at = bytes.indexOf(0xff, at)
    if (at < 0 || at + 1 >= bytes.length) throw new RangeError('cut off')
    const marker = bytes.readUInt8(at + 1)
    if (marker === 0xd9) break
    if (marker === 0xff) at += 1
    else if (marker === 0x00 || isAlone(marker)) at += 2
    else {
      const length = bytes.readUInt16BE(at + 2)
      if (at + 2 + length > bytes.length) throw new RangeError('cut off')
      if (isFrameHeader(marker)) {
        if (size !== null) throw new Error('several headers')
        size = readFrame(bytes, at + 2)
      }
      if (marker === 0xda) scans += 1
      at += 2 + length
    }
  }
  if (size === null || scans === 0) throw new Error('no header')
  const [width, height] = size
  checkPixels(width, height)
  if (scans * width * height > MAX_SCANNED_PIXELS) throw new RangeError(`${String(scans)} scans`)
  return { type: 'jpg', width, height }
}

/**
 * Reads what a file says of itself, in all its parts, without decoding it. Returns null for neither a PNG nor a JPEG. Throws
 * for one that is damaged, contradicts itself, has more than 4 megapixels, or takes far more work than its size.
 */
export const readLogoHeader = (file: Uint8Array): LogoHeader | null => {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  const start = bytes.toString('hex', 0, 8)
  if (start === PNG_SIGNATURE) {
    const { type, width, height } = readPng(bytes)
    return { type, width, height }
  }
  return start.startsWith(JPEG_SIGNATURE) ? readJpeg(bytes) : null
}

/** Decodes a logo. Throws as `readLogoHeader`, and for one whose content is damaged or of another size. */
export const decodeLogoImage = (file: Uint8Array): Pixels => {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  const header = readLogoHeader(file)
  if (header === null) throw new Error('neither a PNG nor a JPEG')
  if (header.type === 'png') {
    const { content, maxContentBytes, bytes: whole } = readPng(bytes)
    // A small file can inflate to any number of bytes, which pngjs does not check where it is interlaced.
    inflateSync(content, { maxOutputLength: maxContentBytes })
    return PNG.sync.read(whole)
  }
  const pixels = decode(bytes, {
    useTArray: true,
    tolerantDecoding: false,
    maxResolutionInMP: MAX_LOGO_PIXELS / 1e6,
    maxMemoryUsageInMB: MAX_JPEG_MEMORY_MB
  })
  if (pixels.width !== header.width || pixels.height !== header.height) throw new Error('another size')
  return pixels
}
