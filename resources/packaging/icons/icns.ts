/** macOS icons (.icns): PNGs, each under the four letters that stand for its size. */

/** Type, and its size in pixels; a second type of the same size is the one for displays of twice the density. */
const TYPES = [
  ['ic11', 32],
  ['ic12', 64],
  ['ic07', 128],
  ['ic13', 256],
  ['ic08', 256],
  ['ic14', 512],
  ['ic09', 512],
  ['ic10', 1024]
] as const

/** Sizes in pixels that an icon of macOS is made of. */
export const ICNS_SIZES = [...new Set(TYPES.map(([, size]) => size))]

const block = (type: string, content: Uint8Array): Buffer => {
  const head = Buffer.alloc(8)
  head.write(type, 'latin1')
  head.writeUInt32BE(8 + content.length, 4)
  return Buffer.concat([head, content])
}

/**
 * Packs PNGs into one icon.
 * @param pngs by their size in pixels, each of `ICNS_SIZES`
 * @throws when a size is missing
 */
export function icnsOf(pngs: ReadonlyMap<number, Uint8Array>): Uint8Array {
  const blocks = TYPES.map(([type, size]) => {
    const png = pngs.get(size)
    if (!png) throw new Error(`There is no picture of ${size} pixels`)
    return block(type, png)
  })
  return block('icns', Buffer.concat(blocks))
}
