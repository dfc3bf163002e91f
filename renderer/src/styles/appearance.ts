/**
 * The parts of the appearance that CSS cannot decide: high contrast, and a business's accent colour where it is
 * readable.
 */
import { MediaQuery } from 'svelte/reactivity'
import type { TillSettings } from '../../../electron/contract/settings.ts'

const THEMES: readonly Theme[] = ['light', 'dark']

/**
 * Sets contrast and accent on the root element of `page`, and follows the system's contrast preference. The theme
 * itself is set by the main process for all windows. Returns a function that stops.
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

/** The two themes of the till. */
export type Theme = 'light' | 'dark'

/** The backgrounds of accent and of text on it: `--paper`, `--sheet` and `--pale` of tokens.css. */
export const BACKGROUNDS: Readonly<
  Record<Theme, { readonly usual: readonly string[]; readonly more: readonly string[] }>
> = {
  light: { usual: ['#fbfaf7', '#ffffff', '#f2f0eb'], more: ['#ffffff'] },
  dark: { usual: ['#151513', '#1e1e1b', '#282724'], more: ['#000000'] }
}

/** Whether `accent` (`#rrggbb`) is readable in a theme. High contrast requires more. */
export function isReadableAccent(accent: string, theme: Theme, highContrast: boolean): boolean {
  const colour: Colour = parseColour(accent)
  const { usual, more } = BACKGROUNDS[theme]
  const least = highContrast ? MIN_CONTRAST.AAA : MIN_CONTRAST.AA
  return (highContrast ? more : usual).every((ground) => contrastRatio(colour, parseColour(ground)) >= least)
}

/** Red, green and blue, 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number]

/** Parses `#rrggbb`. */
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

/** Minimum contrast of text in WCAG 2.2, level AA and AAA. */
export const MIN_CONTRAST = { AA: 4.5, AAA: 7 } as const

/**
 * A screen too small to show the slip beside the form, such as a 7-inch till. The style sheets use the same limits.
 */
export const COMPACT = new MediaQuery('(max-width: 900px), (max-height: 560px)')

/** A desk screen of 1024 × 768, where messages of several lines would push controls out of sight. */
export const NARROW = new MediaQuery('(max-width: 1100px)')

/** A screen large enough for another column. */
export const WIDE = new MediaQuery('(min-width: 1600px) and (min-height: 900px)')

/** A touch screen is present. */
export const TOUCH = new MediaQuery('any-pointer: coarse')
