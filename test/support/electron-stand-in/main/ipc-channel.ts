import { makeCodec } from '../page/codec.ts'
import type { ToMain, ToPage } from '../page/isolated-world.ts'
import { makeEvent } from '../strict.ts'
import type { FrameTree, WebFrameMain } from './frames.ts'
import { invokeHandler, ipcMain } from './ipc-main.ts'
import type { PageTarget } from './page-target.ts'
import type { WebContents } from './web-contents.ts'
import type { WindowOpenDetails } from './window-open.ts'

/** Receives what the preload's world reports about the page. */
export interface PageNotices {
  openWindow(details: WindowOpenDetails): void
  titled(title: string): void
  /** the page navigates to a document without a request */
  leaving(url: string): void
}

/** Carries messages between the preloads of one page and ipcMain. */
export class IpcChannel {
  readonly #contents: WebContents
  readonly #page: PageTarget
  readonly #frames: FrameTree
  readonly #codec = makeCodec()
  readonly #notices: PageNotices

  constructor(contents: WebContents, page: PageTarget, frames: FrameTree, notices: PageNotices) {
    this.#contents = contents
    this.#page = page
    this.#frames = frames
    this.#notices = notices
    page.on('Runtime.bindingCalled', ({ name, payload, executionContextId }) => {
      if (name !== '__standInSend') return
      const frameId = page.frameOfContext(executionContextId)
      if (frameId !== undefined) this.#receive(this.#codec.parse(payload) as ToMain, frameId)
    })
  }

  /** Sends to a frame's preload. What can't be cloned is reported on the console and not sent, as in Electron. */
  send(frameId: string | undefined, channel: string, args: unknown[]): void {
    let text: string
    try {
      const message: ToPage = { do: 'message', channel, args }
      text = this.#codec.stringify(message)
    } catch {
      console.error('Error sending from webFrameMain: ', new Error('Failed to serialize arguments'))
      return
    }
    if (frameId !== undefined) void this.#page.deliver(frameId, text)
  }

  #receive(message: ToMain, frameId: string): void {
    const frame = this.#frames.find(frameId)
    if (!frame || this.#contents.isDestroyed()) return
    if (message.do === 'open window') {
      const { url, frameName, features, disposition } = message
      this.#notices.openWindow({
        url,
        frameName,
        features,
        disposition,
        referrer: { url: frame.url, policy: 'strict-origin-when-cross-origin' }
      })
      return
    }
    if (message.do === 'title') {
      this.#notices.titled(message.title)
      return
    }
    if (message.do === 'give back') {
      // A page that is gone has nothing left to give.
      this.#page.send('HeapProfiler.collectGarbage').catch(() => undefined)
      return
    }
    if (message.do === 'leave') {
      this.#notices.leaving(message.url)
      return
    }
    if (message.do === 'preload error') {
      return void this.#contents.emit('preload-error', makeEvent({}), message.file, message.error)
    }
    const event = this.#event(frame, frameId)
    if (message.do === 'invoke') void this.#invoke(message.id, message.channel, event, message.args, frameId)
    else {
      this.#contents.emit('ipc-message', event, message.channel, ...message.args)
      ipcMain.emit(message.channel, event, ...message.args)
    }
  }

  async #invoke(id: number, channel: string, event: object, args: unknown[], frameId: string): Promise<void> {
    let text: string
    try {
      const handler = invokeHandler(channel)
      if (!handler) throw new Error(`No handler registered for '${channel}'`)
      const result = await handler(event, ...args)
      text = this.#codec.stringify({ do: 'reply', id, result })
    } catch (error) {
      console.error(`Error occurred in handler for '${channel}':`, error)
      text = this.#codec.stringify({
        do: 'reply',
        id,
        error: `Error invoking remote method '${channel}': ${String(error)}`
      })
    }
    await this.#page.deliver(frameId, text)
  }

  #event(frame: WebFrameMain, frameId: string): object {
    return makeEvent({
      type: 'frame',
      sender: this.#contents,
      senderFrame: frame,
      frameId: frame.routingId,
      processId: frame.processId,
      frameTreeNodeId: frame.frameTreeNodeId,
      ports: [],
      reply: (channel: string, ...args: unknown[]) => this.send(frameId, channel, args)
    })
  }
}
