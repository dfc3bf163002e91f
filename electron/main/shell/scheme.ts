/**
 * The page's own address, `app://till`, served from the built files and nothing else. A scheme of its own lets
 * `file://` stay closed (Electron security checklist, item 18).
 */
import { protocol } from 'electron'
import { readFile } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'

/** Origin of the page. */
export const APP_ORIGIN = 'app://till'
const SCHEME = 'app'

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

/** Must run before the app is ready. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } }
  ])
}

/**
 * Serves the built page from `folder`, and pictures through `picture`.
 * @param picture answers `/picture/<key>`, or undefined for an unknown key
 */
export function servePage(
  folder: string,
  picture: (key: string) => Promise<{ bytes: Uint8Array<ArrayBuffer>; type: string } | undefined>
): void {
  protocol.handle(SCHEME, async (request) => {
    const url = new URL(request.url)
    if (url.host !== 'till' || request.method !== 'GET') return NOT_FOUND()
    const key = /^\/picture\/([\w-]+)$/.exec(url.pathname)?.[1]
    if (key !== undefined) {
      const found = await picture(key)
      if (!found) return NOT_FOUND()
      return new Response(found.bytes, { headers: { ...HEADERS, 'content-type': found.type } })
    }
    const path = normalize(
      join(folder, url.pathname === '/' ? 'index.html' : decodeURIComponent(url.pathname))
    )
    const type = CONTENT_TYPES[extname(path)]
    if (!path.startsWith(folder + sep) || !type) return NOT_FOUND()
    try {
      return new Response(await readFile(path), { headers: { ...HEADERS, 'content-type': type } })
    } catch {
      return NOT_FOUND()
    }
  })
}
