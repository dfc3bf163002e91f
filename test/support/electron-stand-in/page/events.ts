/** Makes the `events` module that a sandboxed preload may require; its source text runs in the page. */
export function makeEvents(): object {
  type Listener = (...args: unknown[]) => void
  interface Entry {
    readonly listener: Listener
    readonly once: boolean
  }

  class EventEmitter {
    readonly _entries = new Map<string | symbol, Entry[]>()

    _add(name: string | symbol, entry: Entry, first: boolean): this {
      const entries = this._entries.get(name) ?? []
      this._entries.set(name, first ? [entry, ...entries] : [...entries, entry])
      return this
    }

    on(name: string | symbol, listener: Listener): this {
      return this._add(name, { listener, once: false }, false)
    }

    addListener(name: string | symbol, listener: Listener): this {
      return this.on(name, listener)
    }

    once(name: string | symbol, listener: Listener): this {
      return this._add(name, { listener, once: true }, false)
    }

    prependListener(name: string | symbol, listener: Listener): this {
      return this._add(name, { listener, once: false }, true)
    }

    prependOnceListener(name: string | symbol, listener: Listener): this {
      return this._add(name, { listener, once: true }, true)
    }

    removeListener(name: string | symbol, listener: Listener): this {
      const entries = this._entries.get(name) ?? []
      const index = entries.findLastIndex((entry) => entry.listener === listener)
      if (index >= 0) this._entries.set(name, entries.toSpliced(index, 1))
      return this
    }

    off(name: string | symbol, listener: Listener): this {
      return this.removeListener(name, listener)
    }

    removeAllListeners(name?: string | symbol): this {
      if (name === undefined) this._entries.clear()
      else this._entries.delete(name)
      return this
    }

    emit(name: string | symbol, ...args: unknown[]): boolean {
      const entries = this._entries.get(name) ?? []
      if (entries.length === 0 && name === 'error') throw args[0]
      for (const entry of entries) {
        if (entry.once) this.removeListener(name, entry.listener)
        Reflect.apply(entry.listener, this, args)
      }
      return entries.length > 0
    }

    listeners(name: string | symbol): Listener[] {
      return (this._entries.get(name) ?? []).map((entry) => entry.listener)
    }

    listenerCount(name: string | symbol): number {
      return this.listeners(name).length
    }

    eventNames(): (string | symbol)[] {
      return [...this._entries].filter(([, entries]) => entries.length > 0).map(([name]) => name)
    }

    setMaxListeners(): this {
      return this
    }
  }
  return Object.assign(EventEmitter, { EventEmitter })
}
