/** A business's own logo: checked when it is set, then sent as it is to tills, phones and slips. */
import { createHash } from 'node:crypto'
import { decode } from 'jpeg-js'
import { PNG } from 'pngjs'
import { Refusal } from './refusal.ts'

/** What a phone loads with a page. */
export const MAX_LOGO_BYTES = 256 * 1024
/** A till refuses larger images. */
const MAX_PIXELS = 4_000_000
/** Of a JPEG while it is decoded: 4 million pixels and their components. */
const MAX_JPEG_MEMORY_MB = 128

export interface Logo {
  /** the SHA-256 of the bytes, shortened, and an extension: another logo has another name */
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** The media types of the extensions of a logo's name. */
export const LOGO_TYPES = { png: 'image/png', jpg: 'image/jpeg' } as const

type Extension = keyof typeof LOGO_TYPES

/** PNG specification, 5.2; ITU-T T.81, B.2.1. */
const SIGNATURES: Readonly<Record<Extension, string>> = { png: '89504e470d0a1a0a', jpg: 'ffd8ff' }

/** The pixels of an image: red, green, blue and alpha of each, line by line. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** Decodes a whole image, and throws for one that is damaged or has too many pixels. */
const DECODERS: Readonly<Record<Extension, (bytes: Buffer) => Pixels>> = {
  png: (bytes) => {
    // The header comes first: pixels are allocated for what it says.
    const pixels = bytes.readUInt32BE(16) * bytes.readUInt32BE(20)
    if (pixels > MAX_PIXELS) throw new RangeError(`${pixels} pixels`)
    return PNG.sync.read(bytes)
  },
  jpg: (bytes) =>
    decode(bytes, {
      maxResolutionInMP: MAX_PIXELS / 1e6,
      maxMemoryUsageInMB: MAX_JPEG_MEMORY_MB,
      tolerantDecoding: false
    })
}

/** Checks a file. Throws a `Refusal` unless it is a PNG or JPEG that can be decoded, of at most 256 kB and 4 megapixels. */
export const parseLogo = (file: Uint8Array): Logo => {
  if (file.length > MAX_LOGO_BYTES) {
    const [size, most] = [file.length, MAX_LOGO_BYTES].map((bytes) => Math.ceil(bytes / 1024))
    throw new Refusal(
      'logo-unsuitable',
      `The logo has ${size} kB, at most ${most} kB are allowed. Make it smaller.`
    )
  }
  const bytes = Buffer.from(file)
  const extension = (['png', 'jpg'] as const).find((each) =>
    bytes.toString('hex').startsWith(SIGNATURES[each])
  )
  if (extension === undefined) throw new Refusal('logo-unsuitable', 'The logo is neither a PNG nor a JPEG.')
  try {
    DECODERS[extension](bytes)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Refusal(
      'logo-unsuitable',
      `The logo is damaged, or has more than ${MAX_PIXELS / 1e6} megapixels (${reason}).`
    )
  }
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
  return { name: `${hash}.${extension}`, bytes: Uint8Array.from(bytes) }
}

/** Returns the pixels of a logo. */
export const decodeLogo = ({ name, bytes }: Logo): Pixels =>
  DECODERS[name.endsWith('.png') ? 'png' : 'jpg'](Buffer.from(bytes))
