/** The mark of the training shops: a cup on its saucer, under two curls of steam. */
import { drawShape, type Shape } from './png.ts'

/** pixels */
const size = 256

/** A cup with straight upper walls and a round bottom. */
const bowl: Shape = (x, y) => {
  if (y < 0.42 || y > 0.72) return false
  const half = y < 0.54 ? 0.2 : 0.2 * Math.sqrt(Math.max(0, 1 - ((y - 0.54) / 0.19) ** 2))
  return Math.abs(x - 0.46) <= half
}

/** A ring, of which the bowl hides the left half. */
const handle: Shape = (x, y) => {
  const distance = Math.hypot(x - 0.67, y - 0.53)
  return distance <= 0.095 && distance >= 0.055 && x > 0.64
}

const saucer: Shape = (x, y) => {
  const beyond = Math.max(0, Math.abs(x - 0.48) - 0.26)
  return Math.hypot(beyond, y - 0.775) <= 0.02
}

/** A wave that stands upright, with round ends. */
const steam =
  (middle: number): Shape =>
  (x, y) => {
    if (y < 0.2 || y > 0.36) return false
    const wave = middle + 0.022 * Math.sin(((y - 0.2) / 0.16) * 2 * Math.PI)
    const end = Math.min(1, Math.min(y - 0.2, 0.36 - y) / 0.018)
    return Math.abs(x - wave) <= 0.018 * Math.sqrt(Math.max(0, 1 - (1 - end) ** 2))
  }

const parts: readonly Shape[] = [bowl, handle, saucer, steam(0.39), steam(0.53)]

let drawn: Uint8Array<ArrayBuffer> | undefined

/** The logo as a PNG of 256 by 256 pixels, drawn once. */
export const logoPicture = (): Uint8Array<ArrayBuffer> => {
  drawn ??= drawShape(size, (x, y) => parts.some((part) => part(x, y)), {
    ink: [255, 247, 232],
    paper: [19, 78, 94]
  })
  return drawn
}
