/**
 * Serves the pages from Vite's dev server during `npm run dev`. They keep their own origins, so that the checks of
 * callers and navigation are those of a build. An installed app never uses this.
 */
import { app } from 'electron'

/** Vite's client puts this nonce on the style elements that it inserts (`html.cspNonce` in electron.vite.config.ts). */
const STYLE_NONCE = 'dev'

/** Returns the dev server's URL, which `electron-vite dev` sets; null in a built or installed app. */
export const devServerUrl = (): string | null =>
  app.isPackaged ? null : (process.env['ELECTRON_RENDERER_URL'] ?? null)

/** Extends a content security policy by what hot reload needs: its style elements and its web socket. */
export function devPolicy(policy: string, server: string): string {
  const socket = server.replace(/^http/u, 'ws')
  return `${policy.replace('style-src', `style-src 'nonce-${STYLE_NONCE}'`)}; connect-src 'self' ${socket}`
}

/**
 * Fetches a file of a page from the dev server.
 * @param path path and query of the page's request
 */
export async function fetchFromDevServer(
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
