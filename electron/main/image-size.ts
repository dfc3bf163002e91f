/** The types and sizes of images, read from their first bytes without decoding them. */

/** Reads width and height, or returns null if the bytes are no such image. Throws a RangeError if they are too few. */
type ReadSize = (bytes: Buffer) => readonly [width: number, height: number] | null

/** PNG specification, 11.2.2: the header is the first chunk. */
const pngSize: ReadSize = (bytes) =>
  bytes.toString('latin1', 12, 16) === 'IHDR' ? [bytes.readUInt32BE(16), bytes.readUInt32BE(20)] : null

/** Markers of a frame header (ITU-T T.81, B.1.1.3): C0 to CF without DHT, JPG and DAC. */
const isFrameHeader = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

const jpegSize: ReadSize = (bytes) => {
  for (let offset = 2; bytes.readUInt8(offset) === 0xff;) {
    const marker = bytes.readUInt8(offset + 1)
    if (isFrameHeader(marker)) return [bytes.readUInt16BE(offset + 7), bytes.readUInt16BE(offset + 5)]
    // A marker may be preceded by fill bytes.
    offset += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(offset + 2)
  }
  return null
}

const GIF_EXTENSION = 0x21
const GIF_IMAGE = 0x2c
const hasColours = (flags: number): boolean => (flags & 0x80) !== 0
const coloursLength = (flags: number): number => 3 * 2 ** ((flags & 7) + 1)

/** GIF89a, 18 and 20: the screen, or the first frame if it is larger. */
const gifSize: ReadSize = (bytes) => {
  const flags = bytes.readUInt8(10)
  let offset = 13 + (hasColours(flags) ? coloursLength(flags) : 0)
  while (bytes.readUInt8(offset) === GIF_EXTENSION) {
    offset += 2
    while (bytes.readUInt8(offset) !== 0) offset += 1 + bytes.readUInt8(offset)
    offset += 1
  }
  if (bytes.readUInt8(offset) !== GIF_IMAGE) return null
  return [
    Math.max(bytes.readUInt16LE(6), bytes.readUInt16LE(offset + 5)),
    Math.max(bytes.readUInt16LE(8), bytes.readUInt16LE(offset + 7))
  ]
}

/** RFC 9649, 2.5 to 2.7: simple lossy, simple lossless and extended files. */
const webpSize: ReadSize = (bytes) => {
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff]
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21)
      return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1]
    }
    case 'VP8X':
      return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1]
    default:
      return null
  }
}

/** SVG is excluded because it can contain scripts. */
const TYPES: readonly {
  readonly type: string
  readonly offset: number
  readonly signature: string
  readonly readSize: ReadSize
}[] = [
  { type: 'image/png', offset: 0, signature: '89504e470d0a1a0a', readSize: pngSize },
  { type: 'image/jpeg', offset: 0, signature: 'ffd8ff', readSize: jpegSize },
  { type: 'image/gif', offset: 0, signature: '47494638', readSize: gifSize },
  // RIFF....WEBP, with the length between the two
  { type: 'image/webp', offset: 8, signature: '57454250', readSize: webpSize }
]

/**
 * Returns MIME type, width and height of a PNG, JPEG, GIF or WebP, since a server's `content-type` is only a claim.
 * Undefined for any other content, and for an image whose size cannot be read.
 */
export function readImageHeader(
  image: Uint8Array
): { readonly type: string; readonly width: number; readonly height: number } | undefined {
  const bytes = Buffer.from(image.buffer, image.byteOffset, image.byteLength)
  const found = TYPES.find(
    ({ offset, signature }) => bytes.toString('hex', offset, offset + signature.length / 2) === signature
  )
  try {
    const size = found?.readSize(bytes)
    return found && size ? { type: found.type, width: size[0], height: size[1] } : undefined
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
