import { makeEvent } from '../strict.ts'
import { mayClose } from './before-unload.ts'
import { certificateError } from './certificate-error.ts'
import type { FrameTree } from './frames.ts'
import { NavigationGuard } from './navigation-guard.ts'
import { netErrorNumber } from './net-errors.ts'
import { PageHistory } from './page-history.ts'
import type { PageTarget } from './page-target.ts'
import { PendingLoad, type StartedLoad } from './pending-load.ts'
import { fromChromium, toChromium } from './scheme-map.ts'
import type { WebContents } from './web-contents.ts'

function signal(): { readonly promise: Promise<void>; resolve(): void } {
  return Promise.withResolvers()
}

/** Loads documents into a page and emits the navigation events on its WebContents. */
export class Navigation {
  readonly #contents: WebContents
  readonly #page: PageTarget
  readonly #frames: FrameTree
  readonly #history: PageHistory
  readonly #load = new PendingLoad()
  readonly #opened = signal()
  readonly guard: NavigationGuard
  #status: readonly [code: number, text: string] = [200, 'OK']
  #committed = false
  #shown = false
  url = ''
  title = ''
  loading = false
  waiting = false

  constructor(contents: WebContents, page: PageTarget, frames: FrameTree) {
    this.#contents = contents
    this.#page = page
    this.#frames = frames
    this.#history = new PageHistory(page)
    this.guard = new NavigationGuard(contents, page, frames)
    this.#watchLoading()
    this.#watchFrames()
  }

  /** The page is ready to be navigated; loads asked for earlier start now. */
  open(): void {
    this.#opened.resolve()
  }

