import type { Readable, Writable } from 'node:stream'
// The types of the DevTools protocol; the package's exports map does not list them.
import type { Protocol } from '../../../../node_modules/playwright-core/types/protocol.d.ts'

export type { Protocol }
type Commands = Protocol.CommandParameters
type Replies = Protocol.CommandReturnValues

interface Pending {
  readonly method: string
  resolve(value: unknown): void
  reject(error: Error): void
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: unknown
  readonly result?: unknown
  readonly error?: { readonly message: string }
  readonly sessionId?: string
}

/** A client of Chromium's DevTools protocol over its pipe (messages end with a zero byte). */
export class Connection {
  readonly #output: Writable
  readonly #pending = new Map<number, Pending>()
  readonly #handlers = new Map<string, Set<(method: string, params: unknown) => void>>()
  #lastId = 0
  #closed = false

  constructor(output: Writable, input: Readable) {
    this.#output = output
    let parts: Buffer[] = []
    input.on('data', (chunk: Buffer) => {
      let rest = chunk
      for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
        parts.push(rest.subarray(0, end))
        rest = rest.subarray(end + 1)
        const text = Buffer.concat(parts).toString('utf8')
        parts = []
        this.#receive(JSON.parse(text) as Message)
      }
      if (rest.length > 0) parts.push(rest)
    })
    input.on('close', () => this.#close())
    output.on('error', () => this.#close())
  }

  /** True once Chromium is gone; every call then rejects. */
  get closed(): boolean {
    return this.#closed
  }

  /**
   * Sends a command, to the browser or to one session.
   * @returns the reply; rejects with Chromium's message, or with "Chromium is gone"
   */
  send<M extends keyof Commands>(method: M, params?: Commands[M], sessionId?: string): Promise<Replies[M]> {
    return new Promise((resolve, reject) => {
      if (this.#closed) {
        reject(new Error(`${method}: Chromium is gone`))
        return
      }
      const id = ++this.#lastId
      this.#pending.set(id, { method, resolve: (value) => resolve(value as Replies[M]), reject })
      this.#output.write(`${JSON.stringify({ id, method, params: params ?? {}, sessionId })}\0`)
    })
  }

  /** Subscribes to one event of the browser (no session) or of one session. @returns the function that unsubscribes */
  on<E extends keyof Protocol.Events>(
    event: E,
    handler: (params: Protocol.Events[E]) => void,
    sessionId = ''
  ): () => void {
    const wrapped = (method: string, params: unknown): void => {
      if (method === event) handler(params as Protocol.Events[E])
    }
    const handlers = this.#handlers.get(sessionId) ?? new Set()
    this.#handlers.set(sessionId, handlers.add(wrapped))
    return () => handlers.delete(wrapped)
  }

  /** Removes the handlers of a closed session, during an event too. */
  forget(sessionId: string): void {
    this.#handlers.get(sessionId)?.clear()
    this.#handlers.delete(sessionId)
  }

  #receive(message: Message): void {
    if (message.id === undefined) {
      const handlers = this.#handlers.get(message.sessionId ?? '') ?? new Set()
      for (const handler of [...handlers]) {
        if (handlers.has(handler)) handler(message.method ?? '', message.params)
      }
      return
    }
    const pending = this.#pending.get(message.id)
    this.#pending.delete(message.id)
    if (message.error) pending?.reject(new Error(`${pending.method}: ${message.error.message}`))
    else pending?.resolve(message.result)
  }

  #close(): void {
    if (this.#closed) return
    this.#closed = true
    // Rejects the pending calls: no reply can arrive any more.
    for (const pending of this.#pending.values())
      pending.reject(new Error(`${pending.method}: Chromium is gone`))
    this.#pending.clear()
  }
}
