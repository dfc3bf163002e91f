/** How well one colour can be read on another. */

/** Red, green and blue, 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number]

/** Reads `#rrggbb`. */
export function colourOf(hex: string): Colour {
  const part = (from: number): number => parseInt(hex.slice(from, from + 2), 16)
  return [part(1), part(3), part(5)]
}

const channel = (part: number): number => {
  const share = part / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

/** Relative luminance, 0 to 1 (WCAG 2.2). */
const luminance = ([red, green, blue]: Colour): number =>
  0.2126 * channel(red) + 0.7152 * channel(green) + 0.0722 * channel(blue)

/** Contrast ratio of two colours, 1 to 21 (WCAG 2.2). */
export function contrastOf(one: Colour, other: Colour): number {
  const [dim = 0, bright = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (bright + 0.05) / (dim + 0.05)
}

/** WCAG 2.2's least contrast of text: level AA, and level AAA. */
export const READABLE = { AA: 4.5, AAA: 7 } as const
