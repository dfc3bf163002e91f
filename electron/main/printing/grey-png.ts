/** A grey picture as a PNG, for the page to show. */
import { PNG } from 'pngjs'

/** PNG's colour type for grey without transparency (PNG specification, 11.2.1). */
const GREY = 0

/** @returns the PNG's bytes; `grey` is one byte a pixel, 0 is black */
export function greyPng({
  width,
  height,
  grey
}: {
  readonly width: number
  readonly height: number
  readonly grey: Uint8Array
}): Buffer {
  const picture = new PNG({ width, height })
  for (const [index, shade] of grey.entries()) picture.data.fill(shade, index * 4, index * 4 + 3)
  for (let index = 3; index < picture.data.length; index += 4) picture.data[index] = 255
  return PNG.sync.write(picture, { colorType: GREY })
}
