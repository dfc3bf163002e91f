/**
 * Decodes logos, for slips and for the pages of the service. The whole structure of a file is read before anything is decoded:
 * jpeg-js 0.4.4 does what the file says, however long that takes. For main and service only.
 */
import { decode } from 'jpeg-js'
import { decodePng, inflatedBytes, readPng, type Pixels } from './png.ts'

/** What a file says of itself. */
export interface LogoHeader {
  readonly type: 'png' | 'jpg'
  readonly width: number
  readonly height: number
}

/** A logo of 2048 × 2048 pixels, as programs for drawing save it; the head of a slip has 576. Decoding takes 60 MB. */
const MAX_LOGO_PIXELS = 2048 * 2048
/** Of the content of a PNG: a pixel can have eight bytes before it is decoded. */
const MAX_PNG_BYTES = 4 * MAX_LOGO_PIXELS
/** A JPEG of 1024 × 1024 pixels with three components at each: jpeg-js takes 20 bytes for a sample, 60 MB. */
const MAX_JPEG_SAMPLES = 3 * 1024 * 1024
/** A scan of a JPEG can be a few bytes that take as long as all pixels. A progressive one of 2 megapixels has ten. */
const MAX_SCANNED_PIXELS = 20_000_000

/** PNG specification, 5.2; ITU-T T.81, B.2.1. */
const PNG_SIGNATURE = '89504e470d0a1a0a'
const JPEG_SIGNATURE = 'ffd8ff'

const checkPixels = (width: number, height: number): void => {
  if (width < 1 || height < 1) throw new RangeError('no pixels')
  if (width * height > MAX_LOGO_PIXELS) throw new RangeError(`${String(width * height)} pixels`)
}

/** Markers of a frame header (ITU-T T.81, B.1.1.3): C0 to CF without DHT, JPG and DAC. */
const isFrameHeader = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** Markers without a segment: TEM, and those that restart the entropy-coded data. */
const isAlone = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)

interface Frame {
  readonly width: number
  readonly height: number
  /** of all components, of which some can have one for several pixels */
  readonly samples: number
}

/** Reads a frame header. Its sampling factors are from 1 to 4 (B.2.2). */
const readFrame = (bytes: Buffer, at: number): Frame => {
  const [height, width] = [bytes.readUInt16BE(at + 3), bytes.readUInt16BE(at + 5)]
  const factors = Array.from({ length: bytes.readUInt8(at + 7) }, (_, component) => {
    const factor = bytes.readUInt8(at + 9 + component * 3)
    return [factor >> 4, factor & 15] as const
  })
  const isSampled = factors.flat().every((factor) => factor >= 1 && factor <= 4)
  if (!isSampled || factors.length < 1 || factors.length > 4) throw new RangeError('components')
  const most = (side: 0 | 1): number => Math.max(...factors.map((pair) => pair[side]))
  const perBlock = factors.reduce((sum, [across, down]) => sum + across * down, 0)
  return { width, height, samples: (width * height * perBlock) / (most(0) * most(1)) }
}

/** Reads all segments of a JPEG up to its end, and passes over the entropy-coded data (B.1.1). */
const readJpeg = (bytes: Buffer): LogoHeader => {
  let frame: Frame | null = null
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
        if (frame !== null) throw new Error('several headers')
        frame = readFrame(bytes, at + 2)
      }
      if (marker === 0xda) scans += 1
      at += 2 + length
    }
  }
  if (frame === null || scans === 0) throw new Error('no header')
  const { width, height, samples } = frame
  checkPixels(width, height)
  if (samples > MAX_JPEG_SAMPLES) throw new RangeError(`${String(samples)} samples`)
  if (scans * width * height > MAX_SCANNED_PIXELS) throw new RangeError(`${String(scans)} scans`)
  return { type: 'jpg', width, height }
}

/** Reads a PNG whose content is no larger than its pixels may be. */
const readSmallPng = (bytes: Buffer) => {
  const file = readPng(bytes)
  checkPixels(file.width, file.height)
  // Beside the filters of the rows.
  if (inflatedBytes(file) - 2 * file.height > MAX_PNG_BYTES) throw new RangeError('too many bytes')
  return file
}

/**
 * Reads what a file says of itself, in all its parts, without decoding it. Returns null for neither a PNG nor a JPEG. Throws
 * for one that is damaged, contradicts itself, has more than 2048 × 2048 pixels or, as a JPEG, some 1024 × 1024, or takes far
 * more work than its size.
 */
export const readLogoHeader = (file: Uint8Array): LogoHeader | null => {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  const start = bytes.toString('hex', 0, 8)
  if (start === PNG_SIGNATURE) {
    const { width, height } = readSmallPng(bytes)
    return { type: 'png', width, height }
  }
  return start.startsWith(JPEG_SIGNATURE) ? readJpeg(bytes) : null
}

/** Decodes a logo. Throws as `readLogoHeader`, and for one whose content is damaged or of another size. */
export const decodeLogoImage = (file: Uint8Array): Pixels => {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  const header = readLogoHeader(file)
  if (header === null) throw new Error('neither a PNG nor a JPEG')
  if (header.type === 'png') return decodePng(readSmallPng(bytes))
  const pixels = decode(bytes, { useTArray: true, tolerantDecoding: false })
  if (pixels.width !== header.width || pixels.height !== header.height) throw new Error('another size')
  return pixels
}
