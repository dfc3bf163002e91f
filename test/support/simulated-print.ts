/**
 * What becomes of a slip on its way from the printer's dots to a phone's picture: ink spreads, the lens blurs, the hand
 * tilts, and old thermal paper is grey on grey.
 */
import type { Picture } from './read-slip.ts'

/** Pixels per printed dot, along each side: one is the third of a dot that ink spreads by. */
const PIXELS_PER_DOT = 3
const TILT_DEGREES = 4
/** Greys that ink and paper come out as. */
const INK = 95
const PAPER = 185

/** The grey at a place; paper outside of the picture. */
const at = ({ width, height, pixels }: Picture, x: number, y: number): number =>
  x >= 0 && y >= 0 && x < width && y < height ? (pixels[y * width + x] ?? 255) : 255

function mapped({ width, height }: Picture, grey: (x: number, y: number) => number): Picture {
  const pixels = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) pixels[y * width + x] = grey(x, y)
  }
  return { width, height, pixels }
}

/** Part of a picture: rows `top` up to `bottom`. */
export const rowsOf = ({ width, pixels }: Picture, top: number, bottom: number): Picture => ({
  width,
  height: bottom - top,
  pixels: pixels.slice(top * width, bottom * width)
})

const enlarged = (picture: Picture): Picture =>
  mapped(
    {
      width: picture.width * PIXELS_PER_DOT,
      height: picture.height * PIXELS_PER_DOT,
      pixels: picture.pixels
    },
    (x, y) => at(picture, Math.floor(x / PIXELS_PER_DOT), Math.floor(y / PIXELS_PER_DOT))
  )

type Combine = (before: number, here: number, after: number) => number

/** Combines each pixel with its neighbours on either side, first along rows and then along columns. */
function spread(picture: Picture, combine: Combine): Picture {
  const along = (from: Picture, right: number, down: number): Picture =>
    mapped(from, (x, y) =>
      combine(at(from, x - right, y - down), at(from, x, y), at(from, x + right, y + down))
    )
  return along(along(picture, 1, 0), 0, 1)
}

const darkest: Combine = (before, here, after) => Math.min(before, here, after)
const mean: Combine = (before, here, after) => (before + here + after) / 3

/** Turned round its middle; between pixels, the mean of the four around. */
function tilted(picture: Picture): Picture {
  const angle = (TILT_DEGREES * Math.PI) / 180
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const [middleX, middleY] = [picture.width / 2, picture.height / 2]
  return mapped(picture, (x, y) => {
    const fromX = middleX + (x - middleX) * cos - (y - middleY) * sin
    const fromY = middleY + (x - middleX) * sin + (y - middleY) * cos
    const [left, top] = [Math.floor(fromX), Math.floor(fromY)]
    const [right, down] = [fromX - left, fromY - top]
    const upper = at(picture, left, top) * (1 - right) + at(picture, left + 1, top) * right
    const lower = at(picture, left, top + 1) * (1 - right) + at(picture, left + 1, top + 1) * right
    return upper * (1 - down) + lower * down
  })
}

const faded = (picture: Picture): Picture =>
  mapped(picture, (x, y) => INK + (at(picture, x, y) / 255) * (PAPER - INK))

/** A picture at the printer's 203 dpi as a phone sees its print. */
export function photographed(printed: Picture): Picture {
  const dots = mapped(printed, (x, y) => (at(printed, x, y) < 128 ? 0 : 255))
  const inked = spread(enlarged(dots), darkest)
  const blurred = spread(spread(inked, mean), mean)
  return faded(tilted(blurred))
}
