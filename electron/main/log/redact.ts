/**
 * Removes secrets and personal data from texts and values before they are logged or exported: tokens, phones, e-mails,
 * points codes, query strings. Prefers false positives: a redacted number costs a question, a leaked phone cannot be
 * taken back.
 */
import { homedir } from 'node:os'

/** Replacements for removed texts. */
const PLACEHOLDERS = {
  token: '[token]',
  email: '[e-mail]',
  phone: '[phone]',
  value: '[value]',
  slip: '[slip]'
} as const

/** Minimum length in characters: shorter secrets would match ordinary words. */
const MIN_SECRET_LENGTH = 4

/** Returns the spellings of a secret that a message may contain: plain, in JSON, in a URL, in base64. */
const spellingsOf = (secret: string): readonly string[] => {
  const base64 = Buffer.from(secret).toString('base64')
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    base64,
    base64.replace(/={1,2}$/, ''),
    Buffer.from(secret).toString('base64url')
  ]
}

/** Replaces these secrets in any spelling. */
function removeSecrets(text: string, secrets: Iterable<string>): string {
  const spellings = Array.from(secrets)
    .filter((secret) => secret.length >= MIN_SECRET_LENGTH)
    .flatMap(spellingsOf)
  // Longest first: one spelling may be the beginning of another.
  return [...new Set(spellings)]
    .toSorted((one, other) => other.length - one.length)
    .reduce((redacted, spelling) => redacted.replaceAll(spelling, PLACEHOLDERS.token), text)
}

/** `Authorization` schemes (RFC 9110, 11.4). */
const SCHEME = /\b(bearer(?:\s|%20)+|basic(?:\s|%20)+(?=[\w+/-]{8}))["']?(?!\[)[^\s"',;)}\]]+/giu
/** Values after the usual names of secrets in headers, JSON and queries. */
const NAMED_SECRET =
  /\b(authorization|token|access_token|api[-_]?key|secret|password|cookie)(\\?["'])?(\s*[:=]\s*)(\\?["'])?(?!\[)[^\s"',;&)}\]\\]+/giu
/** JSON Web Tokens (RFC 7519): the header begins with `{"`, which is `eyJ` in base64. */
const JSON_WEB_TOKEN = /eyJ[\w-]{5,}(\.[\w-]*){0,2}/gu

