/**
 * Takes out of a text what no log and no diagnostics may hold: tokens, phones, e-mails, codes, what an address carries
 * in its query. Rather too much than too little: a redacted number costs a question, a phone in a log cannot be called
 * back.
 */
import { homedir } from 'node:os'

/** What stands where something was. */
const PLACEHOLDERS = {
  token: '[token]',
  email: '[e-mail]',
  phone: '[phone]',
  value: '[value]',
  slip: '[slip]'
} as const

/** Shorter ones would redact half of the language, and are no secrets. */
const SHORTEST_SECRET = 4

/** Every spelling of a secret that a message may carry it in: as it is, in JSON, in an address, in base64. */
const spellingsOf = (secret: string): readonly string[] => {
  const base64 = Buffer.from(secret).toString('base64')
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    base64,
    base64.replace(/=+$/, ''),
    Buffer.from(secret).toString('base64url')
  ]
}

/** The text without these secrets, in any spelling; everything else stays. */
function removeSecrets(text: string, secrets: Iterable<string>): string {
  const spellings = Array.from(secrets)
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .flatMap(spellingsOf)
  // The longest first: one of them may begin with another.
  return [...new Set(spellings)]
    .toSorted((one, other) => other.length - one.length)
    .reduce((redacted, spelling) => redacted.replaceAll(spelling, PLACEHOLDERS.token), text)
}

/** `Authorization` schemes (RFC 9110, 11.4) and the names that secrets are given in headers, JSON and queries. */
const SCHEME = /\b(bearer(?:\s|%20)+|basic(?:\s|%20)+(?=[\w+/-]{8}))["']?(?!\[)[^\s"',;)}\]]+/giu
const NAMED =
  /\b(authorization|token|access_token|api[-_]?key|secret|password|cookie)(\\?["'])?(\s*[:=]\s*)(\\?["'])?(?!\[)[^\s"',;&)}\]\\]+/giu
/** A JSON Web Token (RFC 7519): its header begins with `{"`, which is `eyJ` in base64. */
const JSON_WEB_TOKEN = /eyJ[\w-]{5,}(\.[\w-]*){0,2}/gu

/** The kinds of message that quote what they could not read: JSON.parse of V8, and valibot's issues. */
const QUOTED = /(received |token .{1,12}, (?:\.{3})?)"(?:[^"\\]|\\.)*"(?:\.{3})?/gsu

