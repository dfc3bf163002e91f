/** Writes PNG files of two colours with smooth edges (PNG specification, third edition: W3C, 2025). */
import { crc32, deflateSync } from 'node:zlib'

/** Red, green and blue, each 0 to 255. */
export type Colour = readonly [number, number, number]

/** True where the drawing is; `x` and `y` run from 0 to 1, `y` downwards. */
export type Shape = (x: number, y: number) => boolean

const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)

const chunk = (type: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  framed.set(body, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}

/** A square picture of `size` pixels whose pixels are numbers of `palette` (256 colours at most). */
export const indexedPng = (
  size: number,
  palette: readonly Colour[],
  pixelAt: (x: number, y: number) => number
): Uint8Array<ArrayBuffer> => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  // eight bits a pixel, colour type 3 (palette)
  header.set([8, 3, 0, 0, 0], 8)
  // each row starts with its filter, 0 for none
  const rows = new Uint8Array(size * (size + 1))
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) rows[y * (size + 1) + 1 + x] = pixelAt(x, y)
  }
  return Uint8Array.from(
    Buffer.concat([
      signature,
      chunk('IHDR', header),
      chunk('PLTE', Uint8Array.from(palette.flat())),
      chunk('IDAT', deflateSync(rows)),
      chunk('IEND', new Uint8Array(0))
    ])
  )
}

/** Samples along each side of a pixel: sixteen for the whole pixel. */
const samples = 4

/** Draws `shape` in `ink` on `paper`, with smooth edges, `size` pixels wide and high. */
export const drawShape = (
  size: number,
  shape: Shape,
  { ink, paper }: { readonly ink: Colour; readonly paper: Colour }
): Uint8Array<ArrayBuffer> => {
  const steps = samples * samples
  const between = (part: 0 | 1 | 2, step: number): number =>
    Math.round(paper[part] + ((ink[part] - paper[part]) * step) / steps)
  const palette = Array.from({ length: steps + 1 }, (_, step): Colour => [
    between(0, step),
    between(1, step),
    between(2, step)
  ])
  const position = (pixel: number, sample: number): number => (pixel + (sample + 0.5) / samples) / size
  return indexedPng(size, palette, (x, y) => {
    let covered = 0
    for (let sample = 0; sample < steps; sample += 1) {
      const inside = shape(position(x, sample % samples), position(y, Math.floor(sample / samples)))
      covered += inside ? 1 : 0
    }
    return covered
  })
}
