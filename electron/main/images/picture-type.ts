/** Telling a picture by its first bytes, since a server's `content-type` is only a claim. */

const SIGNATURES: readonly {
  readonly type: string
  readonly at: number
  readonly bytes: readonly number[]
}[] = [
  { type: 'image/png', at: 0, bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { type: 'image/jpeg', at: 0, bytes: [0xff, 0xd8, 0xff] },
  { type: 'image/gif', at: 0, bytes: [0x47, 0x49, 0x46, 0x38] },
  // RIFF....WEBP: the length between the two differs
  { type: 'image/webp', at: 8, bytes: [0x57, 0x45, 0x42, 0x50] }
]

/** The MIME type of a PNG, JPEG, GIF or WebP; undefined for anything else, SVG included: it can carry script. */
export function pictureType(bytes: Uint8Array): string | undefined {
  return SIGNATURES.find((one) => one.bytes.every((byte, index) => bytes[one.at + index] === byte))?.type
}
