import { ELECTRON_VERSION, runtime } from '../runtime.ts'

let ownName: string | undefined
let ownAgent: string | undefined

/** Name and version of the app: from its package.json, until its code sets others. */
export const identity = {
  get name(): string {
    return ownName ?? runtime.app.name ?? 'Electron'
  },
  set name(name: string) {
    ownName = name
  },
  get version(): string {
    return runtime.app.version ?? ELECTRON_VERSION
  },
  /** The user agent of pages that set none: Chromium's, with the app and Electron named in it. */
  get userAgent(): string {
    if (ownAgent !== undefined) return ownAgent
    const system = process.platform === 'darwin' ? 'Macintosh; Intel Mac OS X 10_15_7' : 'X11; Linux x86_64'
    const chrome = chromeVersion().replace(/\..*$/, '')
    const own = `${this.name.replaceAll(' ', '')}/${this.version}`
    const product = `${own} Chrome/${chrome}.0.0.0 Electron/${ELECTRON_VERSION}`
    return `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) ${product} Safari/537.36`
  },
  set userAgent(agent: string) {
    ownAgent = agent
  }
}

/** Known once Chromium runs. */
function chromeVersion(): string {
  const version: unknown = Reflect.get(process.versions, 'chrome')
  return typeof version === 'string' ? version : '0'
}
