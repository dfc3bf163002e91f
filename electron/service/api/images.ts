/** Renders the service's images: initials as SVG; the logo of sample data and avatars as PNG. */
import { createHash } from 'node:crypto'
import { PNG } from 'pngjs'

/** Red, green and blue, each from 0 to 255. */
type Colour = readonly [number, number, number]

/** True inside the drawing. `x` and `y` are from 0 to 1, from the top left corner. */
type Shape = (x: number, y: number) => boolean

/** Encodes a square image of `size` pixels. */
const encodePng = (size: number, colourAt: (x: number, y: number) => Colour): Uint8Array<ArrayBuffer> => {
  const png = new PNG({ width: size, height: size })
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) png.data.set([...colourAt(x, y), 255], (y * size + x) * 4)
  }
  return Uint8Array.from(PNG.sync.write(png, { colorType: 2 }))
}

/** Samples along each side of a pixel, for smooth edges. */
const SAMPLES = 4

/** Draws `shape` in `ink` on `paper`, `size` pixels wide and high. */
const renderShape = (
  size: number,
  shape: Shape,
  { ink, paper }: { readonly ink: Colour; readonly paper: Colour }
): Uint8Array<ArrayBuffer> => {
  const position = (pixel: number, sample: number): number => (pixel + (sample + 0.5) / SAMPLES) / size
  return encodePng(size, (x, y) => {
    let covered = 0
    for (let sample = 0; sample < SAMPLES ** 2; sample += 1) {
      const inside = shape(position(x, sample % SAMPLES), position(y, Math.floor(sample / SAMPLES)))
      covered += inside ? 1 : 0
    }
    const blend = (channel: 0 | 1 | 2): number =>
      Math.round(paper[channel] + ((ink[channel] - paper[channel]) * covered) / SAMPLES ** 2)
    return [blend(0), blend(1), blend(2)]
  })
}

const AVATAR_SIZE_PIXELS = 96

const AVATAR_COLOURS: readonly { readonly ink: Colour; readonly paper: Colour }[] = [
  { ink: [232, 111, 81], paper: [251, 231, 222] },
  { ink: [38, 110, 114], paper: [217, 238, 236] },
  { ink: [112, 86, 160], paper: [234, 228, 245] },
  { ink: [181, 119, 24], paper: [250, 238, 208] },
  { ink: [54, 104, 176], paper: [222, 233, 248] },
  { ink: [168, 63, 106], paper: [248, 224, 234] },
  { ink: [84, 124, 52], paper: [231, 241, 217] }
]

/** The figures of a quarter, in the quarter's coordinates. */
const AVATAR_FIGURES: readonly Shape[] = [
  (x, y) => Math.hypot(x, y) <= 1,
  (x, y) => x + y <= 1,
  (x, y) => Math.hypot(x - 0.5, y - 0.5) <= 0.36,
  (x) => x <= 0.5
]

/** Rotates a figure by a number of quarter turns. */
const rotate =
  (figure: Shape, turns: number): Shape =>
  (x, y) => {
    if (turns === 0) return figure(x, y)
    if (turns === 1) return figure(y, 1 - x)
    if (turns === 2) return figure(1 - x, 1 - y)
    return figure(1 - y, x)
  }

/** Renders the avatar of customer `id`: an abstract pattern of four quarters, the same for each call. */
export const renderAvatar = (id: string): Uint8Array<ArrayBuffer> => {
  const digest = createHash('sha256').update(id).digest()
  const byteAt = (index: number): number => digest[index] ?? 0
  const colours = AVATAR_COLOURS[byteAt(0) % AVATAR_COLOURS.length] ?? {
    ink: [0, 0, 0],
    paper: [255, 255, 255]
  }
  const quarters = [1, 2, 3, 4].map((index): Shape => {
    const figure = AVATAR_FIGURES[byteAt(index) & 3] ?? (() => false)
    return rotate(figure, (byteAt(index) >> 2) & 3)
  })
  const shape: Shape = (x, y) => {
    const quarter = quarters[(x < 0.5 ? 0 : 1) + (y < 0.5 ? 0 : 2)]
    return quarter?.((x * 2) % 1, (y * 2) % 1) ?? false
  }
  return renderShape(AVATAR_SIZE_PIXELS, shape, colours)
}

const LOGO_SIZE_PIXELS = 256

/** A cup with straight upper sides and a round bottom. */
const bowl: Shape = (x, y) => {
  if (y < 0.42 || y > 0.72) return false
  const half = y < 0.54 ? 0.2 : 0.2 * Math.sqrt(Math.max(0, 1 - ((y - 0.54) / 0.19) ** 2))
  return Math.abs(x - 0.46) <= half
}

/** A ring whose left half is behind the bowl. */
const handle: Shape = (x, y) => {
  const distance = Math.hypot(x - 0.67, y - 0.53)
  return distance <= 0.095 && distance >= 0.055 && x > 0.64
}

const saucer: Shape = (x, y) => {
  const beyond = Math.max(0, Math.abs(x - 0.48) - 0.26)
  return Math.hypot(beyond, y - 0.775) <= 0.02
}

/** A vertical wave with round ends. */
const steam =
  (middle: number): Shape =>
  (x, y) => {
    if (y < 0.2 || y > 0.36) return false
    const wave = middle + 0.022 * Math.sin(((y - 0.2) / 0.16) * 2 * Math.PI)
    const end = Math.min(1, Math.min(y - 0.2, 0.36 - y) / 0.018)
    return Math.abs(x - wave) <= 0.018 * Math.sqrt(Math.max(0, 1 - (1 - end) ** 2))
  }

const LOGO_PARTS: readonly Shape[] = [bowl, handle, saucer, steam(0.39), steam(0.53)]

/** Renders the logo of sample data, a cup on a saucer. */
export const renderSampleLogo = (): Uint8Array<ArrayBuffer> =>
  renderShape(LOGO_SIZE_PIXELS, (x, y) => LOGO_PARTS.some((part) => part(x, y)), {
    ink: [255, 247, 232],
    paper: [19, 78, 94]
  })

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Draws initials as an SVG icon, in the colours of the pages' buttons: a phone cuts its corners, and has fonts. */
export const renderInitials = (letters: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" fill="#0b6b4f"/>` +
  `<text x="32" y="42" fill="#fff" font-family="system-ui, sans-serif" font-size="28" font-weight="650" ` +
  `text-anchor="middle">${letters.replace(/[&<>]|\p{C}/gu, (sign) => ESCAPES[sign] ?? '')}</text></svg>`
