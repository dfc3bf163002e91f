import { makeEvent, refuse } from '../strict.ts'
import type { FrameTree } from './frames.ts'
import type { PageTarget } from './page-target.ts'
import { toChromium } from './scheme-map.ts'
import type { WebContents } from './web-contents.ts'

/** Addresses that the page shows itself; others are handed to the operating system. */
const SHOWN_HERE = /^(https?|about|blob|data|file|javascript|chrome[a-z-]*):/i

/** Asks the listeners of a WebContents about navigations that the app did not start itself. */
export class NavigationGuard {
  readonly #contents: WebContents
  readonly #page: PageTarget
  readonly #frames: FrameTree
  /** Chromium's address of the app's own next navigation; "*" for one whose address it need not know */
  #own: string | undefined

  constructor(contents: WebContents, page: PageTarget, frames: FrameTree) {
    this.#contents = contents
    this.#page = page
    this.#frames = frames
    // Links such as mailto: leave the page where it is; unless vetoed, Electron hands them to the operating system.
    page.on('Page.frameRequestedNavigation', ({ frameId, url, disposition }) => {
      if (SHOWN_HERE.test(url) || disposition !== 'currentTab') return
      if (this.allows(url, frameId, false)) refuse(`handing ${url} to the operating system`)
    })
  }

  /** The next navigation to this address (as Chromium knows it), or to any, is the app's own. */
  expect(url: string): void {
    this.#own = withoutHash(url)
  }

  /** A document was shown, or failed; the app's own navigation is over if it was for it. */
  settled(url?: string): void {
    if (url === undefined || this.#own === '*' || this.#own === withoutHash(url)) this.#own = undefined
  }

  /** May this document be shown? The app's own navigations may; listeners are asked about all others of the main frame. */
  allows(url: string, frameId: string, redirected: boolean): boolean {
    const isMainFrame = frameId === this.#page.targetId
    const frame = this.#frames.find(frameId) ?? this.#frames.main
    const details = { url, isSameDocument: false, isMainFrame, frame, initiator: frame }
    const ask = (name: string): boolean => {
      const event = makeEvent({ ...details })
      this.#contents.emit(name, event, url)
      return !event.defaultPrevented
    }
    if (redirected) return ask('will-redirect')
    if (isMainFrame && (this.#own === '*' || this.#own === withoutHash(toChromium(url)))) {
      this.#own = undefined
      return true
    }
    return !isMainFrame || ask('will-navigate')
  }
}

function withoutHash(url: string): string {
  const clean = URL.canParse(url) ? new URL(url).href : url
  return clean.replace(/#.*$/, '')
}
