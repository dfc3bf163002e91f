/** Restrictions of every page, whatever it loads (Electron security checklist, items 5, 12, 13 and 14). */
import { app, session } from 'electron'
import { ORIGINS } from './app-protocol.ts'

/**
 * Denies permissions, devices, downloads, new windows, navigation to other origins, redirects and webviews. Call after
 * the app is ready and before a window opens.
 */
export function installSecurityRestrictions(): void {
  const { defaultSession } = session
  defaultSession.setPermissionRequestHandler((_contents, _permission, decide) => decide(false))
  defaultSession.setPermissionCheckHandler(() => false)
  defaultSession.setDevicePermissionHandler(() => false)
  defaultSession.on('will-download', (event) => event.preventDefault())

  app.on('web-contents-created', (_event, contents) => {
    contents.setWindowOpenHandler(() => ({ action: 'deny' }))
    contents.on('will-navigate', (event) => {
      // A page must not open with the preload of another window.
      const isSameOrigin = Object.values(ORIGINS).some(
        (origin) => event.url.startsWith(`${origin}/`) && contents.getURL().startsWith(`${origin}/`)
      )
      if (!isSameOrigin) event.preventDefault()
    })
    contents.on('will-redirect', (event) => event.preventDefault())
    contents.on('will-attach-webview', (event) => event.preventDefault())
  })
}
