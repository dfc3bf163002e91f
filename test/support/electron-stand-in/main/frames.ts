import { StrictEmitter } from '../strict.ts'
import { fromChromium } from './scheme-map.ts'

/** Electron's `WebFrameMain`: one frame of a page, the same object as long as the frame exists. */
export class WebFrameMain extends StrictEmitter {
  readonly parent: WebFrameMain | null
  #url = ''

  constructor(parent: WebFrameMain | null) {
    super('WebFrameMain', [])
    this.parent = parent
  }

  get url(): string {
    return this.#url
  }

  /** For {@link FrameTree}: the frame shows another document. */
  static navigated(frame: WebFrameMain, url: string): void {
    frame.#url = url
  }

  /** For {@link FrameTree}: the frame is gone. */
  static detach(frame: WebFrameMain): void {
    frame.retire()
  }
}

/** The frames of one page, by Chromium's frame id. The main frame exists before its id is known. */
export class FrameTree {
  readonly main = new WebFrameMain(null)
  readonly #frames = new Map<string, WebFrameMain>()

  attach(frameId: string, parentId?: string): WebFrameMain {
    const known = this.#frames.get(frameId)
    if (known) return known
    const parent = parentId === undefined ? undefined : this.#frames.get(parentId)
    const frame = parent ? new WebFrameMain(parent) : this.main
    this.#frames.set(frameId, frame)
    return frame
  }

  navigated(frameId: string, parentId: string | undefined, url: string): void {
    WebFrameMain.navigated(this.attach(frameId, parentId), fromChromium(url))
  }

  detach(frameId: string): void {
    const frame = this.#frames.get(frameId)
    if (frame && frame !== this.main) WebFrameMain.detach(frame)
    this.#frames.delete(frameId)
  }

  find(frameId: string): WebFrameMain | undefined {
    return this.#frames.get(frameId)
  }

  /** The window is gone, and all frames with it. */
  retire(): void {
    for (const frame of new Set([this.main, ...this.#frames.values()])) WebFrameMain.detach(frame)
  }
}
