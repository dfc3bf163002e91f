import { mayClose } from './before-unload.ts'
import type { FrameTree } from './frames.ts'
import { NavigationGuard } from './navigation-guard.ts'
import type { PageTarget } from './page-target.ts'
import { PendingLoad, type StartedLoad } from './pending-load.ts'
import { fromChromium, toChromium } from './scheme-map.ts'
import type { WebContents } from './web-contents.ts'

/** Loads documents into a page and emits the navigation events on its WebContents. */
export class Navigation {
  readonly #contents: WebContents
  readonly #page: PageTarget
  readonly #frames: FrameTree
  readonly #load = new PendingLoad()
  readonly #opened = Promise.withResolvers<undefined>()
  readonly guard: NavigationGuard
  /** the first document is there, and nothing is loading */
  #isIdle = false
  #waiting: (() => void)[] = []
  #isShown = false
  #isErrorPage = false
  url = ''

  constructor(contents: WebContents, page: PageTarget, frames: FrameTree) {
    this.#contents = contents
    this.#page = page
    this.#frames = frames
    this.guard = new NavigationGuard(contents, page, frames)
    this.#watchLoading()
    this.#watchFrames()
  }

  /** The page is ready to be navigated; loads asked for earlier start now. */
  open(): void {
    this.#opened.resolve(undefined)
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
    try {
      const target = toChromium(url)
      this.guard.expect(target)
      const { errorText, loaderId } = await this.#page.send('Page.navigate', { url: target })
      if (!load.isCurrent()) return
      if (errorText !== undefined && errorText !== '') this.#failed(errorText.replace(/^net::/, ''))
      // Without a loader the address was one within the present document.
      else if (loaderId === undefined) this.#load.finish()
      else load.expect(loaderId)
    } catch (error) {
      if (String(error).includes('invalid URL')) this.#failed('ERR_INVALID_URL')
      else this.#load.reject(error)
    }
  }

  reload(isCrashed: boolean): void {
    this.guard.expect('*')
    // A page that crashed answers reload only after Chromium has given it a new process; navigate does both.
    const again = isCrashed
      ? this.#page.send('Page.navigate', { url: toChromium(this.url) })
      : this.#page.send('Page.reload')
    again.catch(() => undefined)
  }

  /** Resolves when the page has a document and nothing is loading. */
  async loaded(): Promise<void> {
    if (!this.#isIdle) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /** For the preload's world: the page navigates to a document without a request; it is shown unless prevented. */
  leave(url: string): void {
    if (!this.guard.allows(url, this.#page.targetId, false)) return
    this.guard.expect(url)
    this.#page.send('Page.navigate', { url }).catch(() => undefined)
  }

  /** The page's process is gone. */
  crashed(): void {
    this.#isIdle = false
    this.#load.fail('ERR_FAILED')
  }

  /** Asks the page's beforeunload handlers. @returns false when the page objects to being closed */
  async mayUnload(): Promise<boolean> {
    return this.url === '' || mayClose(this.#page)
  }

  #watchLoading(): void {
    const isMain = (frameId: string): boolean => frameId === this.#page.targetId
    this.#page.on('Page.frameStartedLoading', ({ frameId }) => {
      if (isMain(frameId)) this.#isIdle = false
    })
    this.#page.on('Page.frameStoppedLoading', ({ frameId }) => {
      if (!isMain(frameId) || this.url === '') return
      this.#isIdle = true
      for (const goOn of this.#waiting.splice(0)) goOn()
    })
    this.#page.on('Page.lifecycleEvent', ({ frameId, loaderId, name }) => {
      if (!isMain(frameId) || this.url === '') return
      if (name === 'firstContentfulPaint') this.#show()
      else if (name === 'load' && !this.#isErrorPage) {
        this.#show()
        this.#contents.emit('did-finish-load')
        this.#load.loaded(loaderId)
      }
    })
  }

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
      this.#frames.navigated(frame.id, frame.parentId, address)
      if (frame.parentId !== undefined) return
      this.guard.settled(frame.url)
      this.#isErrorPage = frame.unreachableUrl !== undefined
      this.url = fromChromium(address)
    })
    this.#page.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
      this.#frames.navigated(frameId, undefined, url)
      if (frameId === this.#page.targetId) this.url = fromChromium(url)
    })
  }

  /** The first paint of a window's first page; Electron says so once per window. */
  #show(): void {
    if (this.#isShown) return
    this.#isShown = true
    this.#contents.emit('ready-to-show')
  }

  #failed(name: string): void {
    this.guard.settled()
    this.#load.fail(name)
  }
}
