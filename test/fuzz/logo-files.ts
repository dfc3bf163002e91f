/** Square logos of one colour. */
import { encode } from 'jpeg-js'
import { pngOf } from '../support/png-file.ts'

/** A JPEG with three components at each point. */
export const jpegLogo = (size: number): Buffer =>
  encode({ width: size, height: size, data: Buffer.alloc(size * size * 4, 90) }, 50).data

/** A PNG with alpha. @param size a multiple of eight, so that each of seven passes has whole rows */
export const pngLogo = (size: number, isInterlaced: boolean): Buffer => {
  const rows = isInterlaced ? (size * 15) / 8 : size
  const kind = { width: size, height: size, depth: 8, colour: 6, isInterlaced }
  return pngOf(kind, Buffer.alloc(size * size * 4 + rows))
}
