import { isAbsolute } from 'node:path'
import { refuse } from '../strict.ts'

/** Options of a window that the stand-in honours or that have nothing to do without a real window manager. */
const WINDOW = new Set([
  'acceptFirstMouse',
  'alwaysOnTop',
  'autoHideMenuBar',
  'backgroundColor',
  'center',
  'closable',
  'darkTheme',
  'disableAutoHideCursor',
  'focusable',
  'frame',
  'fullscreen',
  'fullscreenable',
  'height',
  'icon',
  'kiosk',
  'maxHeight',
  'maxWidth',
  'maximizable',
  'minHeight',
  'minWidth',
  'minimizable',
  'modal',
  'movable',
  'paintWhenInitiallyHidden',
  'parent',
  'resizable',
  'show',
  'skipTaskbar',
  'title',
  'titleBarStyle',
  'useContentSize',
  'webPreferences',
  'width',
  'x',
  'y'
])

/** Options of a page, each with the values that the stand-in can honour; others it refuses. */
const PAGE: Readonly<Record<string, (value: unknown) => boolean>> = {
  additionalArguments: Array.isArray,
  allowRunningInsecureContent: (value) => value === false,
  autoplayPolicy: () => true,
  backgroundThrottling: (value) => typeof value === 'boolean',
  contextIsolation: (value) => value === true,
  defaultEncoding: () => true,
  devTools: (value) => typeof value === 'boolean',
  disableDialogs: (value) => typeof value === 'boolean',
  enableBlinkFeatures: (value) => value === '',
  enableWebSQL: () => true,
  experimentalFeatures: (value) => value === false,
  images: (value) => value === true,
  javascript: (value) => value === true,
  navigateOnDragDrop: (value) => value === false,
  nodeIntegration: (value) => value === false,
  nodeIntegrationInSubFrames: (value) => value === false,
  nodeIntegrationInWorker: (value) => value === false,
  plugins: (value) => value === false,
  preload: (value) => typeof value === 'string',
  safeDialogs: (value) => typeof value === 'boolean',
  sandbox: (value) => value === true,
  scrollBounce: () => true,
  spellcheck: (value) => typeof value === 'boolean',
  v8CacheOptions: () => true,
  webSecurity: (value) => value === true,
  webgl: () => true,
  webviewTag: (value) => value === false,
  zoomFactor: (value) => typeof value === 'number'
}

export interface PagePreferences {
  readonly preload?: string
  readonly additionalArguments?: readonly string[]
  readonly zoomFactor?: number
  readonly backgroundThrottling?: boolean
  readonly devTools?: boolean
}

export interface WindowOptions {
  readonly x?: number
  readonly y?: number
  readonly width?: number
  readonly height?: number
  readonly minWidth?: number
  readonly minHeight?: number
  readonly maxWidth?: number
  readonly maxHeight?: number
  readonly show?: boolean
  readonly fullscreen?: boolean
  readonly kiosk?: boolean
  readonly resizable?: boolean
  readonly movable?: boolean
  readonly minimizable?: boolean
  readonly maximizable?: boolean
  readonly closable?: boolean
  readonly fullscreenable?: boolean
  readonly focusable?: boolean
  readonly alwaysOnTop?: boolean
  readonly modal?: boolean
  readonly autoHideMenuBar?: boolean
  readonly title?: string
  readonly backgroundColor?: string
  readonly parent?: unknown
  readonly webPreferences?: PagePreferences
}

/** Checks a window's options. @throws for one that the stand-in does not know or can't honour, naming it */
export function checkWindowOptions(options: object): WindowOptions {
  for (const key of Object.keys(options)) {
    if (!WINDOW.has(key)) refuse(`the option '${key}' of BrowserWindow`)
  }
  const checked: WindowOptions = options
  for (const [key, value] of Object.entries(checked.webPreferences ?? {})) {
    if (value === undefined) continue
    if (!PAGE[key]) refuse(`webPreferences.${key}`)
    if (!PAGE[key](value)) refuse(`webPreferences.${key}: ${JSON.stringify(value)}`)
  }
  const preload = checked.webPreferences?.preload
  if (preload !== undefined && !isAbsolute(preload)) {
    // Electron prints this and goes on without a preload; a till without its bridge is of no use to a test.
    throw new Error(`preload script must have absolute path: ${preload}`)
  }
  return checked
}
