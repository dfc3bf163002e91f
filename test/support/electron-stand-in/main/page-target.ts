import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { Script } from 'node:vm'
import { makeBridge } from '../page/bridge.ts'
import { makeCodec } from '../page/codec.ts'
import { setUpIsolatedWorld, setUpMainWorld } from '../page/isolated-world.ts'
import type { Connection, Protocol } from '../chromium/connection.ts'
import { chromium, runningChromium } from '../runtime.ts'

type Commands = Protocol.CommandParameters
type Replies = Protocol.CommandReturnValues

/** The name Electron gives the world in which preloads run. */
const WORLD = 'Electron Isolated Context'

export interface PageOptions {
  readonly width: number
  readonly height: number
  readonly preload: string | undefined
}

/** One page of Chromium with the preload's world set up in it: the attached target, its session, its contexts. */
export class PageTarget {
  /** resolves when the page can be navigated; rejects when Chromium went away first */
  readonly attached: Promise<void>
  #targetId = ''
  #sessionId = ''
  readonly #connection: Connection
  /** the preload's world, by frame */
  readonly #worlds = new Map<string, number>()
  readonly #frameOfContext = new Map<number, string>()
  readonly #onceAttached: (() => void)[] = []

  constructor(options: PageOptions) {
    this.#connection = chromium()
    this.attached = this.#attach(options)
    // Callers that need the page await the promise and get the failure; without one it is no unhandled rejection.
    this.attached.catch(() => undefined)
  }

  /** Chromium's id of the page, by which a test driver asks for it; empty until attached. */
  get targetId(): string {
    return this.#targetId
  }

  /** Sends a command to the page, once it is attached. */
  async send<M extends keyof Commands>(method: M, params?: Commands[M]): Promise<Replies[M]> {
    if (this.#sessionId === '') await this.attached
    return this.#connection.send(method, params, this.#sessionId)
  }

  /** Subscribes to an event of the page. Handlers added before the page is attached miss nothing. @returns the function that unsubscribes */
  on<E extends keyof Protocol.Events>(event: E, handler: (params: Protocol.Events[E]) => void): () => void {
    if (this.#sessionId !== '') return this.#connection.on(event, handler, this.#sessionId)
    this.#onceAttached.push(() => this.#connection.on(event, handler, this.#sessionId))
    return () => undefined
  }

  /** The frame whose preload world has this execution context. */
  frameOfContext(contextId: number): string | undefined {
    return this.#frameOfContext.get(contextId)
  }

  /** Sends a text to the preload's world of a frame. It is lost if the frame has none, as in Electron. */
  async deliver(frameId: string, text: string): Promise<void> {
    const contextId = this.#worlds.get(frameId)
    if (contextId === undefined) return
    const expression = `globalThis.__standInDeliver?.(${JSON.stringify(text)})`
    await this.send('Runtime.evaluate', { contextId, expression }).catch(() => undefined)
  }

  /** Closes the page without asking it. No event of it is emitted any more, pending ones included: its owner is gone. */
  async close(): Promise<void> {
    this.#forget()
    await this.attached.catch(() => undefined)
    await this.#connection.send('Target.closeTarget', { targetId: this.#targetId }).catch(() => undefined)
    this.#forget()
  }

  #forget(): void {
    this.#onceAttached.length = 0
    // The empty one is the browser's own.
    if (this.#sessionId !== '') this.#connection.forget(this.#sessionId)
  }

  async #attach(options: PageOptions): Promise<void> {
    this.#targetId = await runningChromium().openPage(options)
    const { sessionId } = await this.#connection.send('Target.attachToTarget', {
      targetId: this.#targetId,
      flatten: true
    })
    this.#sessionId = sessionId
    this.#watchContexts()
    for (const add of this.#onceAttached.splice(0)) add()
    await Promise.all([
      this.send('Page.enable'),
      this.send('Runtime.enable'),
      this.send('Network.enable'),
      this.send('Inspector.enable'),
      this.send('Page.setLifecycleEventsEnabled', { enabled: true }),
      this.send('Runtime.addBinding', { name: '__standInSend', executionContextName: WORLD }),
      ...this.#scripts(options)
    ])
  }

  #scripts(options: PageOptions): Promise<unknown>[] {
    const token = JSON.stringify(`tillpoints-stand-in-${randomUUID()}-`)
    const add = (source: string, worldName?: string): Promise<unknown> =>
      this.send('Page.addScriptToEvaluateOnNewDocument', worldName ? { source, worldName } : { source })
    return [
      add(`(${setUpMainWorld.toString()})(${token}, ${makeBridge.toString()})`),
      add(
        `(${setUpIsolatedWorld.toString()})(${token}, ${makeCodec.toString()}, ${makeBridge.toString()})`,
        WORLD
      ),
      ...(options.preload === undefined ? [] : [add(preloadSource(options.preload), WORLD)])
    ]
  }

  #watchContexts(): void {
    this.on('Runtime.executionContextCreated', ({ context }) => {
      const frameId: unknown = context.auxData?.['frameId']
      if (context.name !== WORLD || typeof frameId !== 'string') return
      this.#worlds.set(frameId, context.id)
      this.#frameOfContext.set(context.id, frameId)
    })
    this.on('Runtime.executionContextsCleared', () => {
      this.#worlds.clear()
      this.#frameOfContext.clear()
    })
    this.on('Runtime.executionContextDestroyed', ({ executionContextId }) => {
      const frameId = this.#frameOfContext.get(executionContextId)
      this.#frameOfContext.delete(executionContextId)
      if (frameId !== undefined && this.#worlds.get(frameId) === executionContextId)
        this.#worlds.delete(frameId)
    })
  }
}

/** The script that runs a preload file, or that reports why it can't run, as Electron's renderer does. */
function preloadSource(file: string): string {
  const name = JSON.stringify(file)
  const start = 'const run = globalThis.__standInPreload; delete globalThis.__standInPreload; run?.'
  const call = (run: string): string => `{ ${start}(${name}, ${run}) }`
  try {
    // The wrapper shares the first line with the file's, so that line numbers in errors are the file's own.
    const wrapped = `(function (require, process, exports, module) { ${readFileSync(file, 'utf8')}\n})`
    new Script(wrapped, { filename: file })
    return `${call(wrapped)}\n//# sourceURL=${pathToFileURL(file).href}`
  } catch (error) {
    return call(`() => { throw new Error(${JSON.stringify(String(error))}) }`)
  }
}
