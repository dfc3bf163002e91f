import { refusedApi } from '../strict.ts'

/** Modules and classes that Electron's main process has and the stand-in lacks; using one throws, naming it. */
const NAMES = [
  'BaseWindow',
  'BrowserView',
  'MenuItem',
  'Notification',
  'crashReporter',
  'nativeImage',
  'powerSaveBlocker',
  'shell',
  'ImageView',
  'MessageChannelMain',
  'MessagePortMain',
  'ShareMenu',
  'TouchBar',
  'Tray',
  'View',
  'WebContentsView',
  'contentTracing',
  'desktopCapturer',
  'globalShortcut',
  'inAppPurchase',
  'netLog',
  'pushNotifications',
  'serviceWorkerMain',
  'sharedTexture',
  'systemPreferences',
  'webFrameMain'
]

export const refused: Readonly<Record<string, object>> = Object.fromEntries(
  NAMES.map((name) => [name, refusedApi(name)])
)
