import type { Protocol } from '../chromium/connection.ts'
import type { PageTarget } from './page-target.ts'
import { applyPermissions } from './permissions.ts'
import { protocolHandler } from './protocol.ts'
import { fromChromium, originOf, ownSchemes, policyToChromium, toChromium } from './scheme-map.ts'
import { failureReason } from './net-errors.ts'
import { webRequests, type RequestDetails } from './web-request.ts'

type Paused = Protocol.Fetch.requestPausedPayload

/** What a page's owner decides about its navigations. */
export interface NavigationGuard {
  readonly webContentsId: number
  /** @returns false to stop the navigation where it is */
  mayNavigate(url: string, frameId: string, redirected: boolean): boolean
  /** a document of the main frame is about to be committed, with this status */
  documentAnswered(url: string, status: number, statusText: string): void
}

/** Serves, filters and vetoes every request of a page: own schemes, webRequest listeners, will-navigate. */
export class Requests {
  readonly #page: PageTarget
  readonly #guard: NavigationGuard
  #seesResponses = false

  constructor(page: PageTarget, guard: NavigationGuard) {
    this.#page = page
    this.#guard = guard
    page.on('Fetch.requestPaused', (paused) => void this.#decide(paused))
  }

  /** Starts intercepting; responses too as soon as they have a listener. */
  async enable(): Promise<void> {
    this.#seesResponses = webRequests.wantResponses()
    const patterns: Protocol.Fetch.RequestPattern[] = [{ urlPattern: '*', requestStage: 'Request' }]
    if (this.#seesResponses) patterns.push({ urlPattern: '*', requestStage: 'Response' })
    await this.#page.send('Fetch.enable', { patterns })
  }

  async #decide(paused: Paused): Promise<void> {
    try {
      if (webRequests.wantResponses() && !this.#seesResponses) await this.enable()
      const isResponse = paused.responseStatusCode !== undefined || paused.responseErrorReason !== undefined
      await (isResponse ? this.#onResponse(paused) : this.#onRequest(paused))
    } catch {
      // The page or its request is gone; the response is no longer needed.
      await this.#fail(paused, 'ERR_FAILED').catch(() => undefined)
    }
  }

  async #onRequest(paused: Paused): Promise<void> {
    const url = fromChromium(paused.request.url)
    const isMainDocument = paused.resourceType === 'Document' && paused.frameId === this.#page.targetId
    if (paused.resourceType === 'Document') {
      const redirected = paused.redirectedRequestId !== undefined
      if (!this.#guard.mayNavigate(url, paused.frameId, redirected)) return this.#fail(paused, 'ERR_ABORTED')
    }
    // Chromium's browser window asks for an icon that no page named; Electron's does not.
    if (paused.resourceType === 'Other' && new URL(url).pathname === '/favicon.ico') {
      return this.#fulfill(paused, 204, '', [], Buffer.alloc(0))
    }
    const details = requestDetails(paused, url, this.#guard.webContentsId)
    const before = await webRequests.beforeRequest(details)
    if (before.cancel) {
      webRequests.failed(details, 'net::ERR_BLOCKED_BY_CLIENT')
      return this.#fail(paused, 'ERR_BLOCKED_BY_CLIENT')
    }
    if (before.redirectURL !== undefined) {
      const headers = redirectHeaders(before.redirectURL, paused)
      return this.#fulfill(paused, 307, 'Internal Redirect', headers, Buffer.alloc(0))
    }
    const requestHeaders = await webRequests.beforeSendHeaders(details, paused.request.headers)
    if (requestHeaders === 'cancel') return this.#fail(paused, 'ERR_BLOCKED_BY_CLIENT')
    if (isMainDocument) await applyPermissions(url, this.#guard.webContentsId)
    const scheme = url.slice(0, url.indexOf(':'))
    if (ownSchemes.has(scheme)) return this.#serve(paused, url, details)
    const headers = requestHeaders && Object.entries(requestHeaders).map(([name, value]) => ({ name, value }))
    await this.#page.send('Fetch.continueRequest', {
      requestId: paused.requestId,
      ...(headers && { headers })
    })
  }

  /** Answers from the app's protocol handler. */
  async #serve(paused: Paused, url: string, details: RequestDetails): Promise<void> {
    const handler = protocolHandler(url)
    const privileges = ownSchemes.get(url.slice(0, url.indexOf(':')))
    const isFetch = paused.resourceType === 'Fetch' || paused.resourceType === 'XHR'
    if (!handler || (isFetch && !privileges?.supportFetchAPI))
      return this.#fail(paused, 'ERR_UNKNOWN_URL_SCHEME')
    let response: unknown
    let body = Buffer.alloc(0)
    try {
      response = await handler(makeRequest(paused, url))
      if (response instanceof Response && response.type !== 'error')
        body = Buffer.from(await response.arrayBuffer())
    } catch (error) {
      console.error(error)
      return this.#fail(paused, 'ERR_UNEXPECTED')
    }
    if (!(response instanceof Response)) {
      // Electron fails the request without a message; here the error is reported.
      console.error(`electron stand-in: the handler of ${url} did not return a Response`)
      return this.#fail(paused, 'ERR_UNEXPECTED')
    }
    if (response.type === 'error') return this.#fail(paused, 'ERR_FAILED')
    const headers = [...response.headers].map(([name, value]) => ({ name, value }))
    const changed = await webRequests.headersReceived(details, headers, response.status, response.statusText)
    if (changed === 'cancel') return this.#fail(paused, 'ERR_BLOCKED_BY_CLIENT')
    this.#tellDocument(paused, url, response.status, response.statusText)
    await this.#fulfill(paused, response.status, response.statusText, changed, body)
  }

  async #onResponse(paused: Paused): Promise<void> {
    const url = fromChromium(paused.request.url)
    const details = requestDetails(paused, url, this.#guard.webContentsId)
    const { requestId, responseErrorReason, responseStatusCode = 0, responseStatusText = '' } = paused
    if (responseErrorReason !== undefined) {
      webRequests.failed(
        details,
        `net::ERR_${responseErrorReason.replace(/(?<=[a-z])[A-Z]/g, '_$&').toUpperCase()}`
      )
      return this.#continue(requestId)
    }
    const given = paused.responseHeaders ?? []
    const changed = await webRequests.headersReceived(details, given, responseStatusCode, responseStatusText)
    if (changed === 'cancel') return this.#fail(paused, 'ERR_BLOCKED_BY_CLIENT')
    if (changed === given) return this.#continue(requestId)
    await this.#page.send('Fetch.continueResponse', {
      requestId,
      responseCode: responseStatusCode,
      responseHeaders: changed
    })
  }

