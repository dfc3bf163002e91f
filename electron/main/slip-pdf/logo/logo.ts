/** A business's logo, ready for paper. */
import { createHash } from 'node:crypto'
import type { Bitmap } from './bitmap.ts'
import { darknessOf, scaleTo } from './darkness.ts'
import { decodeLogo } from './decode.ts'
import { dither } from './dither.ts'

/** Room that a logo may take, in dots. */
export interface LogoRoom {
  readonly width: number
  readonly height: number
}

/**
 * The logo in `file` as dots, as large as `room` allows and in its own proportions. Null when the file is no PNG or
 * JPEG, is broken, or shows nothing.
 */
export type LogoOf = (file: Uint8Array, room: LogoRoom) => Bitmap | null

function toBitmap(file: Uint8Array, room: LogoRoom): Bitmap | null {
  const pixels = decodeLogo(file)
  if (pixels === null) return null
  const scale = Math.min(room.width / pixels.width, room.height / pixels.height)
  const columns = Math.round(pixels.width * scale)
  const rows = Math.round(pixels.height * scale)
  // a line rather than a picture
  if (columns < 8 || rows < 8) return null
  const bitmap = dither(scaleTo(darknessOf(pixels), columns, rows))
  return bitmap.dots.includes(1) ? bitmap : null
}

/** Remembers the last logo: a till prints the same one all day. */
export function createLogos(): LogoOf {
  let last: { readonly key: string; readonly bitmap: Bitmap | null } | null = null
  return (file, room) => {
    const hash = createHash('sha256').update(file).digest('hex')
    const key = `${hash} ${String(room.width)} ${String(room.height)}`
    if (last?.key !== key) last = { key, bitmap: toBitmap(file, room) }
    return last.bitmap
  }
}
