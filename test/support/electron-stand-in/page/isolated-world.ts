import type { BridgeEnd } from './bridge.ts'
import type { Codec } from './codec.ts'

/** What the preload's world knows about its process. */
export interface PreloadFacts {
  readonly platform: string
  readonly arch: string
  readonly versions: Readonly<Record<string, string | undefined>>
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly argv: readonly string[]
  readonly execPath: string
  readonly resourcesPath: string
}

/** From the page's process to the main process. */
export type ToMain =
  | { readonly do: 'invoke'; readonly id: number; readonly channel: string; readonly args: unknown[] }
  | { readonly do: 'send'; readonly channel: string; readonly args: unknown[] }
  | { readonly do: 'title'; readonly title: string }
  | { readonly do: 'give back' }
  | { readonly do: 'leave'; readonly url: string }
  | { readonly do: 'preload error'; readonly file: string; readonly error: unknown }
  | {
      readonly do: 'open window'
      readonly url: string
      readonly frameName: string
      readonly features: string
      readonly disposition: string
    }

/** From the main process to the page's process. */
export type ToPage =
  | { readonly do: 'reply'; readonly id: number; readonly result?: unknown; readonly error?: string }
  | { readonly do: 'message'; readonly channel: string; readonly args: unknown[] }

/**
 * Sets up the world in which a sandboxed preload runs: `require`, `process`, `ipcRenderer`, `contextBridge`. Its source
 * text runs in each frame of the page before the page's own scripts; only the top frame has a preload.
 */
export function setUpIsolatedWorld(
  token: string,
  makeCodec: () => Codec,
  makeBridge: (token: string, me: string, peer: string) => BridgeEnd,
  makeEvents: () => object,
  facts: PreloadFacts
): void {
  interface World {
    __standInSend?: (text: string) => void
    __standInDeliver?: (text: string) => void
    __standInPreload?: (file: string, run: (...args: unknown[]) => void) => void
    readonly top: unknown
    readonly document: { readonly title: string }
    readonly navigation: { addEventListener(type: string, listener: (event: NavigateLike) => void): void }
    readonly MutationObserver: new (hear: () => void) => { observe(node: object, options: object): void }
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
  type Listener = (...args: unknown[]) => void
  interface Emitter {
    emit(name: string, ...args: unknown[]): boolean
  }

  const world = globalThis as unknown as World
  const codec = makeCodec()
  const bridge = makeBridge(token, 'isolated', 'main')
  const sendText = world.__standInSend
  delete world.__standInSend
  const send = (message: ToMain): void => sendText?.(codec.stringify(message))

  bridge.onNotify('open window', (data) => {
    const { url, frameName, features } = data as { url: string; frameName: string; features: string }
    send({
      do: 'open window',
      url,
      frameName,
      features,
      disposition: features === '' ? 'foreground-tab' : 'new-window'
    })
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
    send({
      do: 'open window',
      url: link.href,
      frameName: background ? '' : link.target,
      features: '',
      disposition
    })
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

  let title = ''
  const tellTitle = (): void => {
    if (world.document.title === title) return
    title = world.document.title
    send({ do: 'title', title })
  }
  const watch = { subtree: true, childList: true, characterData: true }
  new world.MutationObserver(tellTitle).observe(world.document, watch)
  world.addEventListener('DOMContentLoaded', tellTitle)

  const refuse = (api: string): never => {
    throw new Error(`electron stand-in: ${api} is not implemented`)
  }
  const strict = <T extends object>(name: string, target: T): T =>
    new Proxy(target, {
      get(object, property, receiver) {
        const optional =
          typeof property === 'symbol' ||
          property === 'then' ||
          property === 'toJSON' ||
          property === 'default'
        if (property in object || optional || property.startsWith('_'))
          return Reflect.get(object, property, receiver)
        return refuse(`${name}.${property}`)
      }
    })

  const events = makeEvents()
  const EventEmitter = events as unknown as new () => Emitter & Record<string, unknown>
  const emitter = new EventEmitter()
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  let lastId = 0
  const ipcRenderer = Object.assign(emitter, {
    send: (channel: string, ...args: unknown[]) => send({ do: 'send', channel, args }),
    async invoke(channel: string, ...args: unknown[]): Promise<unknown> {
      const id = ++lastId
      const reply = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
      try {
        send({ do: 'invoke', id, channel, args })
      } catch (error) {
        waiting.delete(id)
        throw error
      }
      return reply
    }
  })

  const deliver = (message: ToPage): void => {
    if (message.do === 'reply') {
      const waiter = waiting.get(message.id)
      waiting.delete(message.id)
      if (message.error === undefined) waiter?.resolve(message.result)
      else waiter?.reject(new Error(message.error))
    } else emitter.emit(message.channel, { sender: strictRenderer, ports: [] }, ...message.args)
  }
  Object.defineProperty(world, '__standInDeliver', {
    value: (text: string) => deliver(codec.parse(text) as ToPage)
  })

  const strictRenderer = strict('ipcRenderer', ipcRenderer)
  const electron = strict('electron (in a preload)', {
    contextBridge: strict('contextBridge', {
      exposeInMainWorld: (key: string, api: unknown) => bridge.expose(key, api)
    }),
    ipcRenderer: strictRenderer,
    webFrame: strict('webFrame', { clearCache: () => send({ do: 'give back' }) }),
    webUtils: strict('webUtils', {}),
    crashReporter: strict('crashReporter (in a preload)', {}),
    nativeImage: strict('nativeImage (in a preload)', {})
  })
  const setImmediateLike = (work: Listener, ...args: unknown[]): unknown => setTimeout(work, 0, ...args)
  const clearImmediateLike = (id: unknown): void => clearTimeout(id as number)
  const timers = {
    setTimeout,
    clearTimeout,
    setInterval,
    clearInterval,
    setImmediate: setImmediateLike,
    clearImmediate: clearImmediateLike
  }
  const modules: Record<string, object> = {
    electron,
    'electron/common': electron,
    'electron/renderer': electron,
    events,
    'node:events': events,
    timers,
    'node:timers': timers,
    url: strict('url (in a preload)', { URL, URLSearchParams }),
    'node:url': strict('url (in a preload)', { URL, URLSearchParams })
  }
  const require = (name: string): object => {
    const found = Object.hasOwn(modules, name) ? modules[name] : undefined
    if (!found) throw new Error(`module not found: ${name}`)
    return found
  }
  const started = Date.now()
  const process = strict(
    'process (in a preload)',
    Object.assign(new EventEmitter(), {
      type: 'renderer',
      sandboxed: true,
      contextIsolated: true,
      isMainFrame: true,
      platform: facts.platform,
      arch: facts.arch,
      versions: facts.versions,
      version: `v${facts.versions['node']}`,
      env: { ...facts.environment },
      argv: [...facts.argv],
      execPath: facts.execPath,
      resourcesPath: facts.resourcesPath,
      uptime: () => (Date.now() - started) / 1000
    })
  )
  const Buffer = strict('Buffer (in a preload)', {})

  Object.defineProperty(world, '__standInPreload', {
    configurable: true,
    value(file: string, run: (...args: unknown[]) => void) {
      const module = { exports: {} }
      try {
        run(
          require,
          process,
          module.exports,
          module,
          Buffer,
          globalThis,
          setImmediateLike,
          clearImmediateLike
        )
      } catch (error) {
        console.error(`Unable to load preload script: ${file}`)
        console.error(error)
        sendText?.(codec.stringify({ do: 'preload error', file, error }))
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
