/**
 * The pages' own addresses, served from the built files and nothing else: one origin for each kind of window, so that
 * they share no storage and no process. A scheme of its own lets `file://` stay closed (Electron security checklist,
 * item 18).
 */
import { protocol } from 'electron'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'
import { devPolicy, devServerUrl, fetchFromDevServer } from './dev-server.ts'

const SCHEME = 'app'

/** The page of each kind of window, by the host of its address. */
const PAGES = { till: 'index.html', 'customer-display': 'customer-display.html' } as const

/** What a window is for. */
export type WindowRole = keyof typeof PAGES

/** Origins of the pages. */
export const ORIGINS: Readonly<Record<WindowRole, string>> = {
  till: `${SCHEME}://till`,
  'customer-display': `${SCHEME}://customer-display`
}

const pageOf = (host: string): string | undefined => new Map<string, string>(Object.entries(PAGES)).get(host)

/** Electron security checklist, item 7. Nothing inline, nothing remote, nothing framed. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join('; ')

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2'
}

const HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer'
}

const NOT_FOUND = (): Response => new Response(null, { status: 404, headers: HEADERS })

/** The path in plain; as it is when it is no UTF-8, which no file of the page is named. */
const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Must run before the app is ready. */
export function registerAppProtocol(): void {
  protocol.registerSchemesAsPrivileged([
    // What V8 compiled of the scripts is kept for the next start.
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } }
  ])
  // Node makes its `fetch` and all that belongs to it when one of them is first used: some 20 ms, in which Chromium
  // starts. The page would wait for it otherwise.
  setImmediate(() => new Response())
}

/** How a file is to be fetched that comes along with a page's own (RFC 8288), by its type. */
const RELATIONS: Readonly<Record<string, string>> = {
  '.js': 'rel=modulepreload',
  '.woff2': 'rel=preload; as=font; crossorigin'
}

/** Names the files of `folder` whose names begin so, to come along with a page's own. */
function linkTo(folder: string, beginnings: readonly string[]): { readonly link?: string } {
  const assets = 'assets'
  const links = readdirSync(join(folder, assets))
    .filter((name) => beginnings.some((beginning) => name.startsWith(beginning)))
    .map((name) => `</${assets}/${name}>; ${RELATIONS[extname(name)] ?? 'rel=prefetch'}`)
  return links.length > 0 ? { link: links.join(', ') } : {}
}

/**
 * Serves the built pages from `folder`, and pictures through `picture`.
 * @param awaited what the cashier's page will ask for first: beginnings of names of scripts and fonts
 * @param picture answers `/image/<key>`, or undefined for an unknown key
 */
export function handleAppProtocol(
  folder: string,
  awaited: () => readonly string[],
  picture: (key: string) => Promise<{ bytes: Uint8Array<ArrayBuffer>; type: string } | undefined>
): void {
  protocol.handle(SCHEME, async (request) => {
    const url = new URL(request.url)
    const page = pageOf(url.host)
    if (page === undefined || request.method !== 'GET') return NOT_FOUND()
    const key = /^\/image\/([\w-]+)$/.exec(url.pathname)?.[1]
    if (key !== undefined) {
      const found = await picture(key)
      if (!found) return NOT_FOUND()
      return new Response(found.bytes, { headers: { ...HEADERS, 'content-type': found.type } })
    }
    const devServer = devServerUrl()
    if (devServer !== null) {
      const policy = devPolicy(CONTENT_SECURITY_POLICY, devServer)
      const file = url.pathname === '/' ? `/${page}` : url.pathname
      return fetchFromDevServer(devServer, file + url.search, {
        ...HEADERS,
        'content-security-policy': policy
      })
    }
    const path = normalize(join(folder, url.pathname === '/' ? page : decoded(url.pathname)))
    const type = CONTENT_TYPES[extname(path)]
    if (!path.startsWith(folder + sep) || !type) return NOT_FOUND()
    // No page under another one's origin.
    if (type.startsWith('text/html') && path !== join(folder, page)) return NOT_FOUND()
    try {
      const links = path === join(folder, PAGES.till) ? linkTo(folder, awaited()) : {}
      return new Response(await readFile(path), { headers: { ...HEADERS, ...links, 'content-type': type } })
    } catch {
      return NOT_FOUND()
    }
  })
}
