/**
 * The `app://` protocol: serves the built pages and nothing else, with one origin for each kind of window, so that the
 * pages share no storage and no process. With it `file://` stays closed (Electron security checklist, item 18).
 *
 * During `npm run dev` the pages come from Vite's dev server. They keep their own origins, so that the checks of callers
 * and navigation are those of a build. An installed app never uses it.
 */
import { app, protocol } from 'electron'
import { readFile } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'

/** Vite's client puts this nonce on the style elements that it inserts (`html.cspNonce` in electron.vite.config.ts). */
const STYLE_NONCE = 'dev'

/** Returns the dev server's URL, which `electron-vite dev` sets; null in a built or installed app. */
const devServerUrl = (): string | null =>
  app.isPackaged ? null : (process.env['ELECTRON_RENDERER_URL'] ?? null)

/** Extends a content security policy by what hot reload needs: its style elements and its web socket. */
function devPolicy(policy: string, server: string): string {
  const socket = server.replace(/^http/u, 'ws')
  return `${policy.replace('style-src', `style-src 'nonce-${STYLE_NONCE}'`)}; connect-src 'self' ${socket}`
}

/**
 * Fetches a file of a page from the dev server.
 * @param path path and query of the page's request
 */
async function fetchFromDevServer(
  server: string,
  path: string,
  headers: Readonly<Record<string, string>>
): Promise<Response> {
  const { body, status, headers: received } = await fetch(new URL(path, server))
  return new Response(body, {
    status,
    headers: { ...headers, 'content-type': received.get('content-type') ?? 'text/plain' }
  })
}

const SCHEME = 'app'

/** The page of each kind of window, by the host of its URL. */
const PAGES = { till: 'index.html', 'customer-display': 'customer-display.html' } as const

export type WindowRole = keyof typeof PAGES

/** The origin of each page. */
export const ORIGINS: Readonly<Record<WindowRole, string>> = {
  till: `${SCHEME}://till`,
  'customer-display': `${SCHEME}://customer-display`
}

const pageOf = (host: string): string | undefined => new Map<string, string>(Object.entries(PAGES)).get(host)

/** Electron security checklist, item 7: nothing inline, nothing remote, no frames. */
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

const notFound = (): Response => new Response(null, { status: 404, headers: HEADERS })

/** Decodes a URL path. Returns it unchanged if it is not UTF-8: no file of the page has such a name. */
const decodePath = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Registers the scheme as standard and secure. Call before the app is ready. */
export function registerAppProtocol(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } }
  ])
}

/**
 * Serves the built pages from `folder`, and images.
 * @param readImage returns the image of `/image/<key>`, or undefined for an unknown key
 */
export function handleAppProtocol(
  folder: string,
  readImage: (key: string) => Promise<{ bytes: Uint8Array<ArrayBuffer>; type: string } | undefined>
): void {
  protocol.handle(SCHEME, async (request) => {
    const url = new URL(request.url)
    const page = pageOf(url.host)
    if (page === undefined || request.method !== 'GET') return notFound()
    const key = /^\/image\/([\w-]+)$/.exec(url.pathname)?.[1]
    if (key !== undefined) {
      const image = await readImage(key)
      if (!image) return notFound()
      return new Response(image.bytes, { headers: { ...HEADERS, 'content-type': image.type } })
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
    const path = normalize(join(folder, url.pathname === '/' ? page : decodePath(url.pathname)))
    const type = CONTENT_TYPES[extname(path)]
    if (!path.startsWith(folder + sep) || !type) return notFound()
    // A page is served under its own origin only.
    if (type.startsWith('text/html') && path !== join(folder, page)) return notFound()
    try {
      return new Response(await readFile(path), { headers: { ...HEADERS, 'content-type': type } })
    } catch {
      return notFound()
    }
  })
}
