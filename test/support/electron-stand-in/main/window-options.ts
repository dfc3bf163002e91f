import { isAbsolute } from 'node:path'
import { refuse } from '../strict.ts'

/** Options of a window that the stand-in honours, or that change nothing without a window manager. */
const WINDOW = new Set([
  'alwaysOnTop',
  'backgroundColor',
  'focusable',
  'frame',
  'height',
  'icon',
  'minHeight',
  'minWidth',
  'show',
  'skipTaskbar',
  'title',
  'webPreferences',
  'width',
  'x',
  'y'
])

const isBoolean = (value: unknown): boolean => typeof value === 'boolean'
const isTrue = (value: unknown): boolean => value === true
const isFalse = (value: unknown): boolean => value === false

/** Options of a page, each with the values that the stand-in can honour; others it refuses. */
const PAGE: Readonly<Record<string, (value: unknown) => boolean>> = {
  allowRunningInsecureContent: isFalse,
  contextIsolation: isTrue,
  devTools: isBoolean,
  experimentalFeatures: isFalse,
  navigateOnDragDrop: isFalse,
  nodeIntegration: isFalse,
  nodeIntegrationInSubFrames: isFalse,
  nodeIntegrationInWorker: isFalse,
  preload: (value) => typeof value === 'string',
  sandbox: isTrue,
  spellcheck: isBoolean,
  webSecurity: isTrue,
  webviewTag: isFalse
}

export interface WindowOptions {
  readonly x?: number
  readonly y?: number
  readonly width?: number
  readonly height?: number
  readonly minWidth?: number
  readonly minHeight?: number
  readonly show?: boolean
  readonly focusable?: boolean
  readonly webPreferences?: { readonly preload?: string }
}

/** Checks a window's options. @throws for one that the stand-in does not know or can't honour, naming it */
export function checkWindowOptions(options: object): WindowOptions {
  for (const key of Object.keys(options)) {
    if (!WINDOW.has(key)) refuse(`the option '${key}' of BrowserWindow`)
  }
  const checked: WindowOptions = options
  for (const [key, value] of Object.entries<unknown>(checked.webPreferences ?? {})) {
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
