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
    super('nativeTheme', ['updated'])
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
    this.emit('updated')
  }

  get shouldUseDarkColors(): boolean {
    return this.#source === 'dark'
  }

  readonly shouldUseDarkColorsForSystemIntegratedUI = false

  get shouldUseHighContrastColors(): boolean {
    return process.env['TILLPOINTS_STAND_IN_CONTRAST'] === 'high'
  }

  readonly shouldUseInvertedColorScheme = false

  readonly inForcedColorsMode = false

  readonly prefersReducedTransparency = false
}

/** Electron's `nativeTheme`; the stand-in's system is light. */
export const nativeTheme = new NativeTheme()

/** The media features that pages see. */
export function themeFeatures(): { name: string; value: string }[] {
  return [
    { name: 'prefers-color-scheme', value: nativeTheme.shouldUseDarkColors ? 'dark' : 'light' },
    { name: 'prefers-contrast', value: nativeTheme.shouldUseHighContrastColors ? 'more' : 'no-preference' }
  ]
}
