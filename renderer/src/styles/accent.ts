/** A business's own accent: used where it can be read, and nowhere else. */
import { colourOf, contrastOf, READABLE, type Colour } from './contrast.ts'

/** The two themes of the till. */
export type Theme = 'light' | 'dark'

/** Grounds that the accent stands on, or that words on it have: `--paper`, `--sheet` and `--pale` of tokens.css. */
export const GROUNDS: Readonly<
  Record<Theme, { readonly usual: readonly string[]; readonly more: readonly string[] }>
> = {
  light: { usual: ['#fbfaf7', '#ffffff', '#f2f0eb'], more: ['#ffffff'] },
  dark: { usual: ['#151513', '#1e1e1b', '#282724'], more: ['#000000'] }
}

/** Whether `accent` (`#rrggbb`) can be read in a theme; high contrast asks for more. */
export function holds(accent: string, theme: Theme, highContrast: boolean): boolean {
  const colour: Colour = colourOf(accent)
  const { usual, more } = GROUNDS[theme]
  const least = highContrast ? READABLE.AAA : READABLE.AA
  return (highContrast ? more : usual).every((ground) => contrastOf(colour, colourOf(ground)) >= least)
}