  /** Loads a document. @returns a promise that settles as that of Electron's loadURL */
  load(url: string): Promise<void> {
    const load = this.#load.start(url)
    void this.#opened.promise.then(() => {
      if (load.isCurrent()) void this.#navigate(url, load)
    })
    return load.promise
  }

  async #navigate(url: string, load: StartedLoad): Promise<void> {
    let target: string
    try {
      target = toChromium(url)
    } catch (error) {
      this.#load.reject(error)
      return
    }
    if (!URL.canParse(target)) {
      this.#failed(url, 'ERR_INVALID_URL')
      return
    }
    this.guard.expect(target)
    try {
      const { errorText, loaderId } = await this.#page.send('Page.navigate', { url: target })
      if (!load.isCurrent()) return
      if (errorText !== undefined && errorText !== '') this.#failed(url, errorText.replace(/^net::/, ''))
      // Without a loader the address was one within the present document.
      else if (loaderId === undefined) this.#load.finish()
      else load.expect(loaderId)
    } catch (error) {
      this.#failed(url, String(error).includes('invalid URL') ? 'ERR_INVALID_URL' : 'ERR_FAILED')
    }
  }

  reload(ignoreCache: boolean): void {
    this.guard.expect('*')
    // A page that crashed answers reload only after Chromium has given it a new process; navigate does both.
    const again = this.#contents.isCrashed()
      ? this.#page.send('Page.navigate', { url: toChromium(this.url) })
      : this.#page.send('Page.reload', { ignoreCache })
    void again.catch(() => undefined)
  }

  canGo(offset: -1 | 1): boolean {
    return this.#history.entry(offset) !== undefined
  }

  go(offset: -1 | 1): void {
    void this.#history.read().then(() => {
      const entryId = this.#history.entry(offset)
      if (entryId === undefined) return
      this.guard.expect('*')
      this.#page.send('Page.navigateToHistoryEntry', { entryId }).catch(() => undefined)
    })
  }

  /** Resolves when the page has a document and nothing is loading. */
  async loaded(): Promise<void> {
    while (this.url === '' || this.loading) {
      await new Promise<void>((resolve) => this.#contents.once('did-stop-loading', () => resolve()))
    }
  }

  /** For the preload's world: the page navigates to a document without a request; it is shown unless prevented. */
  leave(url: string): void {
    if (!this.guard.allows(url, this.#page.targetId, false)) return
    this.guard.expect(url)
    this.#page.send('Page.navigate', { url }).catch(() => undefined)
  }

  /** For the interceptor: the status with which a main document was answered. */
  answered(code: number, text: string): void {
    this.#status = [code, text]
  }

  /** The page's process is gone. */
  crashed(): void {
    this.loading = false
    this.#load.fail('ERR_FAILED')
  }

  /** Asks the page's beforeunload handlers. @returns false when the page objects to being closed */
  async mayUnload(): Promise<boolean> {
    if (this.#contents.isCrashed() || !this.#committed) return true
    const may = await mayClose(this.#page)
    if (!may) this.#contents.emit('will-prevent-unload', makeEvent({}))
    return may
  }

  #watchLoading(): void {
    const isMain = (frameId: string): boolean => frameId === this.#page.targetId
    this.#page.on('Page.frameStartedNavigating', ({ frameId, url, navigationType }) => {
      const isMainFrame = isMain(frameId)
      const isSameDocument = /sameDocument/i.test(navigationType)
      if (isMainFrame && !isSameDocument) this.waiting = true
      const frame = this.#frames.find(frameId) ?? this.#frames.main
      const event = makeEvent({
        url: fromChromium(url),
        isSameDocument,
        isMainFrame,
        frame,
        initiator: frame
      })
      this.#contents.emit(
        'did-start-navigation',
        event,
        event.url,
        isSameDocument,
        isMainFrame,
        frame.processId,
        frame.routingId
      )
    })
    this.#page.on('Page.frameStartedLoading', ({ frameId }) => {
      if (!isMain(frameId) || this.loading) return
      this.loading = true
      this.#contents.emit('did-start-loading')
    })
    this.#page.on('Page.frameStoppedLoading', ({ frameId }) => {
      if (!isMain(frameId) || !this.loading) return
      this.loading = false
      this.#contents.emit('did-stop-loading')
    })
    this.#page.on('Network.responseReceived', ({ type, frameId, response }) => {
      if (type === 'Document' && frameId !== undefined && isMain(frameId))
        this.answered(response.status, response.statusText)
    })
    this.#page.on('Network.loadingFailed', ({ type, errorText }) => {
      const byThePage = type === 'Document' && !this.#load.pending && !this.guard.expecting
      if (byThePage && errorText !== 'net::ERR_ABORTED')
        this.#failed(this.url, errorText.replace(/^net::/, ''))
    })
    this.#page.on('Page.lifecycleEvent', ({ frameId, loaderId, name }) => {
      if (!this.#committed) return
      const isMainFrame = isMain(frameId)
      const frame = this.#frames.find(frameId)
      if (!frame) return
      if (name === 'DOMContentLoaded') {
        frame.emit('dom-ready')
        if (isMainFrame) this.#contents.emit('dom-ready', makeEvent({}))
      } else if (name === 'firstContentfulPaint' && isMainFrame) this.#show()
      else if (name === 'load') {
        this.#contents.emit(
          'did-frame-finish-load',
          makeEvent({}),
          isMainFrame,
          frame.processId,
          frame.routingId
        )
        if (isMainFrame && !this.#onErrorPage) this.#finished(loaderId)
      }
    })
  }

  #onErrorPage = false

  #watchFrames(): void {
    this.#page.on('Page.frameAttached', ({ frameId, parentFrameId }) =>
      this.#frames.attach(frameId, parentFrameId)
    )
    this.#page.on(
      'Page.frameDetached',
      ({ frameId, reason }) => reason === 'remove' && this.#frames.detach(frameId)
    )
    this.#page.on('Page.frameNavigated', ({ frame }) => {
      const address = `${frame.unreachableUrl ?? frame.url}${frame.urlFragment ?? ''}`
      const shown = this.#frames.navigated(frame.id, frame.parentId, address, frame.name ?? '')
      const isMainFrame = frame.parentId === undefined
      const [code, text] = this.#status
      // Read before the event is emitted: a listener may destroy the window.
      const args = [fromChromium(address), code, text, isMainFrame, shown.processId, shown.routingId]
      if (isMainFrame) {
        this.#committed = true
        this.waiting = false
        this.guard.settled(frame.url)
        this.#onErrorPage = frame.unreachableUrl !== undefined
        this.url = fromChromium(address)
        this.title = ''
        void this.#history.read()
        if (this.#onErrorPage) return
        this.#contents.emit('did-navigate', makeEvent({}), this.url, code, text)
      }
      this.#contents.emit('did-frame-navigate', makeEvent({}), ...args)
    })
    this.#page.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
      const frame = this.#frames.find(frameId)
      if (!frame) return
      const isMainFrame = frameId === this.#page.targetId
      this.#frames.navigated(frameId, undefined, url, frame.name)
      if (isMainFrame) {
        this.url = fromChromium(url)
        void this.#history.read()
      }
      const event = makeEvent({})
      this.#contents.emit(
        'did-navigate-in-page',
        event,
        fromChromium(url),
        isMainFrame,
        frame.processId,
        frame.routingId
      )
    })
  }

  /** The preload's world saw another title. */
  titled(title: string): void {
    if (title === this.title) return
    this.title = title
    this.#contents.emit('page-title-updated', makeEvent({}), title, true)
  }

  /** The first paint of a window's first page; Electron says so once per window. */
  #show(): void {
    if (this.#shown) return
    this.#shown = true
    this.#contents.emit('ready-to-show')
  }

  #finished(loaderId: string): void {
    this.#show()
    this.#contents.emit('did-finish-load')
    // A caller that awaited the load may ask at once whether it can go back.
    void this.#history.read().then(() => this.#load.loaded(loaderId))
  }

  #failed(url: string, name: string): void {
    this.guard.settled()
    const number = netErrorNumber(name)
    const { processId, routingId } = this.#frames.main
    if (name.startsWith('ERR_CERT_')) this.#contents.emit('certificate-error', ...certificateError(url, name))
    const event = name === 'ERR_ABORTED' ? 'did-fail-provisional-load' : 'did-fail-load'
    if (!this.#contents.isDestroyed()) {
      this.#contents.emit(event, makeEvent({}), number, name, url, true, processId, routingId)
    }
    this.#load.fail(name)
  }
}
