/** The address that updates of the till come from. */

/** Hosts of this very machine, which need no https. */
const THIS_MACHINE = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Reads the address of the folder on a web server that updates come from.
 * @returns the address with a slash at its end; null when it is not https (plain http counts on this machine alone),
 *   carries a name and password, or is no address
 */
export function parseFeed(text: string): string | null {
  if (!URL.canParse(text.trim())) return null
  const url = new URL(text.trim())
  const secure = url.protocol === 'https:' || (url.protocol === 'http:' && THIS_MACHINE.has(url.hostname))
  if (!secure || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    return null
  if (!url.pathname.endsWith('/')) url.pathname += '/'
  return url.href
}
