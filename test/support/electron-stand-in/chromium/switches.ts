/** Switches that would fight with the stand-in's own, or that only Electron's own code reads. */
const OURS = new Set([
  'app',
  'headless',
  'inspect',
  'inspect-brk',
  'no-sandbox',
  'no-startup-window',
  'ozone-platform',
  'remote-debugging-pipe',
  'remote-debugging-port',
  'require',
  'stand-in-visible',
  'user-agent',
  'user-data-dir'
])

/** Features merged with those that the app or a test driver turns off: only Chromium's last list counts. */
const DISABLED_FEATURES = [
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  // One process holds a page with all its frames, so one DevTools session sees them all.
  'IsolateOrigins',
  'site-per-process',
  // Electron turns it off too.
  'LocalNetworkAccessChecks',
  'MediaRouter',
  'OptimizationHints',
  'SpareRendererForSitePerProcess',
  'Translate',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup'
]

export interface SwitchOptions {
  readonly profile: string
  readonly visible: boolean
  readonly remoteDebuggingPort: string | undefined
  /** the app's own switches, from its command line and from app.commandLine.appendSwitch */
  readonly appSwitches: ReadonlyMap<string, string>
}

/** Chromium's command line: quiet, without background traffic, driven over a pipe. */
export function chromiumSwitches(options: SwitchOptions): string[] {
  const { appSwitches } = options
  const disabled = [...DISABLED_FEATURES, ...(appSwitches.get('disable-features') ?? '').split(',')]
  const passed = [...appSwitches].filter(([name]) => !OURS.has(name) && name !== 'disable-features')
  return [
    `--user-data-dir=${options.profile}`,
    '--remote-debugging-pipe',
    // Only a test driver asks for the port; a till in use opens none.
    ...(options.remoteDebuggingPort === undefined
      ? []
      : [`--remote-debugging-port=${options.remoteDebuggingPort}`]),
    ...(options.visible
      ? ['--disable-infobars', '--test-type']
      : [
          '--headless=new',
          '--hide-scrollbars',
          '--mute-audio',
          // There is a camera, but no prompt to allow it: Debian's headless Chromium has none.
          '--use-fake-device-for-media-stream',
          '--use-fake-ui-for-media-stream=deny'
        ]),
    // Chromium refuses its own sandbox to root.
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    '--no-startup-window',
    '--disable-gpu',
    '--disable-dev-shm-usage',
    // Going back loads the page anew, as in Electron.
    '--disable-back-forward-cache',
    '--disable-background-networking',
    '--disable-background-timer-throttling',
    '--disable-backgrounding-occluded-windows',
    '--disable-renderer-backgrounding',
    '--disable-breakpad',
    '--disable-component-update',
    '--disable-default-apps',
    '--disable-domain-reliability',
    '--disable-extensions',
    '--disable-hang-monitor',
    '--disable-popup-blocking',
    '--disable-search-engine-choice-screen',
    '--disable-site-isolation-trials',
    '--disable-sync',
    '--metrics-recording-only',
    '--no-default-browser-check',
    '--no-first-run',
    '--no-service-autorun',
    '--password-store=basic',
    '--use-mock-keychain',
    ...passed.map(([name, value]) => (value === '' ? `--${name}` : `--${name}=${value}`)),
    `--disable-features=${disabled.filter((name) => name !== '').join(',')}`
  ]
}
