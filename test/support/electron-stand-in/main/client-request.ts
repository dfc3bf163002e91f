import { Readable } from 'node:stream'
import { refuse, StrictEmitter } from '../strict.ts'
import { isRedirect } from './net-failures.ts'
import { Session } from './session.ts'

/** What `net.request` may be given here. */
interface Options {
  readonly method?: string
  readonly protocol?: string
  readonly hostname?: string
  readonly port?: number | string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly redirect?: string
  readonly session?: Session
}

const KNOWN = ['method', 'protocol', 'hostname', 'port', 'path', 'headers', 'redirect', 'session']

function headersOf(given: Options['headers'] = {}): Headers {
  if (typeof given !== 'object') throw new TypeError('headers must be an object')
  const headers = new Headers()
  for (const [name, value] of Object.entries<string | null | undefined>(given)) {
    if (value === null || value === undefined)
      throw new Error(`\`value\` required in setHeader("${name}", value)`)
    headers.set(name, value)
  }
  return headers
}

/** A body as a stream, which emits no `end` once it is destroyed. */
function streamOf(body: ReadableStream<Uint8Array>): Readable {
  const reader = body.getReader()
  return new Readable({
    read() {
      reader.read().then(
        ({ done, value }) => this.destroyed || this.push(done ? null : value),
        (error: unknown) => this.destroy(error as Error)
      )
    },
    destroy(error, callback) {
      reader.cancel().catch(() => undefined)
      callback(error)
    }
  })
}

/** Electron's answer to a `net.request`: a stream with a head. */
function incomingMessage({ status, statusText, headers, body }: Response): Readable {
  const message = body ? streamOf(body) : Readable.from([])
  const cookies = headers.getSetCookie()
  return Object.assign(message, {
    statusCode: status,
    statusMessage: statusText,
    headers: { ...Object.fromEntries(headers), ...(cookies.length > 0 && { 'set-cookie': cookies }) },
    rawHeaders: [...headers].flat()
  })
}

/** Electron's `ClientRequest`, for requests without a body. */
export class ClientRequest extends StrictEmitter {
  readonly #request: Request
  readonly #session: Session
  readonly #redirectPolicy: string
  readonly #abortion = new AbortController()
  #message: Readable | undefined
  #isAborted = false
  #isClosed = false

  constructor(options: Options) {
    // Node's `socket`, and `aborted` of the request, may be waited for, as code for both worlds does; Electron never
    // emits them.
    super('ClientRequest', ['response', 'redirect', 'abort', 'error', 'close', 'login', 'socket', 'aborted'])
    const unknown = Object.keys(options).find((key) => !KNOWN.includes(key))
    if (unknown !== undefined) refuse(`the option '${unknown}' of net.request`)
    const { method = 'GET', protocol = 'http:', hostname = 'localhost', port, path = '/' } = options
    if (method !== 'GET') refuse(`the method '${method}' of net.request`)
    const headers = headersOf(options.headers)
    if (options.session === undefined) refuse('net.request without a session')
    if (!(options.session instanceof Session))
      throw new TypeError('`session` should be an instance of the Session class')
    if (protocol !== 'http:' && protocol !== 'https:')
      throw new Error('ClientRequest only supports http: and https: protocols')
    this.#session = options.session
    this.#redirectPolicy = options.redirect ?? 'follow'
    if (!['follow', 'manual'].includes(this.#redirectPolicy))
      refuse(`the redirect policy '${this.#redirectPolicy}' of net.request`)
    const url = `${protocol}//${hostname}${port ? `:${port}` : ''}${path}`
    this.#request = new Request(url, { method, headers, signal: this.#abortion.signal })
  }

  end(): this {
    void this.#run()
    return this
  }

  abort(): void {
    if (this.#isAborted) return
    this.#isAborted = true
    process.nextTick(() => this.emit('abort'))
    this.#close()
    this.#abortion.abort()
    this.#message?.destroy()
  }

  /** Without an error: emits `close` alone. */
  #close(error?: Error): void {
    if (this.#isClosed) return
    this.#isClosed = true
    process.nextTick(() => {
      if (error) this.emit('error', error)
      this.emit('close')
    })
  }

  async #run(): Promise<void> {
    try {
      const response = await this.#session._send(this.#request)
      if (this.#isAborted) return
      if ([401, 407].includes(response.status)) refuse("ClientRequest.emit('login')")
      if (isRedirect(response)) await this.#redirect(response)
      else this.#answer(response)
    } catch (error) {
      this.#close(error instanceof Error ? error : new Error(String(error)))
    }
  }

  /** A listener that wants the target aborts this request and makes another. */
  async #redirect({ status, headers, body }: Response): Promise<void> {
    await body?.cancel()
    const target = new URL(headers.get('location') ?? '', this.#request.url).href
    this.emit('redirect', status, this.#request.method, target, Object.fromEntries(headers))
    if (this.#isAborted) return
    if (this.#redirectPolicy === 'manual') throw new Error('Redirect was cancelled')
    refuse('net.request that follows a redirect')
  }

  #answer(response: Response): void {
    const message = incomingMessage(response)
    this.#message = message
    message.once('error', (error) => this.#close(error))
    message.once('end', () => this.#close())
    this.emit('response', message)
  }
}
