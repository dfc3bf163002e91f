/** Avatars: a tile of four quarters for each customer, the same each time, and without a person in it. */
import { createHash } from 'node:crypto'
import { drawShape, type Colour, type Shape } from './png.ts'

/** pixels */
const size = 96

const colours: readonly { readonly ink: Colour; readonly paper: Colour }[] = [
  { ink: [232, 111, 81], paper: [251, 231, 222] },
  { ink: [38, 110, 114], paper: [217, 238, 236] },
  { ink: [112, 86, 160], paper: [234, 228, 245] },
  { ink: [181, 119, 24], paper: [250, 238, 208] },
  { ink: [54, 104, 176], paper: [222, 233, 248] },
  { ink: [168, 63, 106], paper: [248, 224, 234] },
  { ink: [84, 124, 52], paper: [231, 241, 217] }
]

/** What may stand in a quarter, in its own coordinates. */
const figures: readonly Shape[] = [
  (x, y) => Math.hypot(x, y) <= 1,
  (x, y) => x + y <= 1,
  (x, y) => Math.hypot(x - 0.5, y - 0.5) <= 0.36,
  (x) => x <= 0.5
]

/** A figure, turned by `turns` quarters. */
const turned =
  (figure: Shape, turns: number): Shape =>
  (x, y) => {
    if (turns === 0) return figure(x, y)
    if (turns === 1) return figure(y, 1 - x)
    if (turns === 2) return figure(1 - x, 1 - y)
    return figure(1 - y, x)
  }

/** The avatar that belongs to `id`, as a PNG of 96 by 96 pixels. */
export const avatarPicture = (id: string): Uint8Array<ArrayBuffer> => {
  const digest = createHash('sha256').update(id).digest()
  const byteAt = (index: number): number => digest[index] ?? 0
  const colour = colours[byteAt(0) % colours.length] ?? { ink: [0, 0, 0], paper: [255, 255, 255] }
  const quarters = [1, 2, 3, 4].map((index): Shape => {
    const figure = figures[byteAt(index) & 3] ?? (() => false)
    return turned(figure, (byteAt(index) >> 2) & 3)
  })
  const shape: Shape = (x, y) => {
    const quarter = quarters[(x < 0.5 ? 0 : 1) + (y < 0.5 ? 0 : 2)]
    return quarter?.((x * 2) % 1, (y * 2) % 1) ?? false
  }
  return drawShape(size, shape, colour)
}
