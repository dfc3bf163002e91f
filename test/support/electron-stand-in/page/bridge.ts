/** What one world can do with the other one. */
export interface BridgeEnd {
  /** Defines `window[key]` in the peer's world. @throws what Electron's contextBridge throws */
  expose(key: string, api: unknown): void
  /** Tells the peer something of the stand-in's own; the data must be clonable. */
  notify(topic: string, data: unknown): void
  onNotify(topic: string, handler: (data: unknown) => void): void
}

/**
 * Makes one end of the bridge between the page's world and the preload's world. It runs in both (each gets its source
 * text), so it refers to nothing outside itself. The ends talk through DOM events with a secret name: these are
 * dispatched synchronously, and their detail is structured-cloned on its way into the other world.
 *
 * What crosses: functions and promises as proxies; errors as their message; arrays and plain objects by value, item by
 * item; all else as structured clone has it. A function that crossed lives until its last proxy is collected, as in Electron,
 * where the proxy keeps it.
 */
export function makeBridge(token: string, me: string, peer: string): BridgeEnd {
  type Packed =
    | { readonly is: 'value'; readonly value: unknown }
    | { readonly is: 'error'; readonly message: string }
    | { readonly is: 'function'; readonly id: string }
    | { readonly is: 'own function'; readonly id: string }
    | { readonly is: 'promise'; readonly id: string }
    | { readonly is: 'array'; readonly items: Packed[] }
    | { readonly is: 'object'; readonly entries: [string, Packed][] }
  type Message =
    | { readonly do: 'expose'; readonly key: string; readonly api: Packed }
    | { readonly do: 'call'; readonly id: string; readonly args: Packed[] }
    | { readonly do: 'answer'; readonly value?: Packed; readonly error?: Packed }
    | { readonly do: 'settle'; readonly id: string; readonly value?: Packed; readonly error?: Packed }
    | { readonly do: 'collected'; readonly id: string }
    | { readonly do: 'notify'; readonly topic: string; readonly data: unknown }
  type Result = Extract<Message, { do: 'answer' }>
  type Callable = (...args: unknown[]) => unknown
  interface World {
    addEventListener(
      type: string,
      listener: (event: { detail: Message; stopImmediatePropagation(): void }) => void
    ): void
    dispatchEvent(event: unknown): boolean
  }

  const world = globalThis as unknown as World
  const EventClass = CustomEvent
  const dispatch = world.dispatchEvent.bind(world)
  const clone = structuredClone
  const unclonable = (): Error => new Error('An object could not be cloned.')
  const TOO_DEEP =
    'Electron contextBridge recursion depth exceeded.  Nested objects deeper than 1000 are not supported.'
  const NOT_AN_ERROR =
    'An unknown exception occurred in the isolated context, an error occurred but a valid exception was not thrown.'

  const functions = new Map<string, { readonly own: Callable; readonly receiver: unknown; proxies: number }>()
  const idOfFunction = new WeakMap<Callable, string>()
  const idAtPeer = new WeakMap<Callable, string>()
  const waiting = new Map<string, { resolve(value: unknown): void; reject(error: unknown): void }>()
  const notifyHandlers = new Map<string, (data: unknown) => void>()
  let lastId = 0
  // Other ids than in the document before: what its garbage collection tells can arrive after a reload.
  const newId = (): string => `${me}${String(performance.timeOrigin)}-${String(++lastId)}`
  let answer: Result | undefined

  const send = (message: Message): void => void dispatch(new EventClass(token + peer, { detail: message }))

  const isContainer = (value: object): boolean => {
    if (Array.isArray(value)) return true
    const tag = Object.prototype.toString.call(value)
    return (
      tag === '[object Object]' ||
      !/^\[object (Date|RegExp|Map|Set|Error|\w*Array|ArrayBuffer|DataView|Blob|File)/.test(tag)
    )
  }

  // A proxy can't be distinguished from its target, except that structured clone refuses it at once. What structured clone
  // refuses because of a function or a promise inside names that one instead.
  const refuseProxy = (value: object): void => {
    try {
      clone(value)
    } catch (error) {
      const message = (error as Error).message.replace(/^Failed to execute '\w+' on '\w+': /, '')
      if (/^(#<(?!Promise>)|\[object )/.test(message)) throw unclonable()
    }
  }

  const packFunction = (value: Callable, receiver: unknown): Packed => {
    const atPeer = idAtPeer.get(value)
    if (atPeer !== undefined) return { is: 'own function', id: atPeer }
    let id = idOfFunction.get(value)
    if (id === undefined) {
      id = newId()
      idOfFunction.set(value, id)
      functions.set(id, { own: value, receiver, proxies: 0 })
    }
    const sent = functions.get(id)
    if (sent) sent.proxies += 1
    return { is: 'function', id }
  }

  const collectedProxies = new FinalizationRegistry<string>((id) => send({ do: 'collected', id }))

  const forget = (id: string): void => {
    const sent = functions.get(id)
    if (!sent || --sent.proxies > 0) return
    functions.delete(id)
    idOfFunction.delete(sent.own)
  }

  const packPromise = (value: Promise<unknown>): Packed => {
    const id = newId()
    const settle = (key: 'value' | 'error', result: unknown): void => {
      let packed: Packed
      try {
        packed = pack(result)
      } catch (error) {
        send({ do: 'settle', id, error: { is: 'error', message: `Uncaught ${String(error)}` } })
        return
      }
      send(key === 'value' ? { do: 'settle', id, value: packed } : { do: 'settle', id, error: packed })
    }
    value.then(
      (result) => settle('value', result),
      (error: unknown) => settle('error', error)
    )
    return { is: 'promise', id }
  }

  const pack = (value: unknown, receiver?: unknown, seen = new Map<object, Packed>(), depth = 0): Packed => {
    if (depth >= 1000) throw new TypeError(TOO_DEEP)
    if (typeof value === 'symbol')
      throw new Error('electron stand-in: contextBridge with a symbol is not implemented')
    if (typeof value === 'function') return packFunction(value as Callable, receiver)
    if (typeof value !== 'object' || value === null) return { is: 'value', value }
    const known = seen.get(value)
    if (known) return known
    if (value instanceof Promise) return packPromise(value)
    if (value instanceof Error) return { is: 'error', message: value.message }
    if (!isContainer(value)) {
      try {
        return { is: 'value', value: clone(value) }
      } catch {
        throw unclonable()
      }
    }
    refuseProxy(value)
    if (Array.isArray(value)) {
      const packed: Packed = { is: 'array', items: [] }
      seen.set(value, packed)
      for (const item of value) packed.items.push(pack(item, value, seen, depth + 1))
      return packed
    }
    const packed: Packed = { is: 'object', entries: [] }
    seen.set(value, packed)
    for (const [key, item] of Object.entries(value))
      packed.entries.push([key, pack(item, value, seen, depth + 1)])
    return packed
  }

  const callPeer = (id: string, args: unknown[]): unknown => {
    const packed = args.map((arg) => pack(arg))
    answer = undefined
    send({ do: 'call', id, args: packed })
    const received = answer as Result | undefined
    answer = undefined
    if (!received) throw new Error('electron stand-in: the other world did not answer')
    if (received.error) throw unpack(received.error)
    return received.value && unpack(received.value)
  }

  const unpack = (packed: Packed, seen = new Map<Packed, unknown>()): unknown => {
    if (packed.is === 'value') return packed.value
    if (packed.is === 'error') return new Error(packed.message)
    if (packed.is === 'own function') return functions.get(packed.id)?.own
    const known = seen.get(packed)
    if (known !== undefined) return known
    if (packed.is === 'function') {
      const { id } = packed
      const proxy: Callable = (...args) => callPeer(id, args)
      idAtPeer.set(proxy, id)
      collectedProxies.register(proxy, id)
      return proxy
    }
    if (packed.is === 'promise') {
      return new Promise((resolve, reject) => waiting.set(packed.id, { resolve, reject }))
    }
    if (packed.is === 'array') {
      const list: unknown[] = []
      seen.set(packed, list)
      for (const item of packed.items) list.push(unpack(item, seen))
      return list
    }
    const object = {}
    seen.set(packed, object)
    for (const [key, item] of packed.entries) {
      const value = unpack(item, seen)
      Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
    }
    return object
  }

  const freeze = (value: unknown, done = new Set<unknown>()): void => {
    if (typeof value !== 'object' && typeof value !== 'function') return
    if (value === null || ArrayBuffer.isView(value) || done.has(value)) return
    done.add(value)
    for (const child of Object.values(value)) freeze(child, done)
    Object.freeze(value)
  }

  const messageOf = (error: unknown): string => {
    const message: unknown =
      typeof error === 'object' && error !== null ? Reflect.get(error, 'message') : undefined
    return typeof message === 'string' ? message : NOT_AN_ERROR
  }

  const reply = (work: () => unknown): void => {
    let result: unknown
    try {
      result = work()
    } catch (error) {
      send({ do: 'answer', error: { is: 'error', message: messageOf(error) } })
      return
    }
    try {
      send({ do: 'answer', value: pack(result) })
    } catch (error) {
      send({ do: 'answer', error: { is: 'error', message: `Uncaught ${String(error)}` } })
    }
  }

  const callOwn = (id: string, args: Packed[]): unknown => {
    const called = functions.get(id)
    const given = args.map((arg) => unpack(arg))
    return called && Reflect.apply(called.own, called.receiver, given)
  }

  const receive = (message: Message): void => {
    if (message.do === 'answer') answer = message
    else if (message.do === 'notify') notifyHandlers.get(message.topic)?.(message.data)
    else if (message.do === 'collected') forget(message.id)
    else if (message.do === 'call') reply(() => callOwn(message.id, message.args))
    else if (message.do === 'settle') {
      const waiter = waiting.get(message.id)
      waiting.delete(message.id)
      if (message.error) waiter?.reject(unpack(message.error))
      else waiter?.resolve(message.value && unpack(message.value))
    } else {
      reply(() => {
        if (message.key in globalThis) {
          throw new Error('Cannot bind an API on top of an existing property on the window object')
        }
        const value = unpack(message.api)
        freeze(value)
        Object.defineProperty(globalThis, message.key, {
          value,
          enumerable: true,
          configurable: false,
          writable: false
        })
      })
    }
  }

  world.addEventListener(token + me, (event) => {
    event.stopImmediatePropagation()
    receive(event.detail)
  })

  return {
    expose(key, api) {
      const packed = pack(api)
      answer = undefined
      send({ do: 'expose', key, api: packed })
      const received = answer as Result | undefined
      if (received?.error) throw unpack(received.error)
    },
    notify: (topic, data) => send({ do: 'notify', topic, data }),
    onNotify: (topic, handler) => void notifyHandlers.set(topic, handler)
  }
}
