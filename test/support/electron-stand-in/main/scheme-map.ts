import { refuse } from '../strict.ts'

/** What `registerSchemesAsPrivileged` grants a scheme. */
export interface Privileges {
  readonly standard?: boolean
  readonly secure?: boolean
  readonly supportFetchAPI?: boolean
}

/** The app's own schemes. Chromium can't be taught a scheme from outside, so their pages get http addresses. */
export const ownSchemes = new Map<string, Privileges>()

/**
 * The address under which Chromium opens a page of the app: `app://till/x` becomes `http://till.app.localhost/x`, a
 * secure context that no name server is asked about. Other addresses stay as they are.
 */
export function toChromium(url: string): string {
  const match = /^([a-z][a-z0-9+.-]*):(?:\/\/([^/?#]*))?/i.exec(url)
  const scheme = match?.[1]?.toLowerCase() ?? ''
  const privileges = ownSchemes.get(scheme)
  if (!match || !privileges) return url
  const host = match[2]?.toLowerCase() ?? ''
  if (!privileges.standard || !privileges.secure) refuse(`a page of ${scheme}:// without standard and secure`)
  if (!/^[a-z0-9-]+$/.test(host) || !/^[a-z0-9-]+$/.test(scheme)) refuse(`the address ${scheme}://${host}`)
  return `http://${host}.${scheme}.localhost${url.slice(match[0].length) || '/'}`
}

/** The inverse of {@link toChromium}: what the app sees as the address of a page or a request. */
export function fromChromium(url: string): string {
  const match = /^http:\/\/([a-z0-9-]+)\.([a-z0-9-]+)\.localhost(?=[/?#]|$)/.exec(url)
  const [whole, host, scheme] = match ?? []
  if (whole === undefined || scheme === undefined || !ownSchemes.has(scheme)) return url
  return `${scheme}://${host}${url.slice(whole.length)}`
}

/** The origin that Electron reports for a page: `app://till`, `http://host:port`, or `null` for opaque ones. */
export function originOf(url: string): string {
  const match = /^([a-z][a-z0-9+.-]*):\/\/[^/?#]*/i.exec(url)
  if (match && ownSchemes.has(match[1]?.toLowerCase() ?? '')) return match[0]
  try {
    const { origin, protocol } = new URL(url)
    return protocol === 'file:' ? 'file://' : origin
  } catch {
    return 'null'
  }
}
