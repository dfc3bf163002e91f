import { runtime } from '../runtime.ts'
import { refuse, strict, StrictEmitter } from '../strict.ts'
import { chromium } from '../runtime.ts'
import { setCheckHandler, setRequestHandler } from './permissions.ts'
import { protocol } from './protocol.ts'
import { recorder } from './recorder.ts'
import { webRequest } from './web-request.ts'
import { toChromium } from './scheme-map.ts'
import { WebContents } from './web-contents.ts'

/** Electron's `Session`; there is one, the default session. */
export class Session extends StrictEmitter {
  readonly protocol = protocol
  readonly webRequest = webRequest
  #spellCheckerEnabled = true
  #spellCheckerLanguages: string[] = []

  constructor() {
    super('session', ['will-download', 'preconnect', 'spellcheck-dictionary-initialized'])
  }

  setPermissionRequestHandler(handler: unknown): void {
    setRequestHandler(handler)
  }

  setPermissionCheckHandler(handler: unknown): void {
    setCheckHandler(handler)
  }

  setDevicePermissionHandler(handler: unknown): void {
    recorder.record('session.setDevicePermissionHandler', { set: mustBeHandler(handler) })
  }

  setDisplayMediaRequestHandler(handler: unknown): void {
    recorder.record('session.setDisplayMediaRequestHandler', { set: mustBeHandler(handler) })
  }

  setBluetoothPairingHandler(handler: unknown): void {
    recorder.record('session.setBluetoothPairingHandler', { set: mustBeHandler(handler) })
  }

  setCertificateVerifyProc(handler: unknown): void {
    recorder.record('session.setCertificateVerifyProc', { set: mustBeHandler(handler) })
  }

  async clearStorageData(options: { origin?: string } = {}): Promise<void> {
    recorder.record('session.clearStorageData', { options })
    const urls =
      options.origin === undefined
        ? WebContents.getAllWebContents().map((each) => each.getURL())
        : [options.origin]
    for (const url of urls.filter((each) => each !== '')) {
      const { origin } = new URL(toChromium(url))
      const [contents] = WebContents.getAllWebContents()
      if (!contents || origin === 'null') continue
      await WebContents.page(contents).send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
    }
    await chromium().send('Storage.clearCookies')
  }

  async clearCache(): Promise<void> {
    recorder.record('session.clearCache')
    const [contents] = WebContents.getAllWebContents()
    if (contents) await WebContents.page(contents).send('Network.clearBrowserCache')
  }

  setSpellCheckerEnabled(enabled: boolean): void {
    this.#spellCheckerEnabled = enabled
  }

  isSpellCheckerEnabled(): boolean {
    return this.#spellCheckerEnabled
  }

  setSpellCheckerLanguages(languages: string[]): void {
    this.#spellCheckerLanguages = [...languages]
  }

  getSpellCheckerLanguages(): string[] {
    return [...this.#spellCheckerLanguages]
  }

  setSpellCheckerDictionaryDownloadURL(url: string): void {
    recorder.record('session.setSpellCheckerDictionaryDownloadURL', { url })
  }

  isPersistent(): boolean {
    return true
  }

  getPreloadScripts(): object[] {
    return []
  }

  async closeAllConnections(): Promise<void> {
    recorder.record('session.closeAllConnections')
  }
}

function mustBeHandler(handler: unknown): boolean {
  if (handler !== null && typeof handler !== 'function') throw new TypeError('Must pass null or function')
  return handler !== null
}

export const defaultSession = new Session()

/** Electron's `session` module. */
export const session = strict('session', {
  get defaultSession(): Session {
    if (!runtime.ready) throw new TypeError('Session can only be received when app is ready')
    return defaultSession
  },
  fromPartition: (partition: string) => refuse(`session.fromPartition('${partition}')`),
  fromPath: (path: string) => refuse(`session.fromPath('${path}')`)
})
