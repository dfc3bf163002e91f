/** Chromium's switches from the command line and from the app's code; Chromium gets them at its start. */
export const appSwitches = new Map<string, string>()

/** Takes over the switches of the command line, before the app's code runs. */
export function readAppSwitches(argv: readonly string[]): void {
  for (const arg of argv) {
    const match = /^--([^=]+)(?:=(.*))?$/s.exec(arg)
    if (match?.[1] !== undefined) appSwitches.set(match[1], match[2] ?? '')
  }
  if (process.platform !== 'linux') return
  if (!appSwitches.has('ozone-platform')) {
    appSwitches.set('ozone-platform', process.env['XDG_SESSION_TYPE'] === 'wayland' ? 'wayland' : 'x11')
  }
  displayServer.isWayland = appSwitches.get('ozone-platform') === 'wayland'
}

/**
 * The display server, which Electron chooses before the app's code runs (`ElectronMainDelegate::PreSandboxStartup`), so
 * that its switch of then counts. On Wayland the compositor places the windows.
 */
export const displayServer = { isWayland: false }