  async #continue(requestId: string): Promise<void> {
    await this.#page.send('Fetch.continueResponse', { requestId })
  }

  #tellDocument(paused: Paused, url: string, status: number, statusText: string): void {
    if (paused.resourceType === 'Document' && paused.frameId === this.#page.targetId) {
      this.#guard.documentAnswered(url, status, statusText)
    }
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

  async #fail(paused: Paused, error: string): Promise<void> {
    await this.#page.send('Fetch.failRequest', {
      requestId: paused.requestId,
      errorReason: failureReason(error)
    })
  }
}

/** A redirect that webRequest made is the browser's own, so it passes what another origin would have to allow. */
function redirectHeaders(target: string, { request }: Paused): Protocol.Fetch.HeaderEntry[] {
  return [
    { name: 'Location', value: toChromium(target) },
    { name: 'Access-Control-Allow-Origin', value: request.headers['Origin'] ?? '*' },
    { name: 'Access-Control-Allow-Credentials', value: 'true' }
  ]
}

/** The body is passed whole and decoded, so the transfer headers no longer apply. */
function keepsItsMeaning({ name }: Protocol.Fetch.HeaderEntry): boolean {
  return !['content-encoding', 'content-length', 'transfer-encoding'].includes(name.toLowerCase())
}

function headerToChromium({ name, value }: Protocol.Fetch.HeaderEntry): Protocol.Fetch.HeaderEntry {
  if (/^content-security-policy/i.test(name)) return { name, value: policyToChromium(value) }
  if (/^(location|access-control-allow-origin)$/i.test(name)) {
    const scheme = value.slice(0, Math.max(0, value.indexOf(':')))
    return { name, value: ownSchemes.has(scheme) ? toChromium(value).replace(/\/$/, '') : value }
  }
  return { name, value }
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

function requestDetails(paused: Paused, url: string, webContentsId: number): RequestDetails {
  const types: Readonly<Record<string, string>> = {
    Document: 'mainFrame',
    Stylesheet: 'stylesheet',
    Script: 'script',
    Image: 'image',
    Font: 'font',
    XHR: 'xhr',
    Fetch: 'xhr',
    Ping: 'ping',
    CSPViolationReport: 'cspReport',
    Media: 'media',
    WebSocket: 'webSocket'
  }
  return {
    id: paused.networkId ?? paused.requestId,
    url,
    method: paused.request.method,
    webContentsId,
    resourceType: types[paused.resourceType] ?? 'other',
    referrer: fromChromium(paused.request.headers['Referer'] ?? ''),
    timestamp: Date.now(),
    origin: originOf(url)
  }
}
