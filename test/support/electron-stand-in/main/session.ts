import { chromium, runtime } from '../runtime.ts'
import { makeEvent, refuse, strict, StrictEmitter } from '../strict.ts'
import { DownloadItem } from './download-item.ts'
import { openRequests } from './net.ts'
import { fromPartition } from './partition.ts'
import { setCheckHandler, setRequestHandler, shownOrigins } from './permissions.ts'
import { protocol } from './protocol.ts'
import { recorder } from './recorder.ts'
import { fromChromium } from './scheme-map.ts'
import { webRequest } from './web-request.ts'

/** Electron's `Session`; there is one, the default session. */
export class Session extends StrictEmitter {
  readonly protocol = protocol
  readonly webRequest = webRequest
  #spellCheckerEnabled = true
  #spellCheckerLanguages: string[] = []

  constructor() {
    super('session', ['will-download', 'preconnect', 'spellcheck-dictionary-initialized'])
  }

  /** For boot.ts: subscribes to downloads. No save dialog opens; a download that no listener prevents is cancelled. */
  static async watchDownloads(session: Session): Promise<void> {
    chromium().on('Browser.downloadWillBegin', ({ guid, url, suggestedFilename }) => {
      const item = new DownloadItem(fromChromium(url), suggestedFilename)
      const event = makeEvent({})
      session.emit('will-download', event, item, null)
      if (!event.defaultPrevented)
        recorder.record('dialog.showSaveDialog', { defaultPath: suggestedFilename })
      item.cancel()
      chromium()
        .send('Browser.cancelDownload', { guid })
        .catch(() => undefined)
    })
    await chromium().send('Browser.setDownloadBehavior', { behavior: 'deny', eventsEnabled: true })
  }

  setPermissionRequestHandler(handler: unknown): void {
    setRequestHandler(handler)
  }

  setPermissionCheckHandler(handler: unknown): void {
    setCheckHandler(handler)
  }

  setDevicePermissionHandler(handler: unknown): void {
    recordHandler('session.setDevicePermissionHandler', handler)
  }

  setDisplayMediaRequestHandler(handler: unknown): void {
    recordHandler('session.setDisplayMediaRequestHandler', handler)
  }

  setBluetoothPairingHandler(handler: unknown): void {
    recordHandler('session.setBluetoothPairingHandler', handler)
  }

  setUSBProtectedClassesHandler(handler: unknown): void {
    recordHandler('session.setUSBProtectedClassesHandler', handler)
  }

  setCertificateVerifyProc(handler: unknown): void {
    recordHandler('session.setCertificateVerifyProc', handler)
  }

  async clearStorageData(options: { origin?: string } = {}): Promise<void> {
    recorder.record('session.clearStorageData', { options })
    if (options.origin !== undefined) refuse("the option 'origin' of session.clearStorageData")
    const contexts = shownOrigins().map((origin) => clearOrigin(origin))
    await Promise.all([...contexts, chromium().send('Storage.clearCookies')])
  }

  clearCache(): Promise<void> {
    // Each start has a profile of its own, so there is no more than this run's pages in the cache.
    recorder.record('session.clearCache')
    return Promise.resolve()
  }

  closeAllConnections(): Promise<void> {
    return openRequests.closeAll()
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
}

/** Storage belongs to pages: an empty page of its own clears what another origin has kept. */
async function clearOrigin(origin: string): Promise<void> {
  const { targetInfos } = await chromium().send('Target.getTargets')
  const page = targetInfos.find(({ type }) => type === 'page')
  if (!page) return
  const { sessionId } = await chromium().send('Target.attachToTarget', {
    targetId: page.targetId,
    flatten: true
  })
  await chromium().send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' }, sessionId)
  await chromium().send('Target.detachFromTarget', { sessionId })
}

function recordHandler(api: string, handler: unknown): void {
  if (handler !== null && typeof handler !== 'function') throw new TypeError('Must pass null or function')
  recorder.record(api, { set: handler !== null })
}

export const defaultSession = new Session()

/** Electron's `session` module. */
export const session = strict('session', {
  get defaultSession(): Session {
    if (!runtime.ready) throw new TypeError('Session can only be received when app is ready')
    return defaultSession
  },
  fromPartition
})
