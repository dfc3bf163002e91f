/** What of the appearance the style sheet cannot know by itself: high contrast, and a business's own accent. */
import type { TillSettings } from '../../../electron/contract/settings.ts'

const THEMES: readonly Theme[] = ['light', 'dark']

/**
 * Puts contrast and accent on the root of `page`, and keeps following the system's wish for contrast. The theme itself
 * is main's: it sets the system's for all windows. Gives what ends the following.
 */
export function applyAppearance(
  { contrast, accent }: Pick<TillSettings, 'contrast' | 'accent'>,
  page: Window
): () => void {
  const { documentElement: root } = page.document
  const system = page.matchMedia('(prefers-contrast: more)')

  const apply = (): void => {
    const highContrast = contrast === 'more' || system.matches
    if (highContrast) root.setAttribute('data-contrast', 'more')
    else root.removeAttribute('data-contrast')
    for (const theme of THEMES) {
      const name = `--own-accent-${theme}`
      if (accent !== null && isReadableAccent(accent, theme, highContrast))
        root.style.setProperty(name, accent)
      else root.style.removeProperty(name)
    }
  }
  apply()
  system.addEventListener('change', apply)
  return () => {
    system.removeEventListener('change', apply)
  }
}

/* from accent.ts: A business's own accent: used where it can be read, and nowhere else. */

/** The two themes of the till. */
export type Theme = 'light' | 'dark'

/** Grounds that the accent stands on, or that words on it have: `--paper`, `--sheet` and `--pale` of tokens.css. */
export const BACKGROUNDS: Readonly<
  Record<Theme, { readonly usual: readonly string[]; readonly more: readonly string[] }>
> = {
  light: { usual: ['#fbfaf7', '#ffffff', '#f2f0eb'], more: ['#ffffff'] },
  dark: { usual: ['#151513', '#1e1e1b', '#282724'], more: ['#000000'] }
}

/** Whether `accent` (`#rrggbb`) can be read in a theme; high contrast asks for more. */
export function isReadableAccent(accent: string, theme: Theme, highContrast: boolean): boolean {
  const colour: Colour = parseColour(accent)
  const { usual, more } = BACKGROUNDS[theme]
  const least = highContrast ? MIN_CONTRAST.AAA : MIN_CONTRAST.AA
  return (highContrast ? more : usual).every((ground) => contrastRatio(colour, parseColour(ground)) >= least)
}

/** How well one colour can be read on another. */

/** Red, green and blue, 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number]

/** Reads `#rrggbb`. */
export function parseColour(hex: string): Colour {
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
export function contrastRatio(one: Colour, other: Colour): number {
  const [dim = 0, bright = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (bright + 0.05) / (dim + 0.05)
}

/** WCAG 2.2's least contrast of text: level AA, and level AAA. */
export const MIN_CONTRAST = { AA: 4.5, AAA: 7 } as const
