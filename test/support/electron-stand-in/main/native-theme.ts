import { StrictEmitter } from '../strict.ts'

type ThemeSource = 'system' | 'light' | 'dark'

let onChange: () => void = () => undefined

/** Is called when the preferred colours of the pages changed. */
export function onThemeChanged(handler: () => void): void {
  onChange = handler
}

class NativeTheme extends StrictEmitter {
  #source: ThemeSource = 'system'

  constructor() {
    super('nativeTheme', [])
  }

  get themeSource(): ThemeSource {
    return this.#source
  }

  set themeSource(source: ThemeSource) {
    if (!['system', 'light', 'dark'].includes(source)) {
      throw new TypeError(`Error processing argument at index 0, conversion failure from ${source as string}`)
    }
    if (source === this.#source) return
    this.#source = source
    onChange()
  }

  get shouldUseDarkColors(): boolean {
    return this.#source === 'dark'
  }
}

/** Electron's `nativeTheme`; the stand-in's system is light. */
export const nativeTheme = new NativeTheme()

/** The media features that pages see. */
export const themeFeatures = (): { name: string; value: string }[] => [
  { name: 'prefers-color-scheme', value: nativeTheme.shouldUseDarkColors ? 'dark' : 'light' }
]
