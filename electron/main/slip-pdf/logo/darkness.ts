/** A colour picture as darkness: 0 is paper, 1 is ink. */
import type { Pixels } from './decode.ts'

export interface Darkness {
  readonly width: number
  readonly height: number
  readonly values: Float32Array
}

/** Below this nothing would be seen on paper. */
const FAINT = 0.1

/**
 * The picture on white paper, by how bright its colours look (ITU-R BT.709). A picture that would not be seen there,
 * such as a white logo made for a dark page, is printed by its shape instead: black where it is opaque.
 */
export function darknessOf({ width, height, data }: Pixels): Darkness {
  const onPaper = new Float32Array(width * height)
  const shape = new Float32Array(width * height)
  let darkest = 0
  let clearest = 1
  for (let index = 0; index < onPaper.length; index++) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(index * 4, index * 4 + 4)
    const opaque = alpha / 255
    const dark = (1 - (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255) * opaque
    onPaper[index] = dark
    shape[index] = opaque
    darkest = Math.max(darkest, dark)
    clearest = Math.min(clearest, opaque)
  }
  const seen = darkest > FAINT || clearest > FAINT
  return { width, height, values: seen ? onPaper : shape }
}

/** Shrinks or grows a picture to whole dots: each is the mean of the area that it covers. */
export function scaleTo({ width, height, values }: Darkness, columns: number, rows: number): Darkness {
  const scaled = new Float32Array(columns * rows)
  for (let y = 0; y < rows; y++) {
    const [top, bottom] = covered(y, rows, height)
    for (let x = 0; x < columns; x++) {
      const [left, right] = covered(x, columns, width)
      let sum = 0
      for (let fromY = top; fromY < bottom; fromY++) {
        for (let fromX = left; fromX < right; fromX++) sum += values[fromY * width + fromX] ?? 0
      }
      scaled[y * columns + x] = sum / ((bottom - top) * (right - left))
    }
  }
  return { width: columns, height: rows, values: scaled }
}

/** The pixels of `from` that one of `to` dots covers: at least one. */
function covered(index: number, to: number, from: number): [first: number, end: number] {
  const first = Math.min(from - 1, Math.floor((index * from) / to))
  return [first, Math.max(first + 1, Math.floor(((index + 1) * from) / to))]
}