/** Quotations of unreadable input in the messages of V8's JSON.parse and of valibot, also where a text is cut. */
const QUOTED_INPUT = /(received |token .{1,12}, (?:\.{3})?)"(?:[^"\\]|\\.)*(?:"(?:\.{3})?|\\?$)/gsu

const URL_LIKE = /\b([a-z][a-z\d+.-]{1,20}:\/\/)([^\s"'<>]*)/giu
/** Path segments of the service that are followed by a customer's id, phone or e-mail, or by a points code. */
const PERSONAL_SEGMENT = /(\/(?:customers|qr)\/)[^/?#\s"')]+/giu

const withoutCredentials = (rest: string): string => {
  const end = rest.search(/[/?#]/u)
  const authority = end === -1 ? rest : rest.slice(0, end)
  const at = authority.lastIndexOf('@')
  return at === -1 ? rest : `${PLACEHOLDERS.value}@${rest.slice(at + 1)}`
}

/** Keeps host and path of a URL and redacts credentials, query and fragment. */
const redactUrl = (_whole: string, scheme: string, rest: string): string =>
  scheme +
  withoutCredentials(rest).replace(
    /[?#].*/su,
    // The closing bracket of a stack frame is not part of the URL.
    (tail) => `${tail.charAt(0)}${PLACEHOLDERS.value}${tail.endsWith(')') ? ')' : ''}`
  )

/** A query of a relative URL: `customers/?name=Maria`. */
const QUERY = /\?([\p{L}\p{N}_.-]+=)[^\s"'<>)]*/gu

/** A word, with the host of an e-mail behind it. It is found whole: searching for the `@` from each letter is quadratic. */
const WORD = /[^\s@<>"'(),:;[\]\\=/?&]+(?:@[^\s@<>"'(),:;[\]\\/?&]+)?/gu
const redactEmail = (word: string): string => (/@|.%40./u.test(word) ? PLACEHOLDERS.email : word)

/** A long run of characters without a space: a token, if a part of it mixes letters and digits. */
const LONG_RUN = /[\p{L}\p{N}_~+=-]{16,}/gu
const MAX_MIXED_PART_LENGTH = 8
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/iu

const looksLikeToken = (run: string): boolean =>
  run
    .split(/[-_~+=]/u)
    .some((part) => part.length > MAX_MIXED_PART_LENGTH && /\p{L}/u.test(part) && /\p{N}/u.test(part))

const redactRun = (run: string): string => {
  if (UUID.test(run)) return run
  // Ids with a prefix are kept: `batch-<uuid>`.
  const prefixed = /^([a-z]+-)([\da-f-]{36})$/iu.exec(run)
  if (prefixed?.[2] !== undefined && UUID.test(prefixed[2])) return run
  return looksLikeToken(run) ? PLACEHOLDERS.token : run
}

const FILE_NAME = /[^\s/\\"'()]+/gu
/** File names of slips contain the points code. */
const redactSlipFile = (name: string): string => name.replace(/^.+\.pdf\b/isu, `${PLACEHOLDERS.slip}.pdf`)

/** Characters that people write between the digits of a phone. */
const SEPARATOR = '[\\s.()/\\u2010-\\u2015\\u2212-]'
/** Runs of digits in any script. UUIDs, ISO dates and times, and IPv4 addresses match first and are kept. */
const DIGITS = new RegExp(
  [
    '(?<uuid>(?<![\\p{L}\\p{N}-])[\\da-f]{8}-[\\da-f]{4}-[\\da-f]{4}-[\\da-f]{4}-[\\da-f]{12}(?![\\p{L}\\p{N}-]))',
    `(?<date>(?<!\\p{N}-?)20\\d\\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])(?:T\\d\\d[-:]\\d\\d[-:]\\d\\d(?:[-.]\\d{1,3})?Z?)?(?!${SEPARATOR}{0,3}\\p{Nd}))`,
    `(?<ip>(?<![\\p{N}.])(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)\\.){3}(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?!${SEPARATOR}{0,3}\\p{Nd}))`,
    `[+＋]?[(]?\\p{Nd}(?:${SEPARATOR}{0,3}\\p{Nd}){6,}`
  ].join('|'),
  'giu'
)

const redactDigits = (text: string): string =>
  text.replaceAll(DIGITS, (found, ...rest: readonly unknown[]) => {
    const groups = rest.at(-1) as Readonly<Record<string, string | undefined>>
    const isOther = [groups['uuid'], groups['date'], groups['ip']].some((group) => group !== undefined)
    return isOther ? found : PLACEHOLDERS.phone
  })

/**
 * Returns the text without secrets and personal data, recognized by their shape or by `secrets`. Names of people have no
 * shape and must not be passed in. Idempotent.
 * @param secrets tokens that this till has used, which may be too short or too plain to be recognized
 */
export function redact(text: string, secrets: Iterable<string> = []): string {
  const withoutTokens = removeSecrets(text, secrets)
    .replaceAll(homedir(), '~')
    .replaceAll(QUOTED_INPUT, (_found, before: string) => `${before}${PLACEHOLDERS.value}`)
    .replaceAll(SCHEME, (_found, scheme: string) => `${scheme}${PLACEHOLDERS.token}`)
    .replaceAll(
      NAMED_SECRET,
      (_found, name: string, quote = '', equals = '', open = '') =>
        `${name}${String(quote)}${String(equals)}${String(open)}${PLACEHOLDERS.token}`
    )
    .replaceAll(URL_LIKE, redactUrl)
    .replaceAll(QUERY, (_found, name: string) => `?${name}${PLACEHOLDERS.value}`)
    .replaceAll(PERSONAL_SEGMENT, (_found, before: string) => `${before}${PLACEHOLDERS.value}`)
    .replaceAll(FILE_NAME, redactSlipFile)
    .replaceAll(WORD, redactEmail)
    // After e-mails, whose local part may look like one.
    .replaceAll(JSON_WEB_TOKEN, PLACEHOLDERS.token)
    .replaceAll(LONG_RUN, redactRun)
  return redactDigits(withoutTokens)
}

const MAX_DEPTH = 6
const MAX_TEXT_LENGTH = 4_000
/** Longer than what is redacted: half of it, at the end of a text that is cut, may have no recognizable shape. */
const MAX_SHAPE_LENGTH = 1_000
const MAX_ITEMS = 50
const MAX_STACK_LINES = 12

/** Keys whose values are personal or secret, whatever their shape. */
const OMITTED_KEYS =
  /^(name|first_?name|last_?name|customer(_?name)?|cashier|phone|e-?mail|avatar|token|authorization|password|secret|cookie|headers|body|street|note)$/i

/** Properties with which system, SQLite and network errors state their reason. */
const ERROR_PROPERTIES = ['code', 'errcode', 'errno', 'syscall', 'status', 'reason', 'fault'] as const

/**
 * Converts any value to redacted, JSON-compatible data of limited depth and size: errors with their causes and stacks,
 * cycles as `[again]`, binary data as its length. Throws only if a getter of the value throws.
 */
export function serialize(value: unknown, secrets: Iterable<string>): unknown {
  const text = (value: string): string => {
    if (value.length <= MAX_TEXT_LENGTH) return redact(value, secrets)
    // The text may come from a server, and be of any length.
    const redacted = redact(value.slice(0, MAX_TEXT_LENGTH + MAX_SHAPE_LENGTH), secrets)
    const end = Math.max(0, Math.min(MAX_TEXT_LENGTH, redacted.length - MAX_SHAPE_LENGTH))
    return `${redacted.slice(0, end)}… (${String(value.length)} characters)`
  }

  const ofError = (error: Error, depth: number, ancestors: readonly unknown[]): unknown => {
    const properties = ERROR_PROPERTIES.flatMap((key) => {
      const found: unknown = Reflect.get(error, key)
      return typeof found === 'string' || typeof found === 'number'
        ? [[key, ofValue(found, depth + 1, ancestors)]]
        : []
    })
    const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
    return {
      error: text(error.name),
      message: text(error.message),
      ...Object.fromEntries(properties),
      stack: frames.slice(0, MAX_STACK_LINES).map((line) => text(line.trim())),
      ...(error.cause === undefined ? {} : { cause: ofValue(error.cause, depth + 1, ancestors) }),
      ...(error instanceof AggregateError ? { errors: ofValue(error.errors, depth + 1, ancestors) } : {})
    }
  }

  const ofObject = (object: object, depth: number, ancestors: readonly unknown[]): unknown => {
    if (ancestors.includes(object)) return '[again]'
    if (depth > MAX_DEPTH) return '[deeper]'
    const path = [...ancestors, object]
    if (object instanceof Error) return ofError(object, depth, path)
    if (object instanceof Date) return Number.isNaN(object.getTime()) ? 'Invalid Date' : object.toISOString()
    if (ArrayBuffer.isView(object) || object instanceof ArrayBuffer)
      return `[${String(object.byteLength)} bytes]`
    if (object instanceof Map || object instanceof Set) return ofValue([...object], depth + 1, path)
    if (Array.isArray(object))
      return object.slice(0, MAX_ITEMS).map((item: unknown) => ofValue(item, depth + 1, path))
    return Object.fromEntries(
      Object.entries(object)
        .slice(0, MAX_ITEMS)
        .filter(([, item]) => item !== undefined && typeof item !== 'function')
        .map(([key, item]) => [
          text(key),
          OMITTED_KEYS.test(key) && item !== null ? '[left out]' : ofValue(item, depth + 1, path)
        ])
    )
  }

  const ofValue = (value: unknown, depth: number, ancestors: readonly unknown[]): unknown => {
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
        return value === null ? null : ofObject(value, depth, ancestors)
    }
  }
  return ofValue(value, 0, [])
}
