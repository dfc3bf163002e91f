import { makeCodec } from '../page/codec.ts'
import type { ToMain, ToPage } from '../page/isolated-world.ts'
import { makeEvent, strict } from '../strict.ts'
import type { FrameTree, WebFrameMain } from './frames.ts'
import { invokeHandler } from './ipc-main.ts'
import type { PageTarget } from './page-target.ts'
import type { WebContents } from './web-contents.ts'

/** What a page asked for with window.open or a link to another window. */
export interface WindowOpenDetails {
  readonly url: string
  readonly frameName: string
  readonly features: string
  readonly disposition: string
}

/** Receives what the preload's world reports about the page. */
interface PageNotices {
  openWindow(details: WindowOpenDetails): void
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
      // Electron loses no message of a document that is there; without this line a page would wait in silence.
      else console.error('electron stand-in: a message of an unknown world was lost:', payload.slice(0, 200))
    })
  }

  /** Sends to a frame's preload. What can't be cloned is reported on the console and not sent, as in Electron. */
  send(frameId: string, channel: string, args: unknown[]): void {
    let text: string
    try {
      const message: ToPage = { do: 'message', channel, args }
      text = this.#codec.stringify(message)
    } catch {
      console.error('Error sending from webFrameMain: ', new Error('Failed to serialize arguments'))
      return
    }
    void this.#page.deliver(frameId, text)
  }

  #receive(message: ToMain, frameId: string): void {
    const frame = this.#frames.find(frameId)
    if (!frame || this.#contents.isDestroyed()) return
    if (message.do === 'open window') this.#notices.openWindow(message)
    else if (message.do === 'leave') this.#notices.leaving(message.url)
    // Electron tells the renderer of a critical lack of memory, at which Blink and V8 let go of what they can.
    else if (message.do === 'free memory')
      void this.#page.send('HeapProfiler.collectGarbage').catch(() => undefined)
    else void this.#invoke(message.id, message.channel, frame, message.args, frameId)
  }

  async #invoke(
    id: number,
    channel: string,
    senderFrame: WebFrameMain,
    args: unknown[],
    frameId: string
  ): Promise<void> {
    const event = strict(
      'IpcMainInvokeEvent',
      makeEvent({ type: 'frame', sender: this.#contents, senderFrame })
    )
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
}
