import type { BridgeEnd } from './bridge.ts'
import type { Codec } from './codec.ts'

/** What a page asked for with window.open or a link to another window. */
interface WindowRequest {
  readonly url: string
  readonly frameName: string
  readonly features: string
}

/** From the page's process to the main process. */
export type ToMain =
  | { readonly do: 'invoke'; readonly id: number; readonly channel: string; readonly args: unknown[] }
  | { readonly do: 'leave'; readonly url: string }
  | { readonly do: 'free memory' }
  | (WindowRequest & { readonly do: 'open window'; readonly disposition: string })

/** From the main process to the page's process. */
export type ToPage =
  | { readonly do: 'reply'; readonly id: number; readonly result?: unknown; readonly error?: string }
  | { readonly do: 'message'; readonly channel: string; readonly args: unknown[] }

/**
 * Sets up the world in which a sandboxed preload runs: `require('electron')` with `ipcRenderer`, `contextBridge`
 * and `webFrame`. Its
 * source text runs in each frame of the page before the page's own scripts; only the top frame has a preload.
 */
export function setUpIsolatedWorld(
  token: string,
  makeCodec: () => Codec,
  makeBridge: (token: string, me: string, peer: string) => BridgeEnd
): void {
  interface World {
    __standInSend?: (text: string) => void
    __standInDeliver?: (text: string) => void
    __standInPreload?: (file: string, run: (...args: unknown[]) => void) => void
    readonly top: unknown
    readonly navigation: { addEventListener(type: string, listener: (event: NavigateLike) => void): void }
    addEventListener(type: string, listener: (event: ClickLike) => void): void
  }
  interface NavigateLike {
    readonly cancelable: boolean
    readonly hashChange: boolean
    readonly destination: { readonly url: string }
    preventDefault(): void
  }
  interface ClickLike {
    readonly defaultPrevented: boolean
    readonly ctrlKey: boolean
    readonly metaKey: boolean
    readonly shiftKey: boolean
    composedPath(): unknown[]
    preventDefault(): void
  }
  type Listener = (event: object, ...args: unknown[]) => void

  const world = globalThis as unknown as World
  const codec = makeCodec()
  const bridge = makeBridge(token, 'isolated', 'main')
  const sendText = world.__standInSend
  delete world.__standInSend
  const send = (message: ToMain): void => sendText?.(codec.stringify(message))

  bridge.onNotify('open window', (data) => {
    const request = data as WindowRequest
    const disposition = request.features === '' ? 'foreground-tab' : 'new-window'
    send({ do: 'open window', ...request, disposition })
  })
  // A link that asks for another window never becomes one here: the main process decides, as for window.open.
  const openLink = (event: ClickLike, middleButton = false): void => {
    if (event.defaultPrevented) return
    const link = event.composedPath().find((node) => {
      const name: unknown = Reflect.get(node as object, 'tagName')
      return (name === 'A' || name === 'AREA') && Reflect.get(node as object, 'href') !== ''
    }) as { href: string; target: string } | undefined
    const background = middleButton || event.ctrlKey || event.metaKey
    if (!link || !(background || event.shiftKey || !['', '_self', '_parent', '_top'].includes(link.target)))
      return
    event.preventDefault()
    const disposition = background ? 'background-tab' : event.shiftKey ? 'new-window' : 'foreground-tab'
    const frameName = background ? '' : link.target
    send({ do: 'open window', url: link.href, frameName, features: '', disposition })
  }
  world.addEventListener('click', (event) => openLink(event))
  world.addEventListener('auxclick', (event) => {
    if (Reflect.get(event, 'button') === 1) openLink(event, true)
  })
  if (world.top !== world) return

  // Documents that no request is made for (about:, blob:) never reach the interceptor, so they are held up here.
  world.navigation.addEventListener('navigate', (event) => {
    const { url } = event.destination
    if (!event.cancelable || event.hashChange || !/^(about|blob):/.test(url)) return
    event.preventDefault()
    send({ do: 'leave', url })
  })

  const strict = <T extends object>(name: string, target: T): T =>
    new Proxy(target, {
      get(object, property, receiver) {
        const optional = typeof property === 'symbol' || ['then', 'toJSON', 'default'].includes(property)
        if (property in object || optional) return Reflect.get(object, property, receiver)
        throw new Error(`electron stand-in: ${name}.${property} is not implemented`)
      }
    })

  const listeners = new Map<string, Listener[]>()
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  let lastId = 0
  const ipcRenderer: object = strict('ipcRenderer', {
    async invoke(channel: string, ...args: unknown[]): Promise<unknown> {
      const id = ++lastId
      send({ do: 'invoke', id, channel, args })
      return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
    },
    on(channel: string, listener: Listener): object {
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener])
      return ipcRenderer
    },
    off(channel: string, listener: Listener): object {
      const own = listeners.get(channel) ?? []
      const index = own.lastIndexOf(listener)
      if (index >= 0) listeners.set(channel, own.toSpliced(index, 1))
      return ipcRenderer
    }
  })

  const deliver = (message: ToPage): void => {
    if (message.do === 'message') {
      const event = strict('IpcRendererEvent', { sender: ipcRenderer, ports: [] })
      for (const listener of listeners.get(message.channel) ?? []) listener(event, ...message.args)
      return
    }
    const waiter = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.error === undefined) waiter?.resolve(message.result)
    else waiter?.reject(new Error(message.error))
  }
  Object.defineProperty(world, '__standInDeliver', {
    value: (text: string) => deliver(codec.parse(text) as ToPage)
  })

  const electron = strict('electron (in a preload)', {
    ipcRenderer,
    contextBridge: strict('contextBridge', {
      exposeInMainWorld: (key: string, api: unknown) => bridge.expose(key, api)
    }),
    webFrame: strict('webFrame', { clearCache: () => send({ do: 'free memory' }) })
  })
  const require = (name: string): object => {
    if (name === 'electron') return electron
    if (['events', 'timers', 'url'].includes(name.replace(/^node:/, '')))
      throw new Error(`electron stand-in: require('${name}') in a preload is not implemented`)
    throw new Error(`module not found: ${name}`)
  }

  Object.defineProperty(world, '__standInPreload', {
    configurable: true,
    value(file: string, run: (...args: unknown[]) => void) {
      const module = { exports: {} }
      try {
        run(require, strict('process (in a preload)', {}), module.exports, module)
      } catch (error) {
        console.error(`Unable to load preload script: ${file}`)
        console.error(error)
      }
    }
  })
}

/** Replaces window.open in the page's own world: the main process is notified, and the page gets null, as when denied. */
export function setUpMainWorld(
  token: string,
  makeBridge: (token: string, me: string, peer: string) => BridgeEnd
): void {
  const bridge = makeBridge(token, 'main', 'isolated')
  const page = globalThis as unknown as { document: { baseURI: string } }
  Object.defineProperty(globalThis, 'open', {
    configurable: true,
    enumerable: true,
    writable: true,
    value: function open(url: unknown = '', frameName: unknown = '', features: unknown = '') {
      const target = url === '' ? 'about:blank' : new URL(String(url), page.document.baseURI).href
      bridge.notify('open window', { url: target, frameName: String(frameName), features: String(features) })
      return null
    }
  })
}
