/** Finds the points code for a scanned URL. */
import { ungroupedCode } from '../../contract/code-groups.ts'

const MAX_URL_LENGTH = 2000

const asUrl = (text: string): URL | null => {
  if (text.length > MAX_URL_LENGTH || /\s/.test(text)) return null
  const schemeless = /^[\w-]+(?:\.[\w-]+)+(?::\d+)?\/\S+$/.test(text)
  const address = schemeless ? `https://${text}` : text
  return /^[a-z][a-z\d+.-]*:\/\//i.test(address) && URL.canParse(address) ? new URL(address) : null
}

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** Returns whether a text is a URL, as a scanner reads it from the QR code of a slip. */
export const isUrl = (text: string): boolean => asUrl(text.trim()) !== null

/** Parameters that commonly carry a code, the likeliest first. */
const CODE_PARAMETERS = ['code', 'qrcode', 'qr', 'c', 'q', 'id']

const guessIn = (url: URL): string | null => {
  const parameters = new Map(Array.from(url.searchParams, ([name, value]) => [name.toLowerCase(), value]))
  const named = CODE_PARAMETERS.map((name) => parameters.get(name)).find(Boolean)
  if (named !== undefined) return named
  // A path after the `#`, as single-page apps have it: "/#/q/AB12".
  const route = /^#!?(\/.+)$/.exec(url.hash)?.[1]
  if (route !== undefined) return guessIn(new URL(`https://route.invalid${route}`))
  const segment = url.pathname.split('/').findLast((part) => part !== '')
  return segment === undefined ? null : decoded(segment)
}

/** A code with the URL that the service sent for it. */
interface IssuedCode {
  readonly code: string | null
  readonly url: string | null
}

/** The codes that this till issued. */
export interface IssuedCodes {
  byUrl(url: string): IssuedCode | null
  /** Returns the newest ones, newest first. */
  newestCodes(): readonly IssuedCode[]
}

const PART_END = /[/?#&]/

/** Returns the index at which a code begins in its URL, or -1. Prefers a whole part of the URL; the last one counts. */
const indexOfCode = (url: string, code: string): number => {
  let whole = -1
  for (let at = url.indexOf(code); at >= 0; at = url.indexOf(code, at + 1)) {
    const end = url[at + code.length]
    if (/[/?#&=]/.test(url[at - 1] ?? '') && (end === undefined || PART_END.test(end))) whole = at
  }
  // A short code can be a part of another word.
  return whole >= 0 || code.length < 4 ? whole : url.lastIndexOf(code)
}

/** Returns the code in a URL that is built like that of an issued code; null if it is not. */
const codeByPattern = (url: string, issued: IssuedCode): string | null => {
  if (issued.code === null || issued.url === null) return null
  for (const code of [issued.code, encodeURIComponent(issued.code.toWellFormed())]) {
    const at = code === '' ? -1 : indexOfCode(issued.url, code)
    if (at < 0 || !url.startsWith(issued.url.slice(0, at))) continue
    const [suffix = ''] = issued.url.slice(at + code.length).split(PART_END)
    const [part = ''] = url.slice(at).split(PART_END)
    if (part.endsWith(suffix) && part.length > suffix.length)
      return decoded(part.slice(0, part.length - suffix.length))
  }
  return null
}

/**
 * Returns the code for a scanned URL. `POST /qr` does not specify the content of `qrURL`, so the URL is looked up among
 * those that this till issued; otherwise the code is where it is in the newest of them; otherwise it is guessed: a common
 * parameter, or the last part of the path. `code` is null if there is nothing to guess.
 */
export const codeForUrl = (
  text: string,
  issued: IssuedCodes
): { readonly code: string | null; readonly isGuess: boolean } => {
  const scanned = text.trim()
  const own = issued.byUrl(scanned)?.code ?? null
  if (own !== null) return { code: own, isGuess: false }
  for (const pair of issued.newestCodes()) {
    const code = codeByPattern(scanned, pair)
    if (code !== null) return { code, isGuess: false }
  }
  const url = asUrl(scanned)
  return { code: url && guessIn(url), isGuess: true }
}

/** A word that is a code rather than a name: it has a digit, an underscore, six capitals, or two inner capitals. */
const CODE_LIKE = /^(?=.*(?:\d|_|[A-Z]{6}|[a-z][A-Z].*[a-z][A-Z]))[A-Za-z\d][\w.~-]{3,199}$/

/**
 * Returns whether a text from the search box, which is no URL, looks like a code. A phone of digits does, too, so use this
 * only if no customer was found.
 */
export const isCodeLike = (text: string): boolean => CODE_LIKE.test(ungroupedCode(text))
