import type { Protocol } from '../chromium/connection.ts'
import { refuse } from '../strict.ts'
import type { PageTarget } from './page-target.ts'
import { applyPermissions } from './permissions.ts'
import { protocolHandler } from './protocol.ts'
import { fromChromium, ownSchemes, toChromium } from './scheme-map.ts'

type Paused = Protocol.Fetch.requestPausedPayload

/** Serves and vetoes every request of a page: own schemes, will-navigate. */
export class Requests {
  readonly #page: PageTarget
  readonly #contents: object
  readonly #mayNavigate: (url: string, frameId: string, redirected: boolean) => boolean

  /** @param contents the page's WebContents, which permission handlers are given */
  constructor(
    page: PageTarget,
    contents: object,
    mayNavigate: (url: string, frameId: string, redirected: boolean) => boolean
  ) {
    this.#page = page
    this.#contents = contents
    this.#mayNavigate = mayNavigate
    page.on('Fetch.requestPaused', (paused) => void this.#decide(paused))
  }

  /** Starts intercepting. */
  async enable(): Promise<void> {
    await this.#page.send('Fetch.enable', { patterns: [{ urlPattern: '*', requestStage: 'Request' }] })
  }

  async #decide(paused: Paused): Promise<void> {
    try {
      await this.#onRequest(paused)
    } catch (error) {
      if (!isGone(error))
        console.error(`electron stand-in: the request of ${paused.request.url} failed`, error)
      await this.#fail(paused, 'Failed').catch(() => undefined)
    }
  }

  async #onRequest(paused: Paused): Promise<void> {
    const url = fromChromium(paused.request.url)
    if (paused.resourceType === 'Document') {
      const redirected = paused.redirectedRequestId !== undefined
      if (!this.#mayNavigate(url, paused.frameId, redirected)) return this.#fail(paused, 'Aborted')
      if (paused.frameId === this.#page.targetId) await applyPermissions(url, this.#contents)
    }
    // Chromium's browser window asks for an icon that no page named; Electron's does not.
    const isIcon = paused.resourceType === 'Other' && new URL(url).pathname === '/favicon.ico'
    if (isIcon) return this.#fulfill(paused, 204, '', [], Buffer.alloc(0))
    if (ownSchemes.has(url.slice(0, url.indexOf(':')))) return this.#serve(paused, url)
    await this.#page.send('Fetch.continueRequest', { requestId: paused.requestId })
  }

  /** Answers from the app's protocol handler. */
  async #serve(paused: Paused, url: string): Promise<void> {
    const handler = protocolHandler(url)
    const privileges = ownSchemes.get(url.slice(0, url.indexOf(':')))
    const isFetch = paused.resourceType === 'Fetch' || paused.resourceType === 'XHR'
    if (!handler || (isFetch && !privileges?.supportFetchAPI)) return this.#fail(paused, 'Failed')
    let response: unknown
    let body = Buffer.alloc(0)
    try {
      response = await handler(makeRequest(paused, url))
      if (response instanceof Response && response.type !== 'error')
        body = Buffer.from(await response.arrayBuffer())
    } catch (error) {
      console.error(error)
      return this.#fail(paused, 'Failed')
    }
    if (!(response instanceof Response)) {
      // Electron fails the request without a message; here the error is reported.
      console.error(`electron stand-in: the handler of ${url} did not return a Response`)
      return this.#fail(paused, 'Failed')
    }
    if (response.type === 'error') return this.#fail(paused, 'Failed')
    const headers = [...response.headers].map(([name, value]) => ({ name, value }))
    await this.#fulfill(paused, response.status, response.statusText, headers, body)
  }

  async #fulfill(
    paused: Paused,
    status: number,
    statusText: string,
    headers: readonly Protocol.Fetch.HeaderEntry[],
    body: Buffer
  ): Promise<void> {
    await this.#page.send('Fetch.fulfillRequest', {
      requestId: paused.requestId,
      responseCode: status,
      ...(statusText !== '' && { responsePhrase: statusText }),
      responseHeaders: headers.filter(keepsItsMeaning).map(headerToChromium),
      body: body.toString('base64')
    })
  }

  async #fail({ requestId }: Paused, errorReason: 'Aborted' | 'Failed'): Promise<void> {
    await this.#page.send('Fetch.failRequest', { requestId, errorReason })
  }
}

/** The page or its request is gone: the response is no longer needed. */
const isGone = (error: unknown): boolean =>
  /Invalid InterceptionId|Session with given id not found|Chromium is gone/.test(String(error))

/** The body is passed whole and decoded, so the transfer headers no longer apply. */
function keepsItsMeaning({ name }: Protocol.Fetch.HeaderEntry): boolean {
  return !['content-encoding', 'content-length', 'transfer-encoding'].includes(name.toLowerCase())
}

function headerToChromium({ name, value }: Protocol.Fetch.HeaderEntry): Protocol.Fetch.HeaderEntry {
  const namesScheme = [...ownSchemes.keys()].some((scheme) => value.includes(`${scheme}:`))
  if (/^content-security-policy/i.test(name) && namesScheme)
    refuse('a content policy with a scheme of the app')
  return { name, value: name.toLowerCase() === 'location' ? toChromium(value) : value }
}

function makeRequest(paused: Paused, url: string): Request {
  const { method, headers, postData, postDataEntries } = paused.request
  const parts = (postDataEntries ?? []).map((entry) => Buffer.from(entry.bytes ?? '', 'base64'))
  const body = parts.length > 0 ? Buffer.concat(parts) : postData
  const own = new Headers(headers)
  for (const name of ['origin', 'referer']) {
    const value = own.get(name)
    if (value === 'null') own.delete(name)
    else if (value !== null) own.set(name, fromChromium(value))
  }
  return new Request(url, { method, headers: own, ...(body !== undefined && method !== 'GET' && { body }) })
}