const URL_LIKE = /\b([a-z][a-z\d+.-]{1,20}:\/\/)([^\s"'<>]*)/giu
/** Segments of the service's paths after which a person's id, phone or e-mail comes, or a code. */
const TELLING_SEGMENT = /(\/(?:customers|qr)\/)[^/?#\s"')]+/giu

const withoutCredentials = (rest: string): string => {
  const end = rest.search(/[/?#]/u)
  const authority = end === -1 ? rest : rest.slice(0, end)
  const at = authority.lastIndexOf('@')
  return at === -1 ? rest : `${PLACEHOLDERS.value}@${rest.slice(at + 1)}`
}

/** An address keeps its host and path; what it carries behind them goes. */
const maskedUrl = (_whole: string, scheme: string, rest: string): string =>
  scheme +
  withoutCredentials(rest).replace(/[?#].*$/su, (tail) => {
    // A stack's closing bracket, and its line and column, are no part of the address.
    const behind = /[:\d]*\)?$/u.exec(tail)?.[0] ?? ''
    return `${tail.charAt(0)}${PLACEHOLDERS.value}${behind.endsWith(')') ? ')' : ''}`
  })

/** An address of the till itself, or of the service, without scheme: `customers/?name=Maria`. */
const QUERY = /\?([\p{L}\p{N}_.-]+=)[^\s"'<>)]*/gu

const EMAIL = /[^\s@<>"'(),:;[\]\\=/?&]+(?:@|%40)[^\s@<>"'(),:;[\]\\/?&]+/giu

/** A long run without a space, in which a part mixes letters and digits beyond what a name or a date does. */
const RUN = /[\p{L}\p{N}_~+=-]{16,}/gu
const LONGEST_MIXED_PART = 8
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/iu

const looksLikeToken = (run: string): boolean =>
  run
    .split(/[-_~+=]/u)
    .some((part) => part.length > LONGEST_MIXED_PART && /\p{L}/u.test(part) && /\p{N}/u.test(part))

const maskedRun = (run: string): string => {
  if (UUID.test(run)) return run
  // An id that stands in a longer name keeps its use: `batch-<uuid>`.
  const named = /^([a-z]+-)([\da-f-]{36})$/iu.exec(run)
  if (named?.[2] !== undefined && UUID.test(named[2])) return run
  return looksLikeToken(run) ? PLACEHOLDERS.token : run
}

/** The file of a slip is named after its code. */
const SLIP_FILE = /[^\s/\\"'()]+\.pdf\b/giu

/**
 * Digits with what people put between them, in any script. What is taken as something else comes first: ids, ISO
 * dates and times, IPv4 addresses.
 */
const SEPARATOR = '[\\s.()/\\u2010-\\u2015\\u2212-]'
const DIGITS = new RegExp(
  [
    '(?<uuid>(?<![\\p{L}\\p{N}-])[\\da-f]{8}-[\\da-f]{4}-[\\da-f]{4}-[\\da-f]{4}-[\\da-f]{12}(?![\\p{L}\\p{N}-]))',
    `(?<date>(?<!\\p{N}-?)20\\d\\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])(?:T\\d\\d[-:]\\d\\d[-:]\\d\\d(?:[-.]\\d{1,3})?Z?)?(?!${SEPARATOR}{0,3}\\p{Nd}))`,
    `(?<ip>(?<![\\p{N}.])(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)\\.){3}(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?!${SEPARATOR}{0,3}\\p{Nd}))`,
    `[+＋]?[(]?\\p{Nd}(?:${SEPARATOR}{0,3}\\p{Nd}){6,}`
  ].join('|'),
  'giu'
)

const maskedDigits = (text: string): string =>
  text.replaceAll(DIGITS, (found, ...rest: readonly unknown[]) => {
    const groups = rest.at(-1) as Readonly<Record<string, string | undefined>>
    const isOther = [groups['uuid'], groups['date'], groups['ip']].some((group) => group !== undefined)
    return isOther ? found : PLACEHOLDERS.phone
  })

/**
 * The text without secrets and personal data, as far as their shape or `secrets` tells them. Names of people have no
 * shape: they must not be given in. Masking twice changes nothing more.
 * @param secrets the tokens that this till has used, however short or plain they are
 */
export function redact(text: string, secrets: Iterable<string> = []): string {
  const plain = removeSecrets(text, secrets)
    .replaceAll(homedir(), '~')
    .replaceAll(QUOTED, (_found, before: string) => `${before}${PLACEHOLDERS.value}`)
    .replaceAll(SCHEME, (_found, scheme: string) => `${scheme}${PLACEHOLDERS.token}`)
    .replaceAll(
      NAMED,
      (_found, name: string, quote = '', equals = '', open = '') =>
        `${name}${String(quote)}${String(equals)}${String(open)}${PLACEHOLDERS.token}`
    )
    .replaceAll(JSON_WEB_TOKEN, PLACEHOLDERS.token)
    .replaceAll(URL_LIKE, maskedUrl)
    .replaceAll(QUERY, (_found, name: string) => `?${name}${PLACEHOLDERS.value}`)
    .replaceAll(TELLING_SEGMENT, (_found, before: string) => `${before}${PLACEHOLDERS.value}`)
    .replaceAll(SLIP_FILE, `${PLACEHOLDERS.slip}.pdf`)
    .replaceAll(EMAIL, PLACEHOLDERS.email)
    .replaceAll(RUN, maskedRun)
  return maskedDigits(plain)
}

/* from plain.ts: Any value as plain, redacted JSON: errors with their causes, nothing circular, nothing endless. */

const DEEPEST = 6
const LONGEST_TEXT = 4_000
const MOST_ITEMS = 50
const STACK_LINES = 12

/** Keys whose values are about a person or a secret, whatever their shape. */
const LEFT_OUT =
  /^(name|first_?name|last_?name|customer(_?name)?|cashier|phone|e-?mail|avatar|token|authorization|password|secret|cookie|headers|body|street|note)$/i

/** Properties that system, SQLite and network errors tell their reason by. */
const ERROR_PROPERTIES = ['code', 'errcode', 'errno', 'syscall', 'status', 'reason', 'fault'] as const

const cut = (text: string): string =>
  text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}… (${String(text.length)} characters)` : text

/** Makes the reading of values, with one set of secrets to redact. */
export function createSerializer(secrets: () => Iterable<string>): (value: unknown) => unknown {
  // Masked before it is cut: half a token has no shape any more.
  const text = (value: string): string => cut(redact(value, secrets()))

  const ofError = (error: Error, depth: number, seen: readonly unknown[]): unknown => {
    const properties = ERROR_PROPERTIES.flatMap((key) => {
      const found: unknown = Reflect.get(error, key)
      return typeof found === 'string' || typeof found === 'number'
        ? [[key, plain(found, depth + 1, seen)]]
        : []
    })
    const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
    return {
      error: text(error.name),
      message: text(error.message),
      ...Object.fromEntries(properties),
      stack: frames.slice(0, STACK_LINES).map((line) => text(line.trim())),
      ...(error.cause === undefined ? {} : { cause: plain(error.cause, depth + 1, seen) }),
      ...(error instanceof AggregateError ? { errors: plain(error.errors, depth + 1, seen) } : {})
    }
  }

  const ofObject = (value: object, depth: number, seen: readonly unknown[]): unknown => {
    if (seen.includes(value)) return '[again]'
    if (depth > DEEPEST) return '[deeper]'
    const inside = [...seen, value]
    if (value instanceof Error) return ofError(value, depth, inside)
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer)
      return `[${String(value.byteLength)} bytes]`
    if (value instanceof Map || value instanceof Set) return plain([...value], depth + 1, inside)
    if (Array.isArray(value)) {
      return value.slice(0, MOST_ITEMS).map((item: unknown) => plain(item, depth + 1, inside))
    }
    return Object.fromEntries(
      Object.entries(value)
        .slice(0, MOST_ITEMS)
        .filter(([, item]) => item !== undefined && typeof item !== 'function')
        .map(([key, item]) => [
          text(key),
          LEFT_OUT.test(key) && item !== null ? '[left out]' : plain(item, depth + 1, inside)
        ])
    )
  }

  const plain = (value: unknown, depth = 0, seen: readonly unknown[] = []): unknown => {
    switch (typeof value) {
      case 'string':
        return text(value)
      case 'number':
        return Number.isFinite(value) ? value : String(value)
      case 'boolean':
        return value
      case 'bigint':
      case 'symbol':
        return text(String(value))
      case 'undefined':
      case 'function':
        return null
      case 'object':
        return value === null ? null : ofObject(value, depth, seen)
    }
  }
  return (value) => plain(value)
}
