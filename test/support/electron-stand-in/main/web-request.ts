import { refuse, strict } from '../strict.ts'

/** The details of a request for a webRequest listener. */
export interface RequestDetails {
  readonly id: string
  readonly url: string
  readonly method: string
  readonly webContentsId: number
  readonly resourceType: string
  readonly referrer: string
  readonly timestamp: number
  readonly origin: string
}

interface Header {
  readonly name: string
  readonly value: string
}

type Result = Record<string, unknown>
type Listener = (details: object, callback: (answer: Result) => void) => void
interface Registration {
  readonly matches: (url: string) => boolean
  readonly listener: Listener
}

type EventName = 'onBeforeRequest' | 'onBeforeSendHeaders' | 'onHeadersReceived' | 'onErrorOccurred'

const listeners = new Map<EventName, Registration>()

function register(event: EventName, args: readonly unknown[]): void {
  const listener = args.at(-1)
  const filter = args.length > 1 ? args[0] : undefined
  if (listener === null) return void listeners.delete(event)
  if (typeof listener !== 'function') throw new TypeError('Must pass null or a Function')
  listeners.set(event, { matches: filterOf(filter), listener: listener as Listener })
}

/** Whether an address is one that a listener's filter names. */
export function filterOf(filter: unknown): (url: string) => boolean {
  if (filter === undefined) return () => true
  const urls: unknown =
    typeof filter === 'object' && filter !== null ? Reflect.get(filter, 'urls') : undefined
  if (!Array.isArray(urls)) throw new TypeError("Parameter 'filter' must have property 'urls'.")
  const unknown = Object.keys(filter as object).find((key) => key !== 'urls')
  if (unknown !== undefined) refuse(`the webRequest filter '${unknown}'`)
  const patterns = urls.map((each) => patternOf(String(each)))
  return (url) => patterns.some((pattern) => pattern.test(url))
}

/** A match pattern of Chromium's, such as `https://*.example.com/*`. */
function patternOf(text: string): RegExp {
  if (text === '<all_urls>') return /^/
  const match = /^(\*|[a-z][a-z0-9+.-]*):\/\/([^/]*)(\/.*)$/i.exec(text)
  if (!match) {
    const reason = text.includes('://') ? 'Empty path.' : 'Missing scheme separator.'
    throw new TypeError(`Invalid url pattern ${text}: ${reason}`)
  }
  const [, scheme = '', host = '', path = ''] = match
  const escape = (part: string): string => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')
  const hostPattern = host.startsWith('*.')
    ? `([^/]+\\.)?${escape(host.slice(2))}`
    : host === '*'
      ? '[^/]*'
      : escape(host)
  const port = host.includes(':') ? '' : '(:\\d+)?'
  return new RegExp(
    `^${scheme === '*' ? '(https?|wss?)' : escape(scheme)}://${hostPattern}${port}${escape(path)}$`,
    'i'
  )
}

function ask(
  event: EventName,
  details: object,
  url: string,
  allowed: readonly string[]
): Promise<Result> | undefined {
  const registration = listeners.get(event)
  if (!registration?.matches(url)) return undefined
  return new Promise((resolve) => {
    registration.listener(details, (answer) => {
      const unknown = Object.keys(answer).find((key) => !allowed.includes(key))
      if (unknown !== undefined) refuse(`the answer '${unknown}' of webRequest.${event}`)
      resolve(answer)
    })
  })
}

function byName(headers: readonly Header[]): Record<string, string[]> {
  const result: Record<string, string[]> = {}
  for (const { name, value } of headers) (result[name] ??= []).push(value)
  return result
}

/** Asks the app's webRequest listeners on behalf of the pages. */
export const webRequests = {
  wantResponses: (): boolean => listeners.has('onHeadersReceived') || listeners.has('onErrorOccurred'),

  async beforeRequest(
    details: RequestDetails
  ): Promise<{ cancel: boolean; redirectURL: string | undefined }> {
    const answer = await ask('onBeforeRequest', details, details.url, ['cancel', 'redirectURL'])
    const redirect = answer?.['redirectURL']
    return {
      cancel: answer?.['cancel'] === true,
      redirectURL: typeof redirect === 'string' ? redirect : undefined
    }
  },

  /** @returns the headers to send, undefined to leave them as they are */
  async beforeSendHeaders(
    details: RequestDetails,
    headers: Readonly<Record<string, string>>
  ): Promise<Record<string, string> | 'cancel' | undefined> {
    const asked = { ...details, requestHeaders: { ...headers } }
    const answer = await ask('onBeforeSendHeaders', asked, details.url, ['cancel', 'requestHeaders'])
    if (answer?.['cancel'] === true) return 'cancel'
    const changed = answer?.['requestHeaders']
    if (typeof changed !== 'object' || changed === null) return undefined
    return Object.fromEntries(Object.entries(changed).map(([name, value]) => [name, String(value)]))
  },

  /** @returns the headers the page gets; the very list given when no listener changed it */
  async headersReceived<T extends readonly Header[]>(
    details: RequestDetails,
    headers: T,
    statusCode: number,
    statusText: string
  ): Promise<T | Header[] | 'cancel'> {
    const asked = {
      ...details,
      statusCode,
      statusLine: `HTTP/1.1 ${statusCode} ${statusText}`.trim(),
      responseHeaders: byName(headers)
    }
    const answer = await ask('onHeadersReceived', asked, details.url, [
      'cancel',
      'responseHeaders',
      'statusLine'
    ])
    if (answer?.['cancel'] === true) return 'cancel'
    if (answer?.['statusLine'] !== undefined)
      refuse("the answer 'statusLine' of webRequest.onHeadersReceived")
    const changed = answer?.['responseHeaders']
    if (typeof changed !== 'object' || changed === null) return headers
    return Object.entries(changed).flatMap(([name, values]) =>
      (Array.isArray(values) ? values : [values]).map((value) => ({ name, value: String(value) }))
    )
  },

  failed(details: RequestDetails, error: string): void {
    const registration = listeners.get('onErrorOccurred')
    if (registration?.matches(details.url))
      registration.listener({ ...details, error, fromCache: false }, () => undefined)
  }
}

/** Electron's `session.webRequest`. */
export const webRequest = strict('webRequest', {
  onBeforeRequest: (...args: unknown[]) => register('onBeforeRequest', args),
  onBeforeSendHeaders: (...args: unknown[]) => register('onBeforeSendHeaders', args),
  onHeadersReceived: (...args: unknown[]) => register('onHeadersReceived', args),
  onErrorOccurred: (...args: unknown[]) => register('onErrorOccurred', args)
})
