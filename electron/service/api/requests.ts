/** Reads requests: the JSON body and the paging parameters. Each throws an `HttpError`. */
import * as v from 'valibot'
import { isMessageKey, type ServiceMessageValues } from './messages.ts'
import { HttpError } from './responses.ts'

/** Maximum size of a request body in bytes, far above any customer or code. */
export const MAX_BODY_BYTES = 64 * 1024

/** Seconds that a client has for headers and body. */
export const MAX_REQUEST_SECONDS = 30

/** A missing content type is accepted, another one is refused. */
const JSON_MEDIA_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i

/**
 * Returns the JSON body of `request`, parsed by `schema`. The schema's issues are message keys; `values` fills their
 * placeholders. Throws 415 for another content type, 413 for a body that is too large, and 400 for anything that is
 * not UTF-8 JSON or does not match the schema.
 */
export const readJson = async <Schema extends v.GenericSchema>(
  request: Request,
  schema: Schema,
  values: ServiceMessageValues = {},
  maxBytes = MAX_BODY_BYTES
): Promise<v.InferOutput<Schema>> => {
  const mediaType = request.headers.get('content-type')
  if (mediaType !== null && !JSON_MEDIA_TYPE.test(mediaType)) {
    throw new HttpError(415, 'media-type-unsupported')
  }
  const result = v.safeParse(schema, parseJson(await readBytes(request, maxBytes)), { abortEarly: true })
  if (result.success) return result.output
  const key = result.issues[0].message
  throw new HttpError(400, isMessageKey(key) ? key : 'body-not-object', values)
}

/**
 * Returns the body. Throws 413 above the limit, before reading more than that. hono/body-limit is not used: it creates a
 * new Request, which the Request of @hono/node-server does not support.
 */
export const readBytes = async (
  request: Request,
  maxBytes = MAX_BODY_BYTES
): Promise<Uint8Array<ArrayBuffer>> => {
  // Node ends a body at its Content-Length. Reading it at once takes half the time of the stream.
  if (Number(request.headers.get('content-length') ?? Infinity) <= maxBytes) {
    return new Uint8Array(await request.arrayBuffer())
  }
  const chunks: Uint8Array[] = []
  let size = 0
  const body: ReadableStream<Uint8Array> | null = request.body
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) {
      throw new HttpError(413, 'body-too-large', { max: maxBytes }, { Connection: 'close' })
    }
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

const parseJson = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new HttpError(400, 'body-not-json')
  }
}

/** Interface document, part 8. */
const DEFAULT_PAGE_NUMBER = 1
/** Interface document, part 8. */
const DEFAULT_PAGE_SIZE = 20
/** The interface document specifies no maximum. A larger request gets this many items, and `pageSize` says so. */
export const MAX_PAGE_SIZE = 100

export interface PageRequest {
  /** from 1 */
  readonly pageNumber: number
  readonly pageSize: number
}

/** Nine digits keep the offset a safe integer. */
const WHOLE_NUMBER = /^\d{1,9}$/

const parsePageParameter = (
  parameter: 'pageNumber' | 'pageSize',
  text: string | undefined,
  fallback: number
): number => {
  if (text === undefined) return fallback
  const value = WHOLE_NUMBER.test(text) ? Number(text) : 0
  if (value < 1) throw new HttpError(400, 'page-malformed', { parameter })
  return value
}

/** Parses `pageNumber` and `pageSize`. Throws 400 for anything but whole numbers from 1. */
export const parsePageRequest = (query: (name: string) => string | undefined): PageRequest => ({
  pageNumber: parsePageParameter('pageNumber', query('pageNumber'), DEFAULT_PAGE_NUMBER),
  pageSize: Math.min(parsePageParameter('pageSize', query('pageSize'), DEFAULT_PAGE_SIZE), MAX_PAGE_SIZE)
})

/** The rows to read for a page: one more than the page size, which shows whether there is a next page. */
export const rowsForPage = (page: PageRequest): { limit: number; offset: number } => ({
  limit: page.pageSize + 1,
  offset: (page.pageNumber - 1) * page.pageSize
})

/** The body of a page (interface document, part 2), from the rows of `rowsForPage`, without the count of `data`. */
export const pageBody = <Item>(page: PageRequest, rows: readonly Item[]) => ({
  hasMore: rows.length > page.pageSize,
  currentPage: page.pageNumber,
  pageSize: page.pageSize,
  data: rows.slice(0, page.pageSize)
})
