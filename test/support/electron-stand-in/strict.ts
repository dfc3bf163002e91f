import { EventEmitter } from 'node:events'

/** Thrown for every part of Electron's API that the stand-in does not have; its message names that part. */
class NotImplementedError extends Error {
  override name = 'NotImplementedError'
}

/** Throws the error that names an API the stand-in lacks, for example `app.getGPUInfo`. */
export function refuse(api: string): never {
  throw new NotImplementedError(`electron stand-in: ${api} is not implemented`)
}

/** Names that JavaScript itself, a promise, a test runner or an inspector reads from any object. */
const ASKED_BY_THE_LANGUAGE = new Set([
  'then',
  'toJSON',
  'inspect',
  'constructor',
  'prototype',
  'nodeType',
  'asymmetricMatch',
  'default',
  'domain',
  'captureRejections'
])

function mayBeAbsent(property: string | symbol): boolean {
  return typeof property === 'symbol' || property.startsWith('_') || ASKED_BY_THE_LANGUAGE.has(property)
}

/**
 * Wraps an object, a function or a class so that reading a property it lacks throws, naming `name.property`.
 * @param guard runs before each read of a named property; it throws when the object may not be used (any more)
 */
export function strict<T extends object>(name: string, target: T, guard?: (property: string) => void): T {
  return new Proxy(target, {
    get(object, property, receiver) {
      if (typeof property === 'string' && guard) guard(property)
      if (property in object || mayBeAbsent(property)) return Reflect.get(object, property, receiver)
      return refuse(`${name}.${String(property)}`)
    }
  })
}

/** A whole module or class of Electron that the stand-in lacks: any use of it throws, naming what was used. */
export function refusedApi(name: string): object {
  const target = function () {
    return refuse(name)
  }
  return new Proxy(target, {
    get: (_target, property) => (mayBeAbsent(property) ? undefined : refuse(`${name}.${String(property)}`)),
    construct: () => refuse(`new ${name}`),
    apply: () => refuse(name)
  })
}

/** What Electron still answers on an object whose native part is gone. */
const USABLE_WHEN_DESTROYED = new Set([
  ...Object.getOwnPropertyNames(EventEmitter.prototype),
  'isDestroyed',
  'constructor'
])

type Listener = Parameters<EventEmitter['on']>[1]

class StrictBase extends EventEmitter {
  constructor(api: string, guard: (property: string) => void) {
    super()
    // A derived class sees this proxy as its `this` and installs its private fields on it, so what the app holds and
    // what the stand-in works on are one and the same object.
    return strict(api, this, guard)
  }
}

/** An event emitter that refuses unknown members and unknown events, and use after {@link StrictEmitter.retire}. */
export class StrictEmitter extends StrictBase {
  readonly #api: string
  readonly #events: ReadonlySet<string>
  readonly #life: { over: boolean }

  /**
   * @param api the name used in refusals, for example `BrowserWindow`
   * @param events every event the stand-in knows on this object
   * @param usableWhenDestroyed further members that Electron still answers once the object is destroyed
   */
  constructor(api: string, events: Iterable<string>, usableWhenDestroyed: readonly string[] = []) {
    const life = { over: false }
    super(api, (property) => {
      if (!life.over || property.startsWith('_')) return
      if (USABLE_WHEN_DESTROYED.has(property) || usableWhenDestroyed.includes(property)) return
      throw new TypeError('Object has been destroyed')
    })
    this.#api = api
    this.#events = new Set(events)
    this.#life = life
  }

  /** From now on members throw "Object has been destroyed", as Electron's do. */
  protected retire(): void {
    this.#life.over = true
  }

  isDestroyed(): boolean {
    return this.#life.over
  }

  #known(event: string | symbol): void {
    if (typeof event === 'symbol' || event === 'newListener' || event === 'removeListener') return
    if (!this.#events.has(event)) refuse(`${this.#api}.on('${event}')`)
  }

  override on(event: string | symbol, listener: Listener): this {
    this.#known(event)
    return super.on(event, listener)
  }

  override addListener(event: string | symbol, listener: Listener): this {
    return this.on(event, listener)
  }

  override once(event: string | symbol, listener: Listener): this {
    this.#known(event)
    return super.once(event, listener)
  }

  override prependListener(event: string | symbol, listener: Listener): this {
    this.#known(event)
    return super.prependListener(event, listener)
  }

  override prependOnceListener(event: string | symbol, listener: Listener): this {
    this.#known(event)
    return super.prependOnceListener(event, listener)
  }
}

/** An Electron event object; `preventDefault` is how a listener vetoes what is about to happen. */
export interface StandInEvent {
  preventDefault(): void
  readonly defaultPrevented: boolean
}

/** Makes an event object with the given further fields, as listeners get it as their first argument. */
export function makeEvent<T extends object>(fields: T): T & StandInEvent {
  let prevented = false
  return Object.defineProperties(fields, {
    preventDefault: { value: () => void (prevented = true), enumerable: false },
    defaultPrevented: { get: () => prevented, enumerable: false }
  }) as T & StandInEvent
}
