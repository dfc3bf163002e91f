import { screenLocale } from './locale.ts'

/**
 * Gives what `make` makes for the screen's locale, made once for each locale: making one of `Intl` takes a hundred times
 * as long as using it, and a list in motion needs dozens in each frame.
 */
export function perLocale<Made>(make: (locale: string) => Made): () => Made {
  const made = new Map<string, Made>()
  return () => {
    const locale = screenLocale()
    const known = made.get(locale)
    if (known !== undefined) return known
    const first = make(locale)
    made.set(locale, first)
    return first
  }
}
