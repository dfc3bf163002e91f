/**
 * What unit tests get for `import … from 'electron'` (an alias in vitest.config.ts): every use throws and names itself,
 * until a test provides what the code under test needs. A unit test that needs more than a little of Electron belongs
 * among the end-to-end specs.
 */

type Members = Record<string | symbol, unknown>

const provided = new Map<string, Members>()

/** Names that a language feature, a bundler or a test runner reads from any object. */
const ASKED_BY_TOOLS = new Set<string | symbol>([
  'then',
  'toJSON',
  'default',
  '__esModule',
  'asymmetricMatch',
  'nodeType'
])

function stub(name: string): object {
  return new Proxy(function () {}, {
    get(_target, property) {
      const members = provided.get(name)
      if (members && property in members) return members[property]
      if (typeof property === 'symbol' || ASKED_BY_TOOLS.has(property)) return undefined
      throw new Error(`electron stub: a test used ${name}.${property} without providing it`)
    },
    apply: () => {
      throw new Error(`electron stub: a test called ${name} without providing it`)
    },
    construct(_target, args) {
      const construct = provided.get(name)?.['construct']
      if (typeof construct === 'function') return construct(...args) as object
      throw new Error(`electron stub: a test called new ${name} without providing it`)
    }
  })
}

/**
 * Provides members of one part of Electron, for example `provideElectron('app', { getVersion: () => '1.0.0' })`. The
 * member `construct` answers `new`. Members provided earlier stay.
 */
export function provideElectron(name: string, members: Members): void {
  provided.set(name, { ...provided.get(name), ...members })
}

/** Forgets everything provided; for afterEach. */
export function resetElectron(): void {
  provided.clear()
}

export const app = stub('app')
export const BrowserWindow = stub('BrowserWindow')
export const clipboard = stub('clipboard')
export const contextBridge = stub('contextBridge')
export const crashReporter = stub('crashReporter')
export const dialog = stub('dialog')
export const ipcMain = stub('ipcMain')
export const ipcRenderer = stub('ipcRenderer')
export const Menu = stub('Menu')
export const MenuItem = stub('MenuItem')
export const nativeImage = stub('nativeImage')
export const nativeTheme = stub('nativeTheme')
export const net = stub('net')
export const Notification = stub('Notification')
export const powerMonitor = stub('powerMonitor')
export const powerSaveBlocker = stub('powerSaveBlocker')
export const protocol = stub('protocol')
export const safeStorage = stub('safeStorage')
export const screen = stub('screen')
export const session = stub('session')
export const shell = stub('shell')
export const webContents = stub('webContents')

export default {
  app,
  BrowserWindow,
  clipboard,
  contextBridge,
  crashReporter,
  dialog,
  ipcMain,
  ipcRenderer,
  Menu,
  MenuItem,
  nativeImage,
  nativeTheme,
  net,
  Notification,
  powerMonitor,
  powerSaveBlocker,
  protocol,
  safeStorage,
  screen,
  session,
  shell,
  webContents
}
