import { ELECTRON_VERSION } from '../runtime.ts'
import { app } from './app.ts'

let fallback: string | undefined

/** The user agent of pages that set none: Chromium's, with the app and Electron named in it. */
export function userAgent(): string {
  if (fallback !== undefined) return fallback
  const system = process.platform === 'darwin' ? 'Macintosh; Intel Mac OS X 10_15_7' : 'X11; Linux x86_64'
  const chrome = (process.versions['chrome'] ?? '0').split('.')[0]
  const name = app.getName().replaceAll(' ', '')
  const product = `${name}/${app.getVersion()} Chrome/${chrome}.0.0.0 Electron/${ELECTRON_VERSION}`
  return `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) ${product} Safari/537.36`
}

export function setUserAgentFallback(agent: string): void {
  fallback = agent
}
