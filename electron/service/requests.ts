/**
 * Who is calling (interface document, part 5): a bearer token, which stands for one business. Refusals follow
 * RFC 6750, since the document shows none.
 */
import * as v from 'valibot'
import { isMessageKey, type MessageKey, type MessageValues } from './messages.ts'
import { Refusal } from './responses.ts'
import { hashOfToken, type BusinessNumber } from './store.ts'

/** RFC 6750, part 2.1: what a token may be written with. */
export const tokenSyntax = /^[A-Za-z0-9\-._~+/]+=*$/

/** A token with this word in it is answered as one that has expired, so that reconnecting can be tried. */
const expiredWord = 'expired'

/** Spellings of headers that are remembered: a business has one token, and its tills spell it alike. */
const MOST_ACCEPTED = 100

/** True for tokens that are answered as expired without being listed. */
export const saysExpired = (token: string): boolean => token.toLowerCase().includes(expiredWord)

const refusal = (key: MessageKey, challenge: string): Refusal =>
  new Refusal(401, key, {}, { 'WWW-Authenticate': challenge })

/**
 * Makes the check of an Authorization header: gives the number of the caller's business, or refuses with 401.
 * `businesses` is keyed by the hash of the token.
 */
export const authenticator = (
  businesses: ReadonlyMap<string, BusinessNumber>,
  expiredTokens: readonly string[]
) => {
  /** Headers that were accepted before: to hash a token again for each request takes a seventh of it. */
  const accepted = new Map<string, BusinessNumber>()
  return (header: string | undefined): BusinessNumber => {
    const known = accepted.get(header ?? '')
    if (known !== undefined) return known
    if (header === undefined || header.trim() === '') throw refusal('credentials-missing', 'Bearer')
    const token = /^bearer +(\S+)$/i.exec(header.trim())?.[1]
    if (token === undefined) throw refusal('credentials-not-bearer', 'Bearer')
    if (saysExpired(token) || expiredTokens.includes(token)) {
      throw refusal('token-expired', 'Bearer error="invalid_token", error_description="token expired"')
    }
    const business = businesses.get(hashOfToken(token))
    if (business === undefined) throw refusal('token-unknown', 'Bearer error="invalid_token"')
    if (accepted.size < MOST_ACCEPTED) accepted.set(header, business)
    return business
  }
}

/* from body.ts: Reads a request's JSON body and says exactly what is wrong with it. */

/** Bytes that a body may have: far above any customer or code. */
const MAXIMUM_BODY_BYTES = 64 * 1024

/** A missing content type is tolerated; a wrong one tells that the sender means something else. */
const jsonMediaType = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i

/**
 * The body of `request`, parsed by `schema`, whose issues are message keys; `values` fills their placeholders.
 * Refuses with 415 another content type, with 413 a body that is too large, and with 400 what is not UTF-8 JSON or
 * not what the schema wants.
 */
export const readJson = async <Schema extends v.GenericSchema>(
  request: Request,
  schema: Schema,
  values: MessageValues = {}
): Promise<v.InferOutput<Schema>> => {
  const mediaType = request.headers.get('content-type')
  if (mediaType !== null && !jsonMediaType.test(mediaType)) throw new Refusal(415, 'media-type-unknown')
  const result = v.safeParse(schema, parseJson(await readBytes(request)), { abortEarly: true })
  if (result.success) return result.output
  const key = result.issues[0].message
  throw new Refusal(400, isMessageKey(key) ? key : 'body-not-object', values)
}

/**
 * Reads no further than the limit, whatever the headers promise. (hono/body-limit makes a new Request of what it
 * reads, which the Request of @hono/node-server does not allow.)
 */
const readBytes = async (request: Request): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = []
  let size = 0
  const body: ReadableStream<Uint8Array> | null = request.body
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > MAXIMUM_BODY_BYTES) {
      throw new Refusal(413, 'body-too-large', { most: MAXIMUM_BODY_BYTES }, { Connection: 'close' })
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const parseJson = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new Refusal(400, 'body-not-json')
  }
}

/* from paging.ts: Pages: the query parameters that ask for one, and the body that answers (interface document, parts 2, 4, 8). */

/** Interface document, part 8. */
const defaultPageNumber = 1
/** Interface document, part 8. */
const defaultPageSize = 20
/** The document does not show a maximum; a larger request is answered with this many, and says so. */
export const MAXIMUM_PAGE_SIZE = 100

export interface PageRequest {
  /** from 1 */
  readonly pageNumber: number
  readonly pageSize: number
}

/** Nine digits: no page is that far, and the offset stays an exact number. */
const wholeNumber = /^\d{1,9}$/

const read = (parameter: 'pageNumber' | 'pageSize', text: string | undefined, missing: number): number => {
  if (text === undefined) return missing
  const value = wholeNumber.test(text) ? Number(text) : 0
  if (value < 1) throw new Refusal(400, 'page-malformed', { parameter })
  return value
}

/** Reads `pageNumber` and `pageSize`: texts that carry whole numbers from 1. Refuses anything else with 400. */
export const pageRequestOf = (query: (name: string) => string | undefined): PageRequest => ({
  pageNumber: read('pageNumber', query('pageNumber'), defaultPageNumber),
  pageSize: Math.min(read('pageSize', query('pageSize'), defaultPageSize), MAXIMUM_PAGE_SIZE)
})

/** Rows to ask the database for: one more than the page holds tells whether there is another page. */
export const rowsToRead = (page: PageRequest): { limit: number; offset: number } => ({
  limit: page.pageSize + 1,
  offset: (page.pageNumber - 1) * page.pageSize
})

/** The body of a page, from rows read as `rowsToRead` says. The field that counts `data` is each list's own. */
export const pageBody = <Item>(page: PageRequest, rows: readonly Item[]) => ({
  hasMore: rows.length > page.pageSize,
  currentPage: page.pageNumber,
  pageSize: page.pageSize,
  data: rows.slice(0, page.pageSize)
})
