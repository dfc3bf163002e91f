import { Readable } from 'node:stream'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import { refuse, StrictEmitter } from '../strict.ts'
import { fetchOnce, isRedirect, MOST_REDIRECTS, usable } from './net-transport.ts'
import { withNetErrors } from './net-failures.ts'
import type { Partition } from './partition.ts'

/** What `net.request` may be given here. */
interface Options {
  readonly url?: string
  readonly method?: string
  readonly protocol?: string
  readonly hostname?: string
  readonly host?: string
  readonly port?: number | string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly redirect?: 'follow' | 'error' | 'manual'
  readonly session?: Partition
}

const KNOWN = [
  'url',
  'method',
  'protocol',
  'hostname',
  'host',
  'port',
  'path',
  'headers',
  'redirect',
  'session'
]

function addressOf(options: Options): string {
  if (options.url !== undefined) return options.url
  const { protocol = 'http:', hostname, host = 'localhost', port, path = '/' } = options
  return `${protocol}//${hostname ?? host}${port === undefined ? '' : `:${port}`}${path}`
}

/** Electron's answer to a `net.request`: a stream with a head. */
class IncomingMessage extends Readable {
  readonly statusCode: number
  readonly statusMessage: string
  readonly httpVersion = '1.1'
  readonly httpVersionMajor = 1
  readonly httpVersionMinor = 1
  readonly headers: Record<string, string | string[]>
  readonly #body: Readable | undefined

  constructor(response: Response) {
    super()
    this.statusCode = response.status
    this.statusMessage = response.statusText
    this.headers = Object.fromEntries(response.headers)
    const cookies = response.headers.getSetCookie()
    if (cookies.length > 0) this.headers['set-cookie'] = cookies
    this.#body = response.body ? Readable.fromWeb(response.body as NodeReadableStream) : undefined
    this.#body?.on('data', (chunk) => {
      if (!this.push(chunk)) this.#body?.pause()
    })
    this.#body?.once('end', () => this.push(null))
  }

  /** Is called with the error that ends the body. */
  _onFailure(listener: (error: Error) => void): void {
    this.#body?.once('error', listener)
  }

  override _read(): void {
    if (this.#body) this.#body.resume()
    else this.push(null)
  }
}

/** Electron's `ClientRequest`, for requests without a body. */
export class ClientRequest extends StrictEmitter {
  readonly #method: string
  readonly #headers: Headers
  readonly #redirect: 'follow' | 'error' | 'manual'
  readonly #session: Partition | undefined
  readonly #abortion = new AbortController()
  #url: string
  #followed = false
  #ended = false
  #closed = false

  constructor(given: string | Options) {
    // Node's `socket` may be waited for, as code for both worlds does; Electron never emits it.
    super('ClientRequest', [
      'response',
      'login',
      'redirect',
      'finish',
      'abort',
      'error',
      'close',
      'socket',
      'aborted'
    ])
    usable()
    const options: Options = typeof given === 'string' ? { url: given } : given
    const unknown = Object.keys(options).find((key) => !KNOWN.includes(key))
    if (unknown !== undefined) refuse(`the option '${unknown}' of net.request`)
    this.#method = (options.method ?? 'GET').toUpperCase()
    if (this.#method !== 'GET' && this.#method !== 'HEAD')
      refuse(`the method '${this.#method}' of net.request`)
    this.#url = addressOf(options)
    if (!/^https?:\/\//.test(this.#url)) refuse(`net.request of ${this.#url}`)
    this.#headers = new Headers(options.headers)
    this.#redirect = options.redirect ?? 'follow'
    this.#session = options.session
  }

  setHeader(name: string, value: string): void {
    if (this.#ended) throw new Error("Can't set headers after they are sent")
    this.#headers.set(name, value)
  }

  getHeader(name: string): string | undefined {
    return this.#headers.get(name) ?? undefined
  }

  removeHeader(name: string): void {
    if (this.#ended) throw new Error("Can't remove headers after they are sent")
    this.#headers.delete(name)
  }

  end(): this {
    if (this.#ended) return this
    this.#ended = true
    this.emit('finish')
    void this.#run()
    return this
  }

  /** Follows a redirect; has an effect only within the `redirect` event. */
  followRedirect(): void {
    this.#followed = true
  }

  abort(): void {
    if (this.#closed) return
    this.#abortion.abort()
    this.emit('abort')
    this.#close()
  }

  #close(): void {
    if (this.#closed) return
    this.#closed = true
    this.emit('close')
  }

  #fail(error: Error): void {
    if (this.#closed) return
    this.emit('error', error)
    this.#close()
  }

  async #run(): Promise<void> {
    try {
      for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
        const { signal } = this.#abortion
        const request = new Request(this.#url, { method: this.#method, headers: this.#headers, signal })
        await this.#session?._beforeRequest(this.#url)
        const response = await fetchOnce(request)
        if (signal.aborted) return
        const location = response.headers.get('location')
        if (!isRedirect(response.status) || location === null) {
          this.#answer(withNetErrors(response, request))
          return
        }
        await response.body?.cancel()
        if (!this.#mayFollow(response, new URL(location, this.#url).href)) return
      }
      throw new Error('net::ERR_TOO_MANY_REDIRECTS')
    } catch (error) {
      if (!this.#abortion.signal.aborted)
        this.#fail(error instanceof Error ? error : new Error(String(error)))
    }
  }

  #wasFollowed(): boolean {
    return this.#followed
  }

  /** Whether a redirect is followed: always, never, or as the listener says within its event. */
  #mayFollow({ status, headers }: Response, target: string): boolean {
    if (this.#redirect === 'error') throw new Error("Attempted to redirect, but redirect policy was 'error'")
    if (this.#redirect === 'manual') {
      this.#followed = false
      this.emit('redirect', status, this.#method, target, Object.fromEntries(headers))
      if (this.#closed) return false
      if (!this.#wasFollowed()) throw new Error('Redirect was cancelled')
    }
    this.#url = target
    return true
  }

  #answer(response: Response): void {
    const message = new IncomingMessage(response)
    this.#abortion.signal.addEventListener('abort', () => message.emit('aborted'))
    message._onFailure((error) => {
      if (this.#closed) return
      message.destroy(error)
      this.#fail(error)
    })
    message.once('end', () => this.#close())
    this.emit('response', message)
  }
}
