import { ELECTRON_VERSION, runtime } from '../runtime.ts'

/** The name of the app, from its package.json. */
export const appName = (): string => runtime.app.name ?? 'Electron'

/** The version of the app, from its package.json. */
export const appVersion = (): string => runtime.app.version ?? ELECTRON_VERSION

/** The user agent of pages and requests: Chromium's, with the app and Electron named in it. Known once Chromium runs. */
export function userAgent(): string {
  const system = process.platform === 'darwin' ? 'Macintosh; Intel Mac OS X 10_15_7' : 'X11; Linux x86_64'
  const chrome = process.versions.chrome.replace(/\..*$/, '')
  const own = `${appName().replaceAll(' ', '')}/${appVersion()}`
  const product = `${own} Chrome/${chrome}.0.0.0 Electron/${ELECTRON_VERSION}`
  return `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) ${product} Safari/537.36`
}
