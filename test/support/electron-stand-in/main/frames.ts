import { refuse, StrictEmitter } from '../strict.ts'
import { fromChromium, originOf } from './scheme-map.ts'

/** What a frame needs of the page that it belongs to. */
export interface FrameHost {
  _sendToFrame(frame: WebFrameMain, channel: string, args: unknown[]): void
  _executeInFrame(frame: WebFrameMain, code: string, userGesture: boolean): Promise<unknown>
  reload(): void
}

let lastRoutingId = 0

/** Electron's `WebFrameMain`: one frame of a page, the same object as long as the frame exists. */
export class WebFrameMain extends StrictEmitter {
  readonly #host: FrameHost
  readonly #parent: WebFrameMain | null
  readonly #children: WebFrameMain[] = []
  #url = ''
  #name = ''
  readonly routingId = ++lastRoutingId
  readonly frameTreeNodeId = this.routingId
  readonly processId: number

  constructor(host: FrameHost, parent: WebFrameMain | null, processId: number) {
    super('WebFrameMain', ['dom-ready'])
    this.#host = host
    this.#parent = parent
    this.processId = processId
    if (parent) parent.#children.push(this)
  }

  get url(): string {
    return this.#url
  }

  get origin(): string {
    return originOf(this.#url)
  }

  get name(): string {
    return this.#name
  }

  get parent(): WebFrameMain | null {
    return this.#parent
  }

  get top(): WebFrameMain {
    return this.#parent?.top ?? this
  }

  get frames(): WebFrameMain[] {
    return [...this.#children]
  }

  get framesInSubtree(): WebFrameMain[] {
    return [this, ...this.#children.flatMap((child) => child.framesInSubtree)]
  }

  get detached(): boolean {
    return this.isDestroyed()
  }

  send(channel: string, ...args: unknown[]): void {
    if (typeof channel !== 'string') throw new TypeError('Missing required channel argument')
    this.#host._sendToFrame(this, channel, args)
  }

  executeJavaScript(code: string, userGesture = false): Promise<unknown> {
    return this.#host._executeInFrame(this, code, userGesture)
  }

  reload(): boolean {
    if (this.#parent) refuse('WebFrameMain.reload of a sub-frame')
    this.#host.reload()
    return true
  }

  /** For {@link FrameTree}: the frame shows another document. */
  static navigated(frame: WebFrameMain, url: string, name: string): void {
    frame.#url = url
    frame.#name = name
  }

  /** For {@link FrameTree}: the frame is gone. */
  static detach(frame: WebFrameMain): void {
    const siblings = frame.#parent === null ? [] : frame.#parent.#children
    siblings.splice(siblings.indexOf(frame), 1)
    frame.retire()
  }
}

/** The frames of one page, by Chromium's frame id. The main frame exists before its id is known. */
export class FrameTree {
  readonly main: WebFrameMain
  readonly #host: FrameHost
  readonly #processId: number
  readonly #frames = new Map<string, WebFrameMain>()

  constructor(host: FrameHost, processId: number) {
    this.#host = host
    this.#processId = processId
    this.main = new WebFrameMain(host, null, processId)
  }

  attach(frameId: string, parentId?: string): WebFrameMain {
    const known = this.#frames.get(frameId)
    if (known) return known
    const parent = parentId === undefined ? undefined : this.#frames.get(parentId)
    const frame = parent ? new WebFrameMain(this.#host, parent, this.#processId) : this.main
    this.#frames.set(frameId, frame)
    return frame
  }

  navigated(frameId: string, parentId: string | undefined, url: string, name: string): WebFrameMain {
    const frame = this.attach(frameId, parentId)
    WebFrameMain.navigated(frame, fromChromium(url), name)
    return frame
  }

  detach(frameId: string): void {
    const frame = this.#frames.get(frameId)
    if (frame && frame !== this.main) WebFrameMain.detach(frame)
    this.#frames.delete(frameId)
  }

  find(frameId: string): WebFrameMain | undefined {
    return this.#frames.get(frameId)
  }

  idOf(frame: WebFrameMain): string | undefined {
    for (const [id, each] of this.#frames) if (each === frame) return id
    return undefined
  }

  /** The window is gone, and all frames with it. */
  retire(): void {
    for (const frame of this.main.framesInSubtree) WebFrameMain.detach(frame)
  }
}
