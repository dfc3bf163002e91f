/** Greys as a pattern of dots. */
import type { Bitmap } from './bitmap.ts'
import type { Darkness } from './darkness.ts'

/** Where Atkinson's dithering hands on what a dot is off by: an eighth to each, so that a quarter is dropped. */
const NEIGHBOURS = [
  [1, 0],
  [2, 0],
  [-1, 1],
  [0, 1],
  [1, 1],
  [0, 2]
] as const

/** Atkinson's dithering: dropping a quarter of each error keeps paper white and ink black, as logos want it. */
export function dither({ width, height, values }: Darkness): Bitmap {
  const rest = Float32Array.from(values)
  const dots = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const index = y * width + x
      const wanted = rest[index] ?? 0
      const dot = wanted >= 0.5 ? 1 : 0
      dots[index] = dot
      for (const [right, down] of NEIGHBOURS) {
        if (x + right < 0 || x + right >= width || y + down >= height) continue
        const neighbour = index + down * width + right
        rest[neighbour] = (rest[neighbour] ?? 0) + (wanted - dot) / 8
      }
    }
  }
  return { width, height, dots }
}
