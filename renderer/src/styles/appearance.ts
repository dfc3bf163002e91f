/** What of the appearance the style sheet cannot know by itself: high contrast, and a business's own accent. */
import type { TillSettings } from '../../../electron/contract/settings.ts'
import { holds, type Theme } from './accent.ts'

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
      if (accent !== null && holds(accent, theme, highContrast)) root.style.setProperty(name, accent)
      else root.style.removeProperty(name)
    }
  }
  apply()
  system.addEventListener('change', apply)
  return () => {
    system.removeEventListener('change', apply)
  }
}
