import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'

/** The content security policy of the till's window. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'"

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml'
}

const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" fill="#5b3a29"/>
<path d="M16 26h26v12a10 10 0 0 1-10 10h-6a10 10 0 0 1-10-10z" fill="#f6e9d8"/>
<path d="M42 29h4a5 5 0 0 1 0 10h-4" fill="none" stroke="#f6e9d8" stroke-width="4"/>
<path d="M24 20q-3-4 0-8M33 20q-3-4 0-8" fill="none" stroke="#f6e9d8" stroke-width="3"/></svg>`

/** Serves the built page on loopback with the till's content security policy. Returns its URL and a function that stops the server. */
export async function servePage(folder: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const file = pathname === '/' ? '/index.html' : pathname
    const body =
      file === '/image/logo.svg' ? Promise.resolve(Buffer.from(LOGO)) : readFile(join(folder, file))
    body.then(
      (bytes) => {
        response.writeHead(200, {
          'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
          'content-security-policy': CONTENT_SECURITY_POLICY,
          // Scripts and fonts come from the memory cache at the next use of a page.
          'cache-control': 'max-age=3600'
        })
        response.end(bytes)
      },
      () => response.writeHead(404).end()
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${String(port)}/`,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => {
          resolve()
        })
      })
  }
}
