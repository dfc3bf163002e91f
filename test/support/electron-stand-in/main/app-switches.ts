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

/**
 * Returns a command line as Chromium passes it to the first instance (`base::CommandLine`): the program, every switch
 * with those that the app added, and then the other arguments. All after `--` are arguments.
 */
export function chromiumArgv([program = '', ...args]: readonly string[]): string[] {
  const end = args.includes('--') ? args.indexOf('--') : args.length
  const isSwitch = (arg: string, index: number): boolean => index < end && /^-./.test(arg)
  const given = args.filter(isSwitch)
  const added = [...appSwitches]
    .map(([name, value]) => (value === '' ? `--${name}` : `--${name}=${value}`))
    .filter((each) => !given.includes(each))
  return [program, ...given, ...added, ...args.filter((arg, index) => !isSwitch(arg, index))]
}
