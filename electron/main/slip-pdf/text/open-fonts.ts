/** Opening the fonts that a text takes: only setting it tells which those are. */
import type { Fonts, FontStore } from './font-store.ts'
import { baseFonts, type SlipText } from './text.ts'

/** Composes with fonts as far as they are open, to learn which it takes, until all of them are. */
export async function withOpenFonts<Composed extends { readonly text: SlipText }>(
  store: FontStore,
  compose: (fonts: Fonts) => Composed
): Promise<Composed> {
  let fonts = await store.open(baseFonts(['regular', 'bold']))
  for (;;) {
    const composed = compose(fonts)
    const closed = composed.text.closedFonts()
    if (closed.size === 0) return composed
    fonts = await store.open(closed)
  }
}
